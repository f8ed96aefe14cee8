// The parts of the dashboard that think: what is shown has to be right before it is pretty.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import * as core from '../../src/domain/core.ts'
import { tzdb } from '../../src/domain/time/tzdb.ts'
import { durationText, offsetText, typeCode, typeText, utcText, wallIn } from '../../web/src/clock/format.ts'
import { curlOf } from '../../web/src/event/curl.ts'
import { readPeople } from '../../web/src/machine/csv.ts'
import { nextMessages, ruleFrom, yearsAhead } from '../../web/src/machine/forecast.ts'
import { testCaseOf } from '../../web/src/machine/test-case.ts'
import { isLand } from '../../web/src/map/coast.ts'
import { nearestZone, placeOf } from '../../web/src/map/places.ts'
import { meridianOf, sunAt } from '../../web/src/map/sun.ts'
import { missedBirthday } from '../../web/src/people/missed-birthday.ts'
import { builtDashboard } from './support/browser.ts'

const NOW = Date.UTC(2026, 10, 15, 12)

describe('times', () => {
  it('are by our own table, not the browser’s', () => {
    // Since 2026 Vancouver keeps summer time all year.
    expect(wallIn(Date.UTC(2026, 11, 15, 16), 'America/Vancouver')).toMatchObject({
      time: '09:00',
      date: '2026-12-15',
    })
    expect(offsetText(-420)).toBe('UTC−7')
    expect(offsetText(345)).toBe('UTC+5:45')
  })

  it('carry the date of UTC where that is another one', () => {
    expect(utcText(Date.UTC(2026, 10, 15, 23), '2026-11-16')).toBe('Sun 15 Nov 23:00Z')
    expect(utcText(Date.UTC(2026, 10, 15, 9), '2026-11-15')).toBe('09:00Z')
  })

  it('last in their two largest parts', () => {
    expect([0, 4_000, 61_000, 90_000_000, 366 * 86_400_000].map(durationText)).toEqual([
      '0 s',
      '4 s',
      '1 min 1 s',
      '1 d 1 h',
      '1 y 1 d',
    ])
  })

  it('know whose birthday is today after the hour, and only those', () => {
    const berlin = { dateOfBirth: '1990-11-15', timezone: 'Europe/Berlin' }
    expect(missedBirthday(berlin, 540, NOW)).toEqual({ nextYear: 2027, passedAt: Date.UTC(2026, 10, 15, 8) })
    expect(missedBirthday({ ...berlin, timezone: 'America/Vancouver' }, 540, NOW)).toBeNull()
    expect(missedBirthday({ ...berlin, dateOfBirth: '1990-11-16' }, 540, NOW)).toBeNull()
    expect(missedBirthday({ ...berlin, timezone: 'Mars' }, 540, NOW)).toBeNull()
  })
})

describe('an occasion type', () => {
  it('is stored as a code and shown as text', () => {
    expect(['Work anniversary', ' pay-day! ', 'Fête', 'NAME_DAY'].map(typeCode)).toEqual([
      'WORK_ANNIVERSARY',
      'PAY_DAY',
      'FETE',
      'NAME_DAY',
    ])
    expect(typeText('WORK_ANNIVERSARY')).toBe('Work anniversary')
  })
})

describe('a dropped table', () => {
  it('is read with quotes, semicolons, a byte-order mark and aliases', () => {
    const table = '\uFEFFName;birthDate;location\r\n"Love;lace, ""Ada""";1990-12-15;america/vancouver\r\n\r\n'
    expect(readPeople(table)).toEqual({
      people: [{ name: 'Love;lace, "Ada"', dateOfBirth: '1990-12-15', timezone: 'America/Vancouver' }],
      refused: [],
    })
  })

  it('is refused line by line, and as a whole without the columns it needs', () => {
    const { people, refused } = readPeople(
      'first,dob,tz\nA,1990-02-30,UTC\nB,1990-02-28,PST\nC,1990-02-28,UTC\n',
    )
    expect(people.map(({ name }) => name)).toEqual(['C'])
    expect(refused.map(({ line }) => line)).toEqual([2, 3])
    expect(readPeople('a,b\n1,2\n').refused[0]!.why).toContain('dateOfBirth and timezone')
  })

  it('fires in the order of time, and can be asked for what is odd', () => {
    const { people } = readPeople(
      'name,dob,tz\nLeap,1992-02-29,UTC\nSoon,1990-11-16,UTC\nEast,1990-11-16,Asia/Tokyo\n',
    )
    const ruleOf = (person: (typeof people)[number]) => ({
      date: person.dateOfBirth,
      timezone: person.timezone,
    })
    const all = nextMessages(people, ruleOf, NOW, { onlyExceptions: false, limit: 10 })
    expect(all.map(({ person }) => person.name)).toEqual(['East', 'Soon', 'Leap'])
    const odd = nextMessages(people, ruleOf, NOW, { onlyExceptions: true, limit: 10 })
    expect(odd.map(({ at }) => at.oddities[0]!.code)).toEqual(['LEAP_DAY_MOVED'])
  })
})

describe('an exported test', () => {
  it('says what the core says, by names that the core has', () => {
    const rule = ruleFrom({ date: '1992-02-29', timezone: 'america/vancouver', localTime: '', leapDay: '' })!
    const text = testCaseOf(rule, yearsAhead(rule, NOW).slice(0, 3))
    const names = /import \{ (.*) \} from 'terce\/core'/.exec(text)![1]!.split(', ')
    expect(names.filter((name) => !(name in core))).toEqual([])
    const rows = [...text.matchAll(/\[(\d+), '(.*)', '(.*)'\],/g)]
    expect(rows).toHaveLength(3)
    for (const [, year, utc, local] of rows) {
      const { instant, offsetMinutes } = core.occurrenceInYear(rule, Number(year))
      expect([core.formatInstant(instant), core.formatLocal(instant, offsetMinutes * 60)]).toEqual([
        utc,
        local,
      ])
    }
  })
})

describe('a delivery as a command', () => {
  it('reaches a shell as it is, apostrophes and all', () => {
    const body = `{"message":"Hey, O'Hara it's \\"nine\\" $HOME"}`
    const command = curlOf({ url: 'http://x/y', key: 'event-1', body }).replace(/^curl/, `printf '%s\\n'`)
    const lines = execFileSync('sh', ['-c', command], { encoding: 'utf8' }).split('\n')
    expect(lines).toContain(body)
    expect(lines).toContain('X-Idempotency-Key: event-1')
  })
})

describe('the map', () => {
  it('has land where people live, and sea where they do not', () => {
    const cities = ['Europe/Berlin', 'Asia/Kolkata', 'America/Denver', 'Africa/Nairobi', 'Australia/Adelaide']
    for (const city of cities) {
      const { longitude, latitude } = placeOf(city)!
      expect([city, isLand(longitude, latitude)]).toEqual([city, true])
    }
    for (const [longitude, latitude] of [
      [-40, 30],
      [-150, 0],
      [80, -30],
      [0, 0],
      [35, 43],
      [-86, 58],
    ]) {
      expect([longitude, latitude, isLand(longitude!, latitude!)]).toEqual([longitude, latitude, false])
    }
  })

  it('knows the clock that land goes by', () => {
    const clock = (longitude: number, latitude: number) =>
      tzdb.zone(nearestZone(longitude, latitude)).offsetMsAt(NOW) / 3_600_000
    expect(clock(77, 28)).toBe(5.5)
    expect(clock(88, 42)).toBe(8)
    expect(clock(10, 51)).toBe(1)
    expect(clock(-100, 40)).toBe(-6)
    expect(clock(122, -28)).toBe(8)
  })

  it('has a place for every zone that has a city', () => {
    const cities = tzdb
      .zones()
      .filter((name) => /^(Africa|America|Asia|Europe|Australia|Pacific)\//.test(name))
    const lost = cities.filter((name) => placeOf(name) === null)
    // Old aliases of places that since went by a neighbour's rule.
    expect(lost.length).toBeLessThan(15)
  })

  it('has the sun overhead where it is', () => {
    expect(sunAt(Date.UTC(2026, 5, 21, 12)).declination).toBeCloseTo(23.4, 1)
    expect(sunAt(Date.UTC(2026, 2, 20, 12)).longitude).toBeCloseTo(1.8, 0)
    expect(meridianOf(540, Date.UTC(2026, 0, 1, 9))).toBe(0)
    expect(meridianOf(540, Date.UTC(2026, 0, 1, 11))).toBe(-30)
  })
})

describe('the bundle', () => {
  beforeAll(builtDashboard)

  const folder = new URL('../../dist/web/', import.meta.url)

  it('is under 250 kB compressed, and names no other host', () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => new URL(name, folder))
      .filter((file) => statSync(file).isFile())
    const bytes = files.reduce((sum, file) => sum + gzipSync(readFileSync(file)).length, 0)
    expect(bytes).toBeGreaterThan(50_000)
    expect(bytes).toBeLessThan(250_000)
    const page = readFileSync(new URL('index.html', folder), 'utf8')
    expect(page).not.toMatch(/(src|href)="https?:|<style|<script>| style=/)
  })
})
