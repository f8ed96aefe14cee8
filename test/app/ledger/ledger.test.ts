// The ledger over a real engine: who is found to be missed, what a repair does, how days are closed, and who hears of it.

import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, it } from 'vitest'
import { checkPlans } from '../../../src/app/ledger/check-plans.ts'
import { closeDays } from '../../../src/app/ledger/close-days.ts'
import { keepLedger, startLedger } from '../../../src/app/ledger/keep-ledger.ts'
import { countMissed } from '../../../src/app/ledger/missed.ts'
import { readDay, readToday } from '../../../src/app/ledger/read-ledger.ts'
import { repair } from '../../../src/app/ledger/repair.ts'
import { type Reporting, reportDays } from '../../../src/app/ledger/report.ts'
import { pauseOccasion } from '../../../src/app/occasions/occasions.ts'
import type { ChannelRecord, ChannelSettings } from '../../../src/domain/settings/channel.ts'
import type { Delivery } from '../../../src/ports/channel.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { createWorld, type World } from '../../engine/support/world.ts'
import { DAY, DELIVERED, HOUR, MINUTE, UNAVAILABLE } from '../../support/fixtures.ts'

const START = '2026-06-14T20:00:00Z'
const DUE = Date.parse('2026-06-15T09:00:00Z')
const BIRTHDAY = '2026-06-15'

const REJECTED = { kind: 'permanent', error: 'HTTP 422', statusCode: 422 } as const

let world: World
let database: DatabaseSync
afterEach(async () => {
  database.close()
  await world.close()
})

/** A world on a file, whose rows a test can change behind the store's back. */
function begin(start = START): void {
  const file = join(mkdtempSync(join(tmpdir(), 'terce-ledger-')), 'terce.db')
  world = createWorld(start, openSqliteStore(file))
  database = new DatabaseSync(file)
}

const missed = async () => {
  const counts = await countMissed(world.store, world.clock.now())
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
}
const check = () => checkPlans(world.app)
const repaired = (dryRun = false) => repair(world.app, { dryRun })

describe('the check of all plans', () => {
  it('finds nothing while everybody is planned, paused or due', async () => {
    begin()
    const { occasions } = await world.add()
    await pauseOccasion(world.app, occasions[0]!.id)
    await world.add({ timezone: 'Pacific/Kiritimati', dateOfBirth: '1992-02-29' })
    await check()
    await world.clock.jumpTo(DUE + MINUTE)
    await world.add({ dateOfBirth: '1990-06-15', firstName: 'Bo' })
    await world.clock.advance(2 * HOUR)
    await check()
    expect(await missed()).toEqual({})
  })

  it('finds a person without an event, and the repair plans the message, which arrives', async () => {
    begin()
    const { events, occasions, user } = await world.add()
    database.exec('DELETE FROM events')
    await check()
    expect(await missed()).toEqual({ UNPLANNED: 1 })
    expect((await readToday(world.app)).lines).toMatchObject([
      {
        kind: 'problem',
        reason: 'UNPLANNED',
        occasionId: occasions[0]!.id,
        userId: user.id,
        expectedAt: DUE,
      },
    ])
    expect(await repaired(true)).toEqual([{ occasionId: occasions[0]!.id, result: 'planned' }])
    expect(await world.events(user.id)).toEqual([])
    await repaired()
    expect(await missed()).toEqual({})
    expect((await world.events(user.id)).map(({ targetAt }) => targetAt)).toEqual([events[0]!.targetAt])
    world.start()
    await world.clock.jumpTo(DUE)
    await world.clock.advance(MINUTE)
    expect(world.channel.sent).toHaveLength(1)
  })

  it.each([
    [
      'is due at another instant',
      `UPDATE events SET target_at = target_at + 3600000, wake_at = wake_at + 3600000`,
    ],
    [
      'is for a later year',
      `UPDATE events SET occurrence = '2027', target_at = target_at + 31536000000, wake_at = wake_at + 31536000000`,
    ],
    ['cannot be claimed until long after it is due', `UPDATE events SET wake_at = wake_at + 86400000`],
    ['belongs to a paused occasion', `UPDATE occasions SET paused_at = 1`],
  ])('finds an event that %s, and the repair puts it right', async (_, sql) => {
    begin()
    await world.add()
    database.exec(sql)
    await check()
    expect(await missed()).toEqual({ MISPLANNED: 1 })
    await repaired()
    await world.clock.advance(2 * HOUR)
    await check()
    expect(await missed()).toEqual({})
  })

  it('finds two planned events of an occasion, which the repair leaves', async () => {
    begin()
    const { occasions } = await world.add()
    database.exec(`INSERT INTO events SELECT substr(id, 1, 35) || 'x', occasion_id, '2027', status, target_at + 31536000000, offset_seconds, timezone,
      tz_version, lane, wake_at + 31536000000, lease_until, lease_batch, claimed_by, claimed_at, retry_count, version, plan_revision,
      replay_of, own_key, executed_at, status_code, failure_code, last_error, channel_id, exchange, created_at, updated_at FROM events`)
    await check()
    expect(await missed()).toMatchObject({ TWO_PLANNED: 1 })
    expect(await repaired()).toContainEqual({ occasionId: occasions[0]!.id, result: 'left' })
  })

  it('goes on where it was stopped, and begins again after an hour', async () => {
    begin()
    for (const firstName of ['Ada', 'Bo', 'Cy']) await world.add({ firstName })
    const cursor = async () => (await world.store.findLedgerCheck())!.cursor
    const one = { pageSize: 1, mayContinue: () => false }
    await checkPlans(world.app, one)
    const first = await cursor()
    await checkPlans(world.app, one)
    expect([first, await cursor()]).toEqual([expect.any(String), expect.any(String)])
    expect(await cursor()).not.toBe(first)
    await checkPlans(world.app, one)
    const { checkedAt, startedAt } = (await world.store.findLedgerCheck())!
    expect([await cursor(), checkedAt]).toEqual([null, world.clock.now()])
    database.exec('DELETE FROM events')
    await world.clock.advance(HOUR - 1)
    await check()
    expect(await missed()).toEqual({})
    await world.clock.advance(1)
    await check()
    expect(await missed()).toEqual({ UNPLANNED: 3 })
    expect((await world.store.findLedgerCheck())!.startedAt).toBe(startedAt + HOUR)
  })
})

describe('an event that is due', () => {
  it('is found when nobody claims it for ten minutes, and has the name of its person', async () => {
    begin()
    await world.add()
    await world.clock.jumpTo(DUE + 10 * MINUTE)
    expect(await missed()).toEqual({ STUCK: 1 })
    const { lines } = await readToday(world.app)
    expect(lines).toMatchObject([{ reason: 'STUCK', firstName: 'Ada', dueAt: DUE }])
  })

  it('is not found while its channel is held, and is found after the end of the hold', async () => {
    begin()
    await world.add()
    const crm = channel('crm', { kind: 'webhook', url: 'https://a.example' })
    await world.store.saveChannel(crm)
    await world.clock.jumpTo(DUE + HOUR)
    expect(await missed()).toEqual({ STUCK: 1 })
    const heldUntil = DUE + 2 * HOUR
    await world.store.holdDestination({ channelId: crm.id, heldAt: DUE, heldUntil, heldBy: null })
    expect(await missed()).toEqual({})
    await world.clock.jumpTo(heldUntil)
    expect(await missed()).toEqual({ STUCK: 1 })
    database.exec(`UPDATE channels SET status = 'HELD'`)
    expect(await missed()).toEqual({})
  })
})

describe('a day', () => {
  it('is closed at 12:00 UTC of the next day, with counts that add up to the messages that were due', async () => {
    begin()
    await check()
    const [ada, bo] = [await world.add(), await world.add({ firstName: 'Bo' })]
    for (const firstName of ['Cy', 'Di']) await world.add({ firstName })
    world.channel.script(ada.events[0]!.id, REJECTED)
    world.channel.script(bo.events[0]!.id, UNAVAILABLE)
    world.start()
    await world.clock.jumpTo(DUE)
    await world.clock.advance(30 * MINUTE)
    await world.clock.jumpTo(Date.parse(BIRTHDAY) + 1.5 * DAY - 1)
    await closeDays(world.app)
    expect((await world.store.listLedgerDays({ limit: 9 })).map(({ day }) => day)).toEqual(['2026-06-14'])
    await world.clock.advance(1)
    database.exec(`UPDATE events SET status = 'UNKNOWN', failure_code = NULL, executed_at = NULL
      WHERE id = (SELECT max(id) FROM events WHERE status = 'COMPLETED')`)
    await closeDays(world.app)
    const [day] = await world.store.listLedgerDays({ limit: 1 })
    expect(day).toMatchObject({ day: BIRTHDAY, due: 4, failed: 1, codes: { 'HTTP 422': 1 } })
    expect(day!.onTime + day!.late).toBe(2)
    expect(await missed()).toMatchObject({ UNACCOUNTED: 1 })
    expect(world.notices.filter(({ kind }) => kind === 'ledger')).toHaveLength(2)
    const account = await readDay(world.app, BIRTHDAY)
    expect(account.kind === 'found' && account.lines).toMatchObject([{ kind: 'failure', reason: 'HTTP 422' }])
    database.exec(`UPDATE events SET failure_code = 'MISSED_WINDOW' WHERE failure_code IS NOT NULL`)
    expect(await readDay(world.app, BIRTHDAY)).toMatchObject({ lines: [] })
    expect(await readDay(world.app, '2026-06-13')).toMatchObject({ kind: 'unknown' })
  })
})

function channel(name: string, settings: { kind: string; url?: string }): ChannelRecord {
  const limits = { perSecond: null, concurrency: null }
  return {
    ...{ id: world.planner.ids(world.clock.now()), name, secrets: [], defaultSince: 1, status: 'ACTIVE' },
    ...{ statusReason: null, version: 1, createdAt: 1, updatedAt: 1 },
    settings: { ...limits, ...settings } as ChannelSettings,
  }
}

it('a day is closed although the plans cannot be checked', async () => {
  begin()
  await check()
  await world.clock.jumpTo(Date.parse(BIRTHDAY) + 1.5 * DAY)
  const store = { ...world.store, listPeople: () => Promise.reject(new Error('unreadable')) }
  await keepLedger({ ...world.app, store, reporting: null }, () => true)
  expect(await world.store.listLedgerDays({ limit: 1 })).toMatchObject([{ day: BIRTHDAY }])
})

describe('the report of a closed day', () => {
  async function closeYesterday(): Promise<void> {
    begin()
    await check()
    const { events } = await world.add({ firstName: 'Ana', lastName: 'Silva' })
    world.channel.script(events[0]!.id, REJECTED)
    world.start()
    await world.clock.jumpTo(DUE)
    await world.clock.advance(MINUTE)
    await world.clock.jumpTo(Date.parse(BIRTHDAY) + 1.5 * DAY)
    await check()
    await closeDays(world.app)
  }

  /** What a channel of that kind sends; the first attempt is rejected. */
  function reportingTo(
    to: string,
    settings: { kind: string; url?: string },
  ): Reporting & { sent: Delivery[] } {
    const sent: Delivery[] = []
    const deliver = async (delivery: Delivery) => (sent.push(delivery) === 1 ? UNAVAILABLE : DELIVERED)
    const store = { listChannels: async () => [channel('crm', settings)] }
    return { to, sent, store, open: () => ({ deliver, close: async () => {} }) }
  }

  it('is sent to a webhook channel until it is accepted, under one key, and names who failed', async () => {
    await closeYesterday()
    const reporting = reportingTo('crm', { kind: 'webhook', url: 'https://a.example' })
    for (let run = 0; run < 3; run++) await keepLedger({ ...world.app, reporting }, () => true)
    expect(world.notices).toContainEqual(expect.objectContaining({ operation: 'ledger-report' }))
    expect(JSON.stringify(world.notices)).not.toContain('Silva')
    const ofDay = reporting.sent.filter(({ idempotencyKey }) => idempotencyKey === `ledger-${BIRTHDAY}`)
    expect(ofDay.length).toBeGreaterThan(0)
    expect(new Set(reporting.sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(2)
    expect(JSON.parse(ofDay.at(-1)!.body)).toMatchObject({
      ...{ type: 'LEDGER_REPORT', day: BIRTHDAY, due: 1, failed: 1, missed: 0 },
      text: `${BIRTHDAY}: 1 due, 1 failed (Ana Silva: the receiver responded with HTTP 422). Nobody was missed.`,
    })
  })

  it('is sent to an e-mail address over the mail channel, also when nobody was due', async () => {
    begin()
    await check()
    await world.clock.jumpTo(Date.parse(BIRTHDAY) + DAY / 2)
    await check()
    await closeDays(world.app)
    const reporting = reportingTo('ops@example.com', { kind: 'smtp' })
    await expect(reportDays(world.app, reporting)).rejects.toThrow(/not accepted/)
    await reportDays(world.app, reporting)
    const mail = JSON.parse(reporting.sent.at(-1)!.body)
    expect(mail).toMatchObject({
      to: 'ops@example.com',
      subject: 'Terce, 2026-06-14: Nobody was missed.',
      text: '2026-06-14: 0 due. Nobody was missed.',
    })
  })

  it('is sent once, where the dashboard says, although two workers send reports', async () => {
    await closeYesterday()
    const reporting = { ...reportingTo('', { kind: 'webhook', url: 'https://a.example' }), to: null }
    await reportDays(world.app, reporting)
    await world.store.saveReportTarget('crm')
    await expect(reportDays(world.app, reporting)).rejects.toThrow(/not accepted/)
    await Promise.all([reportDays(world.app, reporting), reportDays(world.app, reporting)])
    const [, ...keys] = reporting.sent.map(({ idempotencyKey }) => idempotencyKey)
    expect(keys).toEqual([...new Set(keys)])
  })

  it('fails with the name of a channel that does not exist, and never with an address', async () => {
    await closeYesterday()
    const wrong = reportingTo('nowhere', { kind: 'webhook', url: 'https://a.example' })
    await expect(reportDays(world.app, wrong)).rejects.toThrow('No channel sends reports to nowhere.')
    const none = reportingTo('ops@example.com', { kind: 'webhook', url: 'https://a.example' })
    await expect(reportDays(world.app, none)).rejects.toThrow('No channel sends reports to ***.')
  })
})

it('is kept each minute beside an engine, a page at a time while that is busy, until it is stopped', async () => {
  begin()
  await world.add()
  const stop = startLedger({ ...world.app, reporting: null }, () => true)
  await world.clock.advance(MINUTE)
  database.exec('DELETE FROM events')
  await world.clock.advance(2 * HOUR)
  expect(await missed()).toEqual({ UNPLANNED: 1 })
  await stop()
  const last = await world.store.findLedgerCheck()
  await world.clock.advance(2 * HOUR)
  expect(await world.store.findLedgerCheck()).toEqual(last)
})

it('takes more of each minute for a pass that takes longer than an hour', async () => {
  begin()
  let pages = 0
  // A page takes a second, and there is always another one.
  const listPeople: World['store']['listPeople'] = async () => {
    await new Promise<void>((resolve) => world.clock.after(1_000, resolve))
    return { items: [], nextCursor: `page ${++pages}` }
  }
  const stop = startLedger({ ...world.app, store: { ...world.store, listPeople }, reporting: null })
  const pagesIn = async (ms: number) => {
    const before = pages
    await world.clock.advance(ms)
    return pages - before
  }
  expect(await pagesIn(HOUR)).toBeLessThan(150)
  expect(await pagesIn(10 * MINUTE)).toBeGreaterThan(100)
  await Promise.all([stop(), world.clock.advance(MINUTE)])
})
