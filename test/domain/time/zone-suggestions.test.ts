// Suggestions for an unknown timezone: at most three existing names, the likeliest first.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loadTimezoneTable, tzdb } from '../../../src/domain/time/tzdb.ts'
import { ABBREVIATIONS, BY_POPULATION, PLACES } from '../../../src/domain/time/zone-nicknames.ts'
import { suggestZones, unknownTimezone } from '../../../src/domain/time/zone-suggestions.ts'
import { parseUserFields } from '../../../src/domain/users/user.ts'

const NOVEMBER = Date.parse('2026-11-15T04:00:00Z')
const JULY = Date.parse('2026-07-15T04:00:00Z')
const suggest = (text: string, now = NOVEMBER) => suggestZones(text, { now, table: tzdb }).suggestions

describe('suggestZones()', () => {
  it.each([
    ['CST', ['America/Chicago', 'Asia/Shanghai', 'America/Havana']],
    ['pst', ['America/Los_Angeles', 'Asia/Manila']],
    ['IST', ['Asia/Kolkata', 'Europe/Dublin', 'Asia/Jerusalem']],
    ['WIB', ['Asia/Jakarta']],
    ['CET', ['Europe/Berlin', 'Europe/Paris', 'Europe/Madrid']],
    ['EST5EDT', ['America/New_York', 'America/Toronto']],
    ['GMT', ['Europe/London', 'Africa/Accra', 'Etc/UTC']],
    ['GMT+0', ['Europe/London', 'Africa/Accra', 'Etc/UTC']],
  ])('suggests zones for the abbreviation %s', (text, zones) => {
    expect(suggest(text)).toEqual(zones)
  })

  it.each([
    ['Jakarta', ['Asia/Jakarta']],
    ['New York', ['America/New_York']],
    ['São Paulo', ['America/Sao_Paulo']],
    ['Asia/Jakarta ', ['Asia/Jakarta']],
    ['Buenos Aires', ['America/Argentina/Buenos_Aires']],
    ['Mumbai', ['Asia/Kolkata']],
    ['Berlin, Germany', ['Europe/Berlin']],
    ['Indonesia', ['Asia/Jakarta', 'Asia/Makassar', 'Asia/Jayapura']],
    ['Eastern Standard Time', ['America/New_York']],
    ['(UTC+07:00) Bangkok, Hanoi, Jakarta', ['Asia/Bangkok', 'Asia/Ho_Chi_Minh', 'Asia/Jakarta']],
  ])('suggests zones for the place %s', (text, zones) => {
    expect(suggest(text)).toEqual(zones)
  })

  it.each([
    ['Amercia/New_York', ['America/New_York']],
    ['Asia/Jakatra', ['Asia/Jakarta']],
    ['Asia/Singapour', ['Asia/Singapore']],
  ])('suggests zones for the misspelling %s', (text, zones) => {
    expect(suggest(text)).toEqual(zones)
  })

  it.each(['GMT+7', 'UTC+7', '+07:00', '+0700', 'gmt +07', '+7', 'Etc/GMT-7'])(
    'suggests the most populous zones for the offset %s',
    (text) => {
      expect(suggest(text)).toEqual(['Asia/Jakarta', 'Asia/Ho_Chi_Minh', 'Asia/Bangkok'])
    },
  )

  it('suggests zones that have the offset now, in winter or in summer', () => {
    expect(suggest('-05:00')).toEqual(['America/New_York', 'America/Bogota', 'America/Lima'])
    expect(suggest('-05:00', JULY)).toEqual(['America/Chicago', 'America/Bogota', 'America/Lima'])
    expect(suggest('-03:30')).toEqual(['America/St_Johns'])
    expect(suggest('+08:45')).toEqual(['Australia/Eucla'])
  })

  it.each(['', ' ', 'Mars/Phobos', '__proto__', '+15:00', '-12', 'Asia', 'x'.repeat(5_000)])(
    'suggests nothing for "%s"',
    (text) => {
      expect(suggest(text)).toEqual([])
    },
  )

  it('returns at most three existing names for any text', () => {
    const names = new Set(tzdb.zones())
    const near = fc
      .tuple(fc.constantFrom(...names), fc.nat(30), fc.constantFrom('', 'x', '/'))
      .map(([name, at, put]) => {
        return name.slice(0, at) + put + name.slice(at + 1)
      })
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({
            unit: fc.constantFrom('A', 's', 'i', '/', '+', '7', ':', '(', ',', ' ', 'é', '🎂', '\ud800'),
          }),
          near,
        ),
        (text) => {
          const { suggestions } = suggestZones(text, { now: NOVEMBER, table: tzdb })
          expect(suggestions.length).toBeLessThanOrEqual(3)
          expect(new Set(suggestions).size).toBe(suggestions.length)
          expect(suggestions.filter((name) => !names.has(name))).toEqual([])
        },
      ),
      { numRuns: 300 },
    )
  })

  it('returns only names of the given table', () => {
    const table = loadTimezoneTable({ version: '2026f', zones: { 'Asia/Shanghai': '28800|0|' }, links: {} })
    const { suggestions, why } = suggestZones('CST', { now: NOVEMBER, table })
    expect([suggestions, why]).toEqual([['Asia/Shanghai'], 'It is an abbreviation, as used in'])
  })
})

describe('the handwritten lists of zones', () => {
  it('have only names of the table, in their IANA spelling', () => {
    const lists = [BY_POPULATION, ...ABBREVIATIONS.values(), ...PLACES.values()]
    expect(lists.flat().filter((name) => tzdb.canonicalName(name) !== name)).toEqual([])
    expect(PLACES.size).toBeGreaterThan(100)
  })

  it('have at most three zones for each key, and only letters in the name of a place', () => {
    expect([...ABBREVIATIONS.values(), ...PLACES.values()].every((zones) => zones.length <= 3)).toBe(true)
    expect([...PLACES.keys()].filter((key) => !/^[a-z]+$/.test(key))).toEqual([])
  })
})

describe('unknownTimezone()', () => {
  it.each([
    [
      'CST',
      'Unknown timezone "CST". It is the abbreviation of several: America/Chicago, Asia/Shanghai or America/Havana. Use an IANA name.',
    ],
    [
      'EST',
      '"EST" is not the timezone of a place. It is the abbreviation of several: America/New_York, America/Jamaica or America/Panama. Use the name of a place.',
    ],
    [
      'Etc/GMT+5',
      '"Etc/GMT+5" is not the timezone of a place. An offset does not determine clock changes. Timezones with this offset now: America/New_York, America/Bogota or America/Lima. Use the name of a place.',
    ],
    ['WIB', 'Unknown timezone "WIB". It is an abbreviation, as used in Asia/Jakarta. Use an IANA name.'],
    ['Jakarta', 'Unknown timezone "Jakarta". It may mean Asia/Jakarta. Use an IANA name.'],
    [
      'GMT+7',
      'Unknown timezone "GMT+7". An offset does not determine clock changes. Timezones with this offset now: Asia/Jakarta, Asia/Ho_Chi_Minh or Asia/Bangkok. Use an IANA name.',
    ],
    ['Mars', 'Unknown timezone "Mars". Use an IANA name such as Asia/Jakarta.'],
    ['a\u001b[2J', 'Unknown timezone "a [2J". Use an IANA name such as Asia/Jakarta.'],
  ])('has a remedy for %j', (text, message) => {
    const problem = unknownTimezone('timezone', text, { now: NOVEMBER, table: tzdb })
    expect(problem).toEqual({ field: 'timezone', code: 'UNKNOWN_TIMEZONE', message })
    const ada = { firstName: 'Ada', lastName: 'Lovelace', dateOfBirth: '1990-12-15', timezone: text }
    expect(parseUserFields(ada, { now: NOVEMBER, table: tzdb })).toEqual({
      ok: false,
      problems: [{ field: 'timezone', code: 'UNKNOWN_TIMEZONE', message }],
    })
  })
})
