// Days that have ended and are not closed: how many there are, and the alarm that LEDGER_URL gets once a day.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { unclosedDays } from '../../../src/app/ledger/overdue.ts'
import { reportDays } from '../../../src/app/ledger/report.ts'
import { createNodeDial } from '../../../src/channels/dial/node-dial.ts'
import type { Notice } from '../../../src/ports/telemetry.ts'
import { verify } from '../../../src/receiver/verify.ts'
import { createPostReport } from '../../../src/runtimes/ledger.ts'
import { type Sink, startSink } from '../../runtimes/support/sink.ts'
import { createTestClock } from '../../support/fixtures.ts'
import { openClosedDays } from './support/closed-days.ts'

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

let sink: Sink
let status: number
let notices: Notice[]
beforeEach(async () => {
  status = 200
  notices = []
  sink = await startSink((response) => response.writeHead(status).end('ok'))
})
afterEach(() => sink.close())

const telemetry = (notice: Notice) => void notices.push(notice)
const posted = () => sink.arrivals.map(({ body }) => JSON.parse(body))

/** 2026-11-14 to 2026-11-16 are closed and reported, and 2026-11-17 is not closed. */
async function openLedger() {
  const opened = await openClosedDays()
  const { store } = opened
  for (const day of ['2026-11-14', '2026-11-15', '2026-11-16']) await store.markLedgerReported(day, 1)
  const check = (at: string, mayContinue = () => true) => {
    const clock = createTestClock(Date.parse(at))
    const config = { ledgerUrl: sink.url, ledgerSecrets: [SECRET] }
    const postReport = createPostReport(createNodeDial('any'), config, clock)
    return reportDays({ store, clock, telemetry, postReport }, mayContinue)
  }
  return { ...opened, check }
}

describe('days that have ended and are not closed', () => {
  it('are counted from the end of the first one in every timezone, also if a later day has a row', async () => {
    const { store } = await openLedger()
    const count = async (at: string) => (await unclosedDays(store, Date.parse(at)))?.count ?? 0
    expect(await count('2026-11-18T11:59:59Z')).toBe(0)
    expect(await count('2026-11-18T12:00:00Z')).toBe(1)
    for (const day of ['2026-11-17', '2040-01-01']) await store.openLedgerDay({ day, startedAt: 0 })
    expect(await count('2026-11-18T12:00:00Z')).toBe(1)
    expect(await count('2026-11-20T12:00:00Z')).toBe(3)
    // The clock was set back.
    expect(await count('2026-11-10T12:00:00Z')).toBe(0)
  })
})

describe('a day that is not closed 12 hours after its end', () => {
  it('is posted signed and once a day, also by several processes, until it is closed', async () => {
    const { check, closeDay, linesFor } = await openLedger()
    await check('2026-11-18T23:59:59Z')
    expect(posted()).toEqual([])
    await Promise.all([check('2026-11-19T00:00:00Z'), check('2026-11-19T00:00:00Z')])
    await check('2026-11-19T23:59:59Z')
    const [{ headers, body }] = sink.arrivals as [(typeof sink.arrivals)[0]]
    const verified = await verify({
      headers,
      body,
      secrets: [SECRET],
      now: Date.parse('2026-11-19T00:00:00Z'),
    })
    expect(verified).toMatchObject({ kind: 'verified', key: 'ledger-overdue-2026-11-19' })
    const alarm = { type: 'ledger.overdue', day: '2026-11-17', endedAt: '2026-11-18T12:00:00.000Z' }
    expect(posted()).toEqual([{ ...alarm, unclosedDays: 1 }])
    await check('2026-11-20T12:00:00Z')
    expect(posted().slice(1)).toEqual([{ ...alarm, unclosedDays: 3 }])
    for (const day of ['2026-11-17', '2026-11-18', '2026-11-19']) await closeDay(day, linesFor(day, []))
    await check('2026-11-21T11:00:00Z')
    expect(posted().slice(2)).toMatchObject([
      { day: '2026-11-17', hash: expect.any(String) },
      { day: '2026-11-18' },
      { day: '2026-11-19' },
    ])
    expect(notices).toEqual([])
  })

  it('is posted again by the next check if the receiver rejected it', async () => {
    const { check } = await openLedger()
    status = 503
    await check('2026-11-19T07:00:00Z')
    expect(notices).toMatchObject([{ kind: 'error', operation: 'ledger-report' }])
    status = 200
    await check('2026-11-19T07:10:00Z')
    await check('2026-11-19T07:20:00Z')
    expect(posted()).toHaveLength(2)
  })

  it('is posted although the account used up the time of the run', async () => {
    const { check, store } = await openLedger()
    await store.markLedgerReported('2026-11-16', null)
    await check('2026-11-19T07:00:00Z', () => false)
    expect(posted()).toMatchObject([{ type: 'ledger.overdue' }])
    await check('2026-11-19T07:10:00Z', () => false)
    expect(posted().slice(1)).toMatchObject([{ day: '2026-11-16' }])
  })
})
