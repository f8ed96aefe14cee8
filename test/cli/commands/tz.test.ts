// `terce tz`: shows changed timezone rules, re-plans events, and rejects an invalid rules file in one line.
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { replan } from '../../../src/app/timezones/replan.ts'
import { addTimezones } from '../../../src/cli/commands/tz.ts'
import { createIds } from '../../../src/domain/events/uuid.ts'
import builtIn from '../../../src/domain/time/tzdb.json' with { type: 'json' }
import { loadTimezoneTable, type TimezoneTable, tzdb } from '../../../src/domain/time/tzdb.ts'
import { readConfig } from '../../../src/runtimes/config/config.ts'
import { systemClock } from '../../../src/runtimes/shared/system-clock.ts'
import { populate } from '../../app/timezones/support/two-tables.ts'
import { DAY, HOUR } from '../../support/fixtures.ts'
import { useDatabase } from '../support/in-process.ts'

const database = useDatabase(addTimezones)

/** The built-in table, but Tokyo has been an hour further east since 2020. */
const LATER = {
  ...builtIn,
  version: '2099a',
  zones: { ...builtIn.zones, 'Asia/Tokyo': `32400 36000|01|${(Date.UTC(2020, 0, 1) / 1000).toString(36)}` },
}
const NEWER = { TERCE_TZDB: 'later.json' }
const tz = (args: string[], env: Record<string, string> = NEWER) => database.terce(['tz', ...args], env)

/** A database planned with that table: two people in Tokyo and one in Jakarta, with birthdays in half a year. */
async function planBy(table: TimezoneTable): Promise<void> {
  database.write('later.json', JSON.stringify(LATER))
  const store = database.open()
  const planner = { ids: createIds(Math.random), table }
  const deps = { store, planner, clock: systemClock, telemetry() {}, onPlanned() {}, deliverAt: '09:00' }
  await replan(deps, { check: 'recent' })
  const birthday = new Date(Date.now() + 180 * DAY).toISOString().slice(5, 10)
  const { items } = await store.listUsers({ limit: 1, cursor: null })
  if (items.length === 0)
    await populate(deps, { zones: ['Asia/Tokyo', 'Japan', 'Asia/Jakarta'], birthdays: [birthday] })
}

async function dueIn(timezone: string): Promise<number> {
  const { items } = await database.open().listEvents({ limit: 10, cursor: null })
  return items.find((event) => event.timezone === timezone)!.targetAt
}

const DATABASE = { DATABASE_URL: 'sqlite:terce.db' }
const BOTH = { ...DATABASE, ...NEWER }

describe('terce tz', () => {
  it('records a replan in the audit log, and no dry run', async () => {
    await planBy(tzdb)
    await tz(['replan', '--dry-run'], BOTH)
    await tz(['replan'], BOTH)
    const entries = (await database.open().listAuditEntries({ limit: 10, before: null })).reverse()
    expect(entries.map(({ actor, action }) => [actor, action])).toEqual([['cli', 'timezones.replanned']])
  })

  it('shows the timezones that a newer table changes, and moves their events', async () => {
    await planBy(tzdb)
    const before = [await dueIn('Asia/Tokyo'), await dueIn('Asia/Jakarta')] as const

    const shown = await tz([], BOTH)
    expect(shown.stdout.split('\n')).toEqual([
      `Timezone rules: IANA 2099a. Events in this database were planned with ${tzdb.version}.`,
      '  Asia/Tokyo: UTC+09:00 -> UTC+10:00 from 2020-01-01T00:00:00.000Z, 1 person',
      '  Japan: UTC+09:00 -> UTC+10:00 from 2020-01-01T00:00:00.000Z, 1 person',
      'Run terce tz replan to move these events, or restart Terce.',
      '',
    ])

    const minute = (at: number) => `${new Date(at).toISOString().slice(0, 16)}Z`
    const example = `for example ${minute(before[0])} -> ${minute(before[0] - HOUR)}`
    const places = [`Asia/Tokyo: 1 person, 1 event, ${example}`, `Japan: 1 person, 1 event, ${example}`]
    const done = await tz(['replan'], BOTH)
    expect([done.code, done.stdout.split('\n')]).toEqual([0, [...places, '2 events moved (IANA 2099a).', '']])
    expect(done.stderr).toBe('')
    expect([await dueIn('Asia/Tokyo'), await dueIn('Japan')]).toEqual([before[0] - HOUR, before[0] - HOUR])
    expect(await dueIn('Asia/Jakarta')).toBe(before[1])
  })

  it('prints the last change with --json, and moves nothing back to older rules', async () => {
    await planBy(tzdb)
    await planBy(loadTimezoneTable(LATER))
    const before = await dueIn('Asia/Tokyo')
    const shown = await tz(['--json'], BOTH)
    expect(JSON.parse(shown.stdout)).toMatchObject({
      version: '2099a',
      recorded: ['2099a'],
      state: 'CURRENT',
      differs: [],
      lastChange: { from: tzdb.version, zones: ['Asia/Tokyo', 'Japan'] },
    })
    const older = await tz(['replan', '--json'], DATABASE)
    const nothing = { moved: 0, unmoved: 0, zones: [], gone: [], errors: 0, complete: true }
    expect([older.code, JSON.parse(older.stdout)]).toEqual([
      1,
      { version: tzdb.version, dryRun: false, ahead: '2099a', ...nothing },
    ])
    expect(older.stderr).toContain(
      `planned with IANA 2099a, which is newer than ${tzdb.version}. Nothing was changed.`,
    )
    expect(await dueIn('Asia/Tokyo')).toBe(before)
  })

  it.each([
    ['an unknown option', ['replan', '--dryrun'], {}, /unknown option '--dryrun'/],
    ['a missing file', [], NEWER, /^terce: TERCE_TZDB=later.json is not usable. There is no such file.\n$/],
  ])('exits with 2 and one line for %s', async (_, args, env, why) => {
    const { code, stdout, stderr } = await tz(args, env)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(why)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })
})

describe('TERCE_TZDB', () => {
  const read = (content: unknown) => {
    database.write('tz.json', typeof content === 'string' ? content : JSON.stringify(content))
    return readConfig({ TERCE_TZDB: join(database.folder, 'tz.json') }).timezoneTable
  }

  it('replaces the built-in timezone table', () => {
    const table = read(LATER)
    expect(table.version).toBe('2099a')
    expect(table.zone('Japan').offsetMsAt(Date.UTC(2021, 0, 1))).toBe(10 * HOUR)
    expect(readConfig({}).timezoneTable).toBe(tzdb)
    expect(readConfig({ TERCE_TZDB: ' ' }).timezoneTable).toBe(tzdb)
  })

  const { Japan: _, ...links } = builtIn.links
  it.each([
    ['is not JSON', '{', /is not usable\. It is not JSON\. Build it with npm run tzdb\.$/],
    [
      'is not a timezone table',
      {},
      /is not usable\. Timezone table: "version" must be an IANA release such as "2026f"\.$/,
    ],
    [
      'has a broken zone',
      { ...LATER, zones: { ...LATER.zones, 'Asia/Tokyo': '32400|' } },
      /is not usable\. Timezone table: zone "Asia\/Tokyo" is incomplete\./,
    ],
    [
      'is older',
      { ...builtIn, version: '2025c' },
      /It holds IANA 2025c, and \w+ is built in\. Leave it out\.$/,
    ],
    [
      'lacks a timezone',
      { ...LATER, links },
      /It lacks 1 name of the built-in table: Japan\. Build it with npm run tzdb\.$/,
    ],
    [
      'lacks many timezones',
      { ...LATER, links: {} },
      /It lacks \d{3} names of the built-in table, Africa\/Accra among them\. Build it with npm run tzdb\.$/,
    ],
  ])('is rejected in one line if it %s', (_, content, why) => {
    expect(() => read(content)).toThrow(why)
    expect(() => read(content)).toThrow(/^[^\n]*$/)
  })

  it('is rejected if it is a folder', () => {
    expect(() => readConfig({ TERCE_TZDB: database.folder })).toThrow(
      /is not usable\. It cannot be read \(EISDIR\)\.$/,
    )
  })
})
