// The alarm of the ledger over HTTP: each unsound day reaches the receiver, and is reported once.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type PostAlarm, raiseAlarms } from '../../../src/app/ledger/alarm.ts'
import { startClosing } from '../../../src/app/ledger/start-closing.ts'
import { createNodeDial } from '../../../src/channels/dial/node-dial.ts'
import { missedAfter } from '../../../src/domain/events/lateness.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import type { Notice } from '../../../src/ports/telemetry.ts'
import { createPostAlarm } from '../../../src/runtimes/ledger-alarm.ts'
import { type Sink, startSink } from '../../runtimes/support/sink.ts'
import { createTestClock, MINUTE } from '../../support/fixtures.ts'
import { until } from '../../support/until.ts'
import { openClosedDays } from './support/closed-days.ts'
import { DAY, type Installation, openInstallation } from './support/installation.ts'

let sink: Sink
let status: number
let notices: Notice[]
let postAlarm: PostAlarm | null
beforeEach(async () => {
  status = 200
  notices = []
  sink = await startSink((response) => response.writeHead(status, { location: '/elsewhere' }).end('ok'))
  postAlarm = createPostAlarm(createNodeDial('any'), sink.url)
})
afterEach(() => sink.close())

const telemetry = (notice: Notice) => void notices.push(notice)
const reported = () => sink.arrivals.map(({ body }) => (JSON.parse(body) as { day: string }).day)

describe('a worker that closes days', () => {
  let installation: Installation
  beforeEach(async () => {
    installation = await openInstallation()
    installation.alter('birthday', ['DELETE FROM events WHERE id = :event'])
  })
  afterEach(() => installation.stop())

  const start = (clock: Clock, store = installation.store) =>
    startClosing({ ...installation.deps, store, clock, telemetry, postAlarm }, missedAfter(null))

  it('posts the counts of a day with an unexplained message, once over restarts', async () => {
    const clock = createTestClock(Date.parse('2027-03-13T13:00:00Z'))
    const stop = start(clock)
    await sink.waitFor(1)
    await stop()
    await start(clock)()
    expect(sink.arrivals.map(({ headers }) => headers['content-type'])).toEqual(['application/json'])
    expect(JSON.parse(sink.arrivals[0]!.body)).toMatchObject({
      day: DAY,
      owed: 12,
      unexplained: 1,
      surplus: 0,
    })
    expect(notices.filter(({ kind }) => kind === 'error')).toEqual([])
  })

  it('posts it again ten minutes after the receiver failed', async () => {
    const clock = createTestClock(Date.parse('2027-03-13T13:00:00Z'))
    status = 503
    const stop = start(clock)
    await until(
      'the check reports an error',
      () => notices,
      (seen) => seen.some(({ kind }) => kind === 'error'),
    )
    status = 200
    await clock.advance(10 * MINUTE)
    await sink.waitFor(2)
    await stop()
    expect(reported()).toEqual([DAY, DAY])
  })

  it('posts it although the next day cannot be closed', async () => {
    const clock = createTestClock(Date.parse('2027-03-14T13:00:00Z'))
    const { store } = installation
    const openLedgerDay: typeof store.openLedgerDay = async (day) => {
      if (day.day > DAY) throw new Error('The disk is full.')
      return store.openLedgerDay(day)
    }
    const stop = start(clock, { ...store, openLedgerDay })
    await sink.waitFor(1)
    await stop()
    expect(reported()).toEqual([DAY])
    expect(notices.filter(({ kind }) => kind === 'error')).toMatchObject([{ operation: 'close-day' }])
  })
})

/** Two unsound days, and a sound one after each. */
async function openUnsound() {
  const { store, linesFor, closeDay } = await openClosedDays()
  const close = (day: string, column: 'surplus' | 'unexplained' | 'delivered') =>
    closeDay(day, linesFor(day, ['delivered', column]))
  await close('2026-11-17', 'unexplained')
  await close('2026-11-18', 'delivered')
  await close('2026-11-19', 'surplus')
  await close('2026-11-20', 'delivered')
  const clock = createTestClock(Date.parse('2026-11-21T12:00:00Z'))
  const check = (mayContinue = () => true) => raiseAlarms({ store, clock, telemetry, postAlarm }, mayContinue)
  return { store, check }
}

describe('a check', () => {
  it('posts every unsound day, the oldest first, and none again', async () => {
    const { check } = await openUnsound()
    await check()
    expect(reported()).toEqual(['2026-11-17', '2026-11-19'])
    await check()
    expect(reported()).toHaveLength(2)
    expect(notices).toEqual([])
  })

  it.each([500, 404, 302])('posts again what the receiver rejected with %s', async (rejected) => {
    const { store, check } = await openUnsound()
    status = rejected
    await check()
    expect(reported()).toEqual(['2026-11-17'])
    const error = { operation: 'ledger-alarm', error: { code: `HTTP_${rejected}` }, retryInMs: null }
    expect(notices).toMatchObject([{ kind: 'error', ...error }])
    status = 204
    await check()
    expect(reported()).toEqual(['2026-11-17', '2026-11-17', '2026-11-19'])
    const unsound = await store.listLedgerDays({ unsound: true, limit: 10 })
    expect(unsound.map(({ alarmedAt }) => alarmedAt)).toEqual(
      Array(2).fill(Date.parse('2026-11-21T12:00:00Z')),
    )
  })

  it('reports a receiver that cannot be reached, and a target that the guard forbids', async () => {
    const { check } = await openUnsound()
    postAlarm = createPostAlarm(createNodeDial('any'), 'http://127.0.0.1:9/')
    await check()
    postAlarm = createPostAlarm(createNodeDial('public'), sink.url)
    await check()
    expect(notices).toMatchObject(Array(2).fill({ kind: 'error', operation: 'ledger-alarm' }))
    expect(reported()).toEqual([])
  })

  it('posts one alarm if its time is up, and the next check posts the next one', async () => {
    const { check } = await openUnsound()
    await check(() => false)
    expect(reported()).toEqual(['2026-11-17'])
    await check(() => false)
    expect(reported()).toEqual(['2026-11-17', '2026-11-19'])
  })

  it('posts the alarms of earlier days once an address is set', async () => {
    const { check } = await openUnsound()
    const post = postAlarm
    postAlarm = null
    await check()
    expect(reported()).toEqual([])
    postAlarm = post
    await check()
    expect(reported()).toHaveLength(2)
  })
})
