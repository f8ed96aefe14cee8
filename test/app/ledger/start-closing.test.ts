// Days are closed beside an engine, which goes first.
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startClosing } from '../../../src/app/ledger/start-closing.ts'
import { missedAfter } from '../../../src/domain/events/lateness.ts'
import { createTestClock, type TestClock } from '../../support/fixtures.ts'
import { until } from '../../support/until.ts'
import { DAY, type Installation, openInstallation } from './support/installation.ts'

let installation: Installation
let clock: TestClock
let isBusy: boolean
let asked: number
beforeEach(async () => {
  installation = await openInstallation()
  clock = createTestClock(Date.parse('2027-03-13T13:00:00Z'))
  isBusy = true
  asked = 0
})
afterEach(() => installation.stop())

const start = () =>
  startClosing({ ...installation.deps, clock, postReport: null }, missedAfter(null), () => {
    asked += 1
    return isBusy
  })

async function isClosed(): Promise<boolean> {
  const [day] = await installation.store.listLedgerDays({ from: DAY, to: DAY, limit: 1 })
  return day !== undefined && day.closedAt !== null
}

const untilAsked = (times: number) =>
  until(
    `the engine is asked ${times} times`,
    () => asked,
    (count) => count >= times,
  )

it('waits before each page while the engine is busy, and no longer than two seconds', async () => {
  const stop = start()
  await untilAsked(1)
  expect(await isClosed()).toBe(false)
  await clock.advance(1_999)
  expect(asked).toBe(1)
  await clock.advance(1)
  await untilAsked(2)
  isBusy = false
  await clock.advance(2_000)
  await until('the day is closed', isClosed, (closed) => closed)
  await stop()
})

it('stops at once while it waits for the engine', async () => {
  const stop = start()
  await untilAsked(1)
  await stop()
  expect(await isClosed()).toBe(false)
})
