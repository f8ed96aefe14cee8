// Differences between two timezone tables, compared with a search of every hour.
import { describe, expect, it } from 'vitest'
import {
  compareZones,
  firstDifference,
  isNewer,
  type KnownZone,
  type RuleDifference,
} from '../../../src/domain/time/tz-difference.ts'
import { loadTimezoneTable, type TimezoneTable } from '../../../src/domain/time/tzdb.ts'
import earlier from '../../data/tz-2025c.json' with { type: 'json' }
import later from '../../data/tz-2026f.json' with { type: 'json' }

const OLD = loadTimezoneTable(earlier)
const NEW = loadTimezoneTable(later)
const HOUR = 3_600_000
const at = (text: string) => Date.parse(text)
const NOW = at('2026-11-15T12:00:00Z')

const known = (table: TimezoneTable): KnownZone[] =>
  table.zones().map((name) => ({ name, rules: table.rules(name), version: table.version }))

const kinds = (states: readonly { kind: string; zone: string }[]) =>
  Object.fromEntries(states.map(({ zone, kind }) => [zone, kind]))

const between = (zone: string, from: number) =>
  firstDifference(zone, { before: OLD.rules(zone), after: NEW.rules(zone), from })

/** The first hour between `from` and the end of 2031 at which the two tables differ. */
function firstHour(zone: string, from: number): number | null {
  const [old, now] = [OLD.zone(zone), NEW.zone(zone)]
  for (let instant = from; instant < at('2032-01-01T00:00:00Z'); instant += HOUR) {
    if (old.offsetMsAt(instant) !== now.offsetMsAt(instant)) return instant
  }
  return null
}

describe('rules()', () => {
  it('returns the rules of the target for a link, in any letter case', () => {
    expect(NEW.rules('canada/pacific')).toBe(NEW.rules('America/Vancouver'))
    expect(() => NEW.rules('Jakarta')).toThrow('Unknown timezone "Jakarta".')
  })
})

describe('firstDifference()', () => {
  it.each([
    // The clocks are no longer set back.
    ['America/Vancouver', '2026-11-01T09:00:00Z', -8, -7],
    ['America/Winnipeg', '2026-11-01T07:00:00Z', -6, -5],
    ['America/Havana', '2026-11-01T05:00:00Z', -5, -4],
    ['Africa/Casablanca', '2026-09-20T01:00:00Z', 1, 0],
  ])('for %s is at %s', (zone, since, from, to) => {
    const expected: RuleDifference = { at: at(since), fromOffsetMs: from * HOUR, toOffsetMs: to * HOUR }
    expect(between(zone, at('2026-01-01T00:00:00Z'))).toEqual(expected)
    // A search that begins after the difference still returns when it began.
    expect(between(zone, NOW)).toEqual(expected)
  })

  it.each(NEW.zones())('for %s agrees with a search of every hour', (zone) => {
    for (const from of ['2026-01-01T00:00:00Z', '2027-12-01T00:00:00Z', '2028-06-01T00:00:00Z']) {
      const found = between(zone, at(from))
      const hour = firstHour(zone, at(from))
      expect(found === null).toBe(hour === null)
      if (found !== null && found.at > at(from)) expect(Math.ceil(found.at / HOUR) * HOUR).toBe(hour)
      if (found !== null && found.at <= at(from)) expect(hour).toBe(at(from))
    }
  })

  it('is null if only the past differs', () => {
    const [before, after] = ['0 3600|010|a00000 a00000', '0 3600 7200|020|a00000 a00000']
    const change = Number.parseInt('a00000', 36) * 1000
    expect(firstDifference('A/B', { before, after, from: 2 * change - 1 })).toMatchObject({ at: change })
    expect(firstDifference('A/B', { before, after, from: 2 * change })).toBeNull()
  })

  it('is at the start of the tables if they never agreed', () => {
    expect(firstDifference('A/B', { before: '0|0|', after: '3600|0|', from: NOW })).toEqual({
      at: 0,
      fromOffsetMs: 0,
      toOffsetMs: HOUR,
    })
  })
})

describe('compareZones()', () => {
  it('finds the zones and links whose rules change from now on', () => {
    const found = compareZones(known(OLD), NEW, NOW)
    const changed = found.filter(({ kind }) => kind === 'changed').map(({ zone }) => zone)
    expect(changed).toEqual([
      ...['Africa/Casablanca', 'Africa/El_Aaiun', 'America/Edmonton', 'America/Havana', 'America/Inuvik'],
      ...['America/Vancouver', 'America/Winnipeg', 'Canada/Pacific', 'Cuba', 'Europe/Chisinau'],
    ])
    const rest = found.filter(({ kind }) => kind !== 'changed')
    expect(rest.map(({ kind }) => kind)).toEqual(Array(13).fill('agreeing'))
  })

  it('ignores a difference that has ended, such as one winter in Cuba', () => {
    expect(kinds(compareZones(known(OLD), NEW, at('2027-03-01T00:00:00Z')))).toHaveProperty('Cuba', 'changed')
    expect(kinds(compareZones(known(OLD), NEW, at('2027-04-01T00:00:00Z')))).toHaveProperty(
      'Cuba',
      'agreeing',
    )
  })

  it('distinguishes current, unknown, ahead and gone zones', () => {
    const [vancouver, tokyo] = known(NEW).filter(({ name }) => /Vancouver|Tokyo/.test(name))
    const later = { ...tokyo!, version: '2027a' }
    const atlantis = { name: 'Atlantis/Poseidonis', rules: '0|0|', version: '2025c' }
    expect(kinds(compareZones([vancouver!, later, atlantis], NEW, NOW))).toMatchObject({
      'America/Vancouver': 'current',
      'Asia/Tokyo': 'ahead',
      'Atlantis/Poseidonis': 'gone',
      'Europe/London': 'unknown',
    })
  })

  it('reports different rules under an equal release as a change', () => {
    const [vancouver] = known(OLD).filter(({ name }) => name === 'America/Vancouver')
    const states = compareZones([{ ...vancouver!, version: NEW.version }], NEW, NOW)
    expect(kinds(states)).toHaveProperty('America/Vancouver', 'changed')
  })
})

describe('isNewer()', () => {
  it('compares releases by year, then by letter', () => {
    expect(isNewer('2026f', '2025c')).toBe(true)
    expect(isNewer('2026b', '2026a')).toBe(true)
    expect(isNewer('2026a', '2025z')).toBe(true)
    expect(isNewer('2026a', '2026a')).toBe(false)
    expect(isNewer('2025c', '2026a')).toBe(false)
  })
})
