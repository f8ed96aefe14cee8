// The search of the time zone field.
import { describe, expect, it } from 'vitest'
import { findZones, likelyZones } from '../../../web/src/clock/zone-search.ts'

const NOW = Date.parse('2026-11-16T09:00:00Z')
const find = (text: string) => findZones(text, NOW).map(({ timezone }) => timezone)

describe('the search for a time zone', () => {
  it.each([
    ['tokyo', 'Asia/Tokyo'],
    ['Japan', 'Asia/Tokyo'],
    ['JST', 'Asia/Tokyo'],
    ['PST', 'America/Los_Angeles'],
    ['são', 'America/Sao_Paulo'],
    ['mumbai', 'Asia/Kolkata'],
    ['san fr', 'America/Los_Angeles'],
    ['york', 'America/New_York'],
    ['asia/jak', 'Asia/Jakarta'],
    ['united states', 'America/New_York'],
    ['Germany', 'Europe/Berlin'],
    ['turkey', 'Europe/Istanbul'],
    ['switzerland', 'Europe/Zurich'],
    ['Jakrta', 'Asia/Jakarta'],
    ['+5:45', 'Asia/Kathmandu'],
    ['utc', 'UTC'],
  ])('finds %s', (text, timezone) => {
    expect(find(text)[0]).toBe(timezone)
  })

  it('offers every zone of an abbreviation', () => {
    expect(find('pst')).toEqual(['America/Los_Angeles', 'Asia/Manila'])
    expect(find('CST')).toEqual(['America/Chicago', 'Asia/Shanghai', 'America/Havana'])
  })

  it('lists an old name only if no listed zone has its rules', () => {
    expect(find('kat')).toContain('Asia/Kathmandu')
    expect(find('kat')).not.toContain('Asia/Katmandu')
    expect(find('calcutta')).toEqual(['Asia/Calcutta'])
  })

  it('names city and country, and at most eight zones', () => {
    expect(findZones('tokyo', NOW)).toEqual([{ timezone: 'Asia/Tokyo', city: 'Tokyo', country: 'Japan' }])
    expect(find('united states')).toHaveLength(8)
  })

  it('starts with the zones that most people live in', () => {
    expect(find('')[0]).toBe('Asia/Shanghai')
  })

  it('finds nothing for a text that is no place', () => {
    expect(find('qqqq')).toEqual([])
    expect(likelyZones('qqqq', NOW)).toEqual([])
  })
})
