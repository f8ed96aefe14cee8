// The timezone table, compared with moment-timezone: it reads the source data with a decoder of its own.
import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { parseTimezone } from '../../../src/domain/time/timezone.ts'
import { loadTimezoneTable, tzdb } from '../../../src/domain/time/tzdb.ts'

const HOUR = 3_600_000
type PeerZone = { untils: number[]; utcOffset(instant: number): number }
const peer: { tz: { names(): string[]; zone(name: string): PeerZone } } = createRequire(import.meta.url)(
  'moment-timezone',
)

describe('tzdb.json', () => {
  it('equals a fresh build from the installed IANA data', () => {
    const script = new URL('../../../scripts/build-tzdb.ts', import.meta.url).pathname
    expect(execFileSync(process.execPath, [script, '--check'], { encoding: 'utf8' })).toContain('no change')
  })

  it('has the IANA release 2026f', () => {
    expect(tzdb.version).toBe('2026f')
  })

  it('has every name of the IANA data', () => {
    expect(tzdb.zones()).toEqual(peer.tz.names().sort())
    expect(tzdb.zones().length).toBeGreaterThan(590)
  })

  it('agrees with the IANA data on both sides of every clock change of every zone, 1970 to 2051', () => {
    const end = Date.UTC(2052, 0, 1)
    let changes = 0
    for (const name of tzdb.zones()) {
      const zone = tzdb.zone(name)
      const source = peer.tz.zone(name)
      const inside = source.untils.filter((until) => until > 0 && until < end)
      for (const until of [0, ...inside.flatMap((until) => [until - 1, until]), end - 1]) {
        // The library counts westward. 0 - x avoids -0.
        const expected = 0 - Math.round(source.utcOffset(until) * 60_000)
        if (zone.offsetMsAt(until) !== expected) expect.fail(`${name} at ${new Date(until).toISOString()}`)
      }
      changes += inside.length
    }
    expect(changes).toBeGreaterThan(20_000)
  })
})

describe('a timezone name', () => {
  it('is accepted in any letter case and returned in its IANA spelling, also for a link', () => {
    expect(tzdb.canonicalName('asia/JAKARTA')).toBe('Asia/Jakarta')
    expect(tzdb.canonicalName('asia/calcutta')).toBe('Asia/Calcutta')
    expect(tzdb.canonicalName('america/port-AU-prince')).toBe('America/Port-au-Prince')
    expect(tzdb.zone('us/pacific').name).toBe('US/Pacific')
    expect(parseTimezone('europe/berlin')).toBe('Europe/Berlin')
  })

  it.each([...'UTC Etc/UTC Zulu Universal UCT America/Argentina/ComodRivadavia GB-Eire PRC'.split(' ')])(
    'accepts %s, the IANA name of a place or of UTC',
    (name) => expect(parseTimezone(name)).toBe(name),
  )

  it.each([
    ...'PST EST mst HST CET EET MET WET EST5EDT PST8PDT GMT GMT0 GMT+0 GMT+7 Greenwich'.split(' '),
    ...'Etc/GMT Etc/GMT+5 Etc/GMT-14 Etc/Greenwich +07:00 local Jakarta Z Asia/ __proto__'.split(' '),
    ...['', 'EST5EDT ', 'Asia/Jakarta\n', 'Europe/\u212Aiev'],
  ])('cannot be %j', (name) => expect(parseTimezone(name)).toBeNull())

  it('that is unknown throws an error with a remedy', () => {
    expect(() => tzdb.zone('Jakarta')).toThrow(
      new RangeError('Unknown timezone "Jakarta". Use an IANA name such as Asia/Jakarta.'),
    )
  })
})

describe('loadTimezoneTable()', () => {
  const small = {
    version: '2027a',
    zones: { 'Mars/Olympus': '3600 7200|01|mzpts0', 'Etc/UTC': '0|0|' },
    links: { 'Mars/Mount': 'Mars/Olympus' },
  }

  it('loads a custom table', () => {
    const table = loadTimezoneTable(small)
    expect(table.zones()).toEqual(['Etc/UTC', 'Mars/Mount', 'Mars/Olympus'])
    const change = Number.parseInt('mzpts0', 36) * 1000
    expect(table.zone('mars/mount').offsetMsAt(change - 1)).toBe(HOUR)
    expect(table.zone('Mars/Mount').offsetMsAt(change)).toBe(2 * HOUR)
  })

  it.each([
    ['no object', null, /"version" must be/],
    ['no version', { ...small, version: undefined }, /"version" must be/],
    ['no zones', { ...small, zones: undefined }, /"zones" and "links" must be/],
    ['a zone that is not text', { ...small, zones: { 'Etc/UTC': 0 } }, /"zones" and "links" must be/],
    ['nothing in it', { ...small, zones: {}, links: {} }, /has no zones/],
    ['a missing segment', { ...small, zones: { 'A/B': '0 3600|01|' }, links: {} }, /"A\/B" is incomplete/],
    ['an unknown offset', { ...small, zones: { 'A/B': '0|01|a' }, links: {} }, /"A\/B" has "" for an offset/],
    ['a broken number', { ...small, zones: { 'A/B': '0 60|01|x!' }, links: {} }, /"A\/B" has "x!"/],
    [
      'time running backward',
      { ...small, zones: { 'A/B': '0 60|010|a 0' }, links: {} },
      /not in order of time/,
    ],
    ['a dangling link', { ...small, links: { 'A/B': 'A/C' } }, /link "A\/B" points to "A\/C"/],
    ['one name twice', { ...small, links: { 'etc/utc': 'Etc/UTC' } }, /"etc\/utc" is listed twice/],
    ['an invalid name', { ...small, links: { 'Etc UTC': 'Etc/UTC' } }, /"Etc UTC" is not an IANA name/],
  ])('rejects a table with %s', (_, data, message) => {
    expect(() => loadTimezoneTable(data)).toThrow(message)
  })
})
