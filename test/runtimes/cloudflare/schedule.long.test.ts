// Runs of the cron trigger on a real D1 whose queries are limited as in one call of a Worker, while the rules of a timezone
// with many people change.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { replan } from '../../../src/app/timezones/replan.ts'
import { createIds } from '../../../src/domain/events/uuid.ts'
import { loadTimezoneTable } from '../../../src/domain/time/tzdb.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { NewPerson } from '../../../src/ports/store.ts'
import type { Notice } from '../../../src/ports/telemetry.ts'
import { createReplanOnRequest } from '../../../src/runtimes/cloudflare/replan-on-request.ts'
import { createSchedule, type SchedulerParts } from '../../../src/runtimes/cloudflare/schedule.ts'
import { readConfig } from '../../../src/runtimes/config/config.ts'
import { engineDepsOf, type Runtime } from '../../../src/runtimes/shared/serverless.ts'
import type { D1Database } from '../../../src/stores/d1/binding.ts'
import { openD1Store } from '../../../src/stores/d1/d1-store.ts'
import { countQueries } from '../../../src/stores/d1/query-count.ts'
import { create } from '../../contracts/store/steps.ts'
import { onlyDestination } from '../../support/fixed-parts.ts'
import { DAY, DELIVERED, HOUR, MINUTE, makePeople, SECOND } from '../../support/fixtures.ts'
import { type D1InWorkerd, startD1 } from '../../support/workerd/d1.ts'
import { limitedD1 } from './support/limited-d1.ts'

/** What Cloudflare allows in one call. */
const LIMIT = 1_000
/** Small, so that few people take as many queries as two million. */
const PAGE = 2

const UTC = '0|0|'
const WEST = '-3600|0|'
const OLD = loadTimezoneTable({ version: '2026f', zones: { 'Sea/Late': UTC, 'Sea/Same': UTC }, links: {} })
const NEW = loadTimezoneTable({ version: '2026g', zones: { 'Sea/Late': WEST, 'Sea/Same': UTC }, links: {} })

const NINE = Date.parse('2027-06-01T09:00:00Z')
const START = NINE - 2 * MINUTE

let d1: D1InWorkerd
beforeAll(async () => {
  d1 = await startD1()
})
afterEach(() => d1.empty())
afterAll(() => d1.stop())

/** A clock that jumps to the end of each wait. */
function jumpingClock(): Clock & { set(at: number): void } {
  let now = START
  return {
    now: () => now,
    elapsedMs: () => now,
    set(at) {
      now = Math.max(now, at)
    },
    after(ms, callback) {
      const timer = setTimeout(() => {
        now += ms
        callback()
      })
      return { cancel: () => clearTimeout(timer) }
    },
  }
}

type Sent = { eventId: string; at: number }

/** An isolate with the newer table. `binding` gives the database of a call. */
function createIsolate(clock: Clock, binding: () => D1Database) {
  const [sent, notices]: [Sent[], Notice[]] = [[], []]
  const home: Runtime = {
    config: readConfig({}, { LEASE_MS: String(20 * MINUTE) }),
    store: openD1Store(d1.db),
    clock,
    dice: Math.random,
    planner: { ids: createIds(Math.random), table: NEW },
    telemetry: (notice) => void notices.push(notice),
    flushMetrics() {},
    ping: async () => {},
    reporting: null,
    databaseSize: () => null,
    destinations: onlyDestination({ deliver: async () => DELIVERED, close: async () => {} }),
  }
  const queue: SchedulerParts['flow']['queue'] = {
    async send(refs) {
      sent.push(...refs.map(({ eventId }) => ({ eventId, at: clock.now() })))
      return { failed: [], error: null }
    },
  }
  const parts: SchedulerParts = {
    ...home,
    logger: { info() {} },
    flow: { ...engineDepsOf(home), queue },
    keepMs: null,
    openCounted() {
      const { db, count } = countQueries(binding())
      return { store: openD1Store(db), queries: count }
    },
  }
  const run = createSchedule(parts, { pageSize: PAGE })
  return { run, request: createReplanOnRequest(parts, { pageSize: PAGE }), sent, notices }
}

/** People whose events are planned by the older table: `many` throughout the next 200 days, ten at nine today. */
async function populate(many: number): Promise<{ late: NewPerson[]; same: NewPerson[] }> {
  const store = openD1Store(d1.db)
  const deps = { store, planner: { ids: createIds(Math.random), table: OLD }, telemetry() {}, onPlanned() {} }
  await replan({ ...deps, clock: jumpingClock() }, { check: 'recent' })
  const late = makePeople(many + 10, (index) => {
    const targetAt = NINE + Math.max(0, index - 9) * ((200 * DAY) / many)
    const nineThen = Math.floor((targetAt - NINE) / DAY) * DAY + NINE
    return {
      timezone: 'Sea/Late',
      targetAt: nineThen,
      dateOfBirth: dateOf(nineThen),
      occurrence: yearOf(nineThen),
    }
  })
  // Three in each minute of the test.
  const same = makePeople(30, (index) => ({
    timezone: 'Sea/Same',
    targetAt: START + Math.floor(index / 3) * MINUTE + 10 * SECOND,
  }))
  await create(store, ...late, ...same)
  return { late, same }
}

const dateOf = (at: number) => `1992-${new Date(at).toISOString().slice(5, 10)}`
const yearOf = (at: number) => new Date(at).toISOString().slice(0, 4)

async function targets(people: readonly NewPerson[]): Promise<number[]> {
  const rows = await d1.db.prepare('SELECT id, target_at FROM events').raw()
  const byId = new Map(rows as [string, number][])
  return people.map(({ events }) => byId.get(events[0]!.id)!)
}

describe('a timezone whose move takes more queries than a call may make', () => {
  it('is moved over several runs, each of which hands over on time what is due elsewhere', async () => {
    const { late, same } = await populate(700)
    const clock = jumpingClock()
    let limited = limitedD1(d1.db, LIMIT)
    let isolate = createIsolate(clock, () => limited.db)
    const sent: Sent[] = []
    let runs = 0
    for (let isMoved = false; !isMoved; runs += 1) {
      expect(runs).toBeLessThan(8)
      // A second isolate, and a run in which D1 rejects every query from the middle of the replan on.
      if (runs === 1) isolate = createIsolate(clock, () => limited.db)
      limited = limitedD1(d1.db, runs === 1 ? 400 : LIMIT)
      const beganAt = START + runs * MINUTE
      clock.set(beganAt)
      await isolate.run(beganAt)
      const errors = isolate.notices.splice(0).filter(({ kind }) => kind === 'error')
      if (runs === 1) expect(errors).not.toEqual([])
      else {
        expect(errors).toEqual([])
        expect(limited.used()).toBeLessThanOrEqual(LIMIT)
      }
      sent.push(...isolate.sent.splice(0))
      const due = same.filter(({ events }) => events[0]!.targetAt < beganAt + 50 * SECOND)
      expect(new Set(sent.map(({ eventId }) => eventId))).toEqual(
        new Set(due.map(({ events }) => events[0]!.id)),
      )
      const [record] = (await openD1Store(d1.db).listZones()).filter(({ name }) => name === 'Sea/Late')
      isMoved = record!.version === '2026g'
    }
    expect(runs).toBeGreaterThan(2)
    for (const { eventId, at } of sent) {
      const { targetAt } = same.flatMap(({ events }) => events).find(({ id }) => id === eventId)!
      expect(at - targetAt).toBeLessThan(3 * SECOND)
    }
    expect(await targets(late)).toEqual(late.map(({ events }) => events[0]!.targetAt + HOUR))
  })

  it('is moved in part by a request, and then by the runs of an isolate that had nothing left to move', async () => {
    const { late } = await populate(500)
    // Checked twice, and planned by an isolate of the previous release since.
    const change = { previousRules: UTC, previousVersion: '2026f', changedAt: START - DAY }
    const record = { name: 'Sea/Late', rules: WEST, version: '2026g', replanCursor: '2026g done' }
    await openD1Store(d1.db).saveZones([{ ...record, ...change }])
    const clock = jumpingClock()
    let limited = limitedD1(d1.db, LIMIT)
    const scheduler = createIsolate(clock, () => limited.db)
    const runAt = async (at: number) => {
      limited = limitedD1(d1.db, LIMIT)
      clock.set(at)
      await scheduler.run(at)
    }
    const countMoved = async () =>
      (await targets(late)).filter((at, i) => at === late[i]!.events[0]!.targetAt + HOUR).length
    await runAt(START - HOUR)
    expect(await countMoved()).toBe(0)

    limited = limitedD1(d1.db, LIMIT)
    const report = await createIsolate(clock, () => limited.db).request({ dryRun: false })
    expect(limited.used()).toBeLessThanOrEqual(LIMIT)
    const moved = await countMoved()
    expect(moved).toBeLessThan(late.length)
    expect(report).toMatchObject({ complete: false, failed: 0, zones: [{ zone: 'Sea/Late', moved }] })
    for (let minute = 1; minute <= 5; minute += 1) await runAt(START - HOUR + minute * MINUTE)
    expect(await countMoved()).toBe(late.length)
    expect(scheduler.notices.filter(({ kind }) => kind === 'error')).toEqual([])
  })
})
