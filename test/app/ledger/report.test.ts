// The reports of closed days over HTTP: each day reaches the receiver signed, in order, until it is accepted once.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PostReport } from '../../../src/app/ledger/ledger-deps.ts'
import { reportDays } from '../../../src/app/ledger/report.ts'
import { startClosing } from '../../../src/app/ledger/start-closing.ts'
import { createNodeDial } from '../../../src/channels/dial/node-dial.ts'
import { missedAfter } from '../../../src/domain/events/lateness.ts'
import { type DayReport, NO_PREVIOUS } from '../../../src/domain/ledger/day-hash.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { Notice } from '../../../src/ports/telemetry.ts'
import { verify } from '../../../src/receiver/verify.ts'
import { createPostReport } from '../../../src/runtimes/ledger.ts'
import { type Sink, startSink } from '../../runtimes/support/sink.ts'
import { createTestClock, MINUTE } from '../../support/fixtures.ts'
import { until } from '../../support/until.ts'
import { openClosedDays } from './support/closed-days.ts'
import { DAY, type Installation, openInstallation } from './support/installation.ts'

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const FIRST_DAYS = ['2026-11-14', '2026-11-15', '2026-11-16']
const NOW = Date.parse('2026-11-18T12:00:00Z')

let sink: Sink
let status: number
let notices: Notice[]
let postReport: PostReport | null
beforeEach(async () => {
  status = 200
  notices = []
  sink = await startSink((response) => response.writeHead(status, { location: '/elsewhere' }).end('ok'))
  postReport = post(sink.url)
})
afterEach(() => sink.close())

const post = (ledgerUrl: string, access: 'any' | 'public' = 'any') =>
  createPostReport(createNodeDial(access), { ledgerUrl, ledgerSecrets: [SECRET] }, createTestClock(NOW))
const telemetry = (notice: Notice) => void notices.push(notice)
const reports = () => sink.arrivals.map(({ body }) => JSON.parse(body) as DayReport)
const reported = () => reports().map(({ day }) => day)

describe('a worker that closes days', () => {
  let installation: Installation
  beforeEach(async () => {
    installation = await openInstallation()
    installation.alter('birthday', ['DELETE FROM events WHERE id = :event'])
  })
  afterEach(() => installation.stop())

  const start = (clock: Clock, store = installation.store) =>
    startClosing({ ...installation.deps, store, clock, telemetry, postReport }, missedAfter(null))

  it('posts every closed day with the fields of its log line, once over restarts', async () => {
    const clock = createTestClock(Date.parse('2027-03-13T13:00:00Z'))
    const stop = start(clock)
    await sink.waitFor(5)
    await stop()
    await start(clock)()
    expect(reported()).toEqual(['2027-03-08', '2027-03-09', '2027-03-10', '2027-03-11', DAY])
    expect(reports().at(-1)).toMatchObject({ day: DAY, people: 13, owed: 12, unexplained: 1, surplus: 0 })
    const closed = notices.filter(({ kind }) => kind === 'ledger')
    expect(closed).toEqual([{ kind: 'ledger', ...reports().at(-1) }])
    expect(notices.filter(({ kind }) => kind === 'error')).toEqual([])
  })

  it('posts again ten minutes after the receiver failed, also while the next day cannot be closed', async () => {
    const clock = createTestClock(Date.parse('2027-03-14T13:00:00Z'))
    const { store } = installation
    const openLedgerDay: typeof store.openLedgerDay = async (day) => {
      if (day.day > DAY) throw new Error('The disk is full.')
      return store.openLedgerDay(day)
    }
    status = 503
    const stop = start(clock, { ...store, openLedgerDay })
    await until(
      'closing and reporting failed',
      () => notices.flatMap((notice) => (notice.kind === 'error' ? [notice.operation] : [])),
      (failed) => failed.join() === 'close-day,ledger-report',
    )
    status = 200
    await clock.advance(10 * MINUTE)
    await sink.waitFor(6)
    await stop()
    expect(reported()).toEqual(['2027-03-08', '2027-03-08', '2027-03-09', '2027-03-10', '2027-03-11', DAY])
  })

  it('waits before each page while the engine is busy, two seconds at a time, and stops at once', async () => {
    const clock = createTestClock(Date.parse('2027-03-13T13:00:00Z'))
    let isBusy = true
    let asked = 0
    const isClosed = async () => (await installation.store.listLedgerDays({ limit: 1 }))[0]!.closedAt !== null
    const begin = () =>
      startClosing({ ...installation.deps, clock, telemetry, postReport: null }, missedAfter(null), () => {
        asked += 1
        return isBusy
      })
    const untilAsked = (times: number) =>
      until(
        'the engine is asked',
        () => asked,
        (count) => count >= times,
      )
    const stopAtOnce = begin()
    await untilAsked(1)
    await stopAtOnce()
    const stop = begin()
    await untilAsked(2)
    await clock.advance(1_999)
    expect([asked, await isClosed()]).toEqual([2, false])
    await clock.advance(1)
    await untilAsked(3)
    isBusy = false
    await clock.advance(2_000)
    await until('the day is closed', isClosed, Boolean)
    await stop()
  })
})

/** Three closed days. */
async function openDays() {
  const opened = await openClosedDays()
  const { store } = opened
  const clock = createTestClock(NOW)
  const check = (mayContinue = () => true) => reportDays({ store, clock, telemetry, postReport }, mayContinue)
  return { ...opened, check }
}

describe('a check', () => {
  it('posts every closed day once, the oldest first: numbers and its hash, chained to the one before', async () => {
    const { check, saveLines, closed } = await openDays()
    await saveLines('2026-11-17', [])
    await check()
    await check()
    expect(notices).toEqual([])
    const hashes = closed.map(({ day }) => day.hash)
    const chain = [NO_PREVIOUS, ...hashes]
    expect(reports()).toEqual(
      FIRST_DAYS.map((day, i) => ({
        ...{ day, hash: hashes[i], previous: chain[i], people: 1_000, owed: 5, delivered: 3, failed: 1 },
        ...{ late: 0, early: 0, excused: 1, open: 0, unexplained: 0, surplus: 0, carried: 0 },
      })),
    )
  })

  it('signs a report as a webhook, under a key that is the same for each attempt', async () => {
    const { check } = await openDays()
    await check()
    const [{ headers, body }] = sink.arrivals as [(typeof sink.arrivals)[0]]
    const verified = await verify<DayReport>({ headers, body, secrets: [SECRET], now: NOW })
    expect(verified).toEqual({ kind: 'verified', key: 'ledger-2026-11-14', message: reports()[0] })
  })

  it.each([500, 302])('posts again what the receiver rejected with %s', async (rejected) => {
    const { store, check } = await openDays()
    status = rejected
    await check()
    expect(reported()).toEqual(FIRST_DAYS.slice(0, 1))
    const error = { operation: 'ledger-report', error: { code: `HTTP_${rejected}` }, retryInMs: null }
    expect(notices).toMatchObject([{ kind: 'error', ...error }])
    status = 204
    await check()
    expect(reported()).toEqual(['2026-11-14', ...FIRST_DAYS])
    const days = await store.listLedgerDays({ limit: 10 })
    expect(days.map(({ reportedAt }) => reportedAt)).toEqual(Array(3).fill(NOW))
  })

  it('reports a receiver that cannot be reached, and a target that the guard forbids', async () => {
    const { check } = await openDays()
    postReport = post('http://127.0.0.1:9/')
    await check()
    postReport = post(sink.url, 'public')
    await check()
    expect(notices).toMatchObject(Array(2).fill({ kind: 'error', operation: 'ledger-report' }))
    expect(reported()).toEqual([])
  })

  it('posts one report if its time is up, and the next check posts the next one', async () => {
    const { check } = await openDays()
    await check(() => false)
    expect(reported()).toEqual(['2026-11-14'])
    await check(() => false)
    expect(reported()).toEqual(['2026-11-14', '2026-11-15'])
  })

  it('posts nothing without an address, and earlier days once there is one', async () => {
    const { check } = await openDays()
    postReport = null
    await check()
    expect(reported()).toEqual([])
    postReport = post(sink.url)
    await check()
    expect(reported()).toEqual(FIRST_DAYS)
  })
})
