// How many log lines a flood of notices makes.
import { expect, it } from 'vitest'
import type { Notice } from '../../src/ports/telemetry.ts'
import { type LogAttempts, limitLines } from '../../src/telemetry/limit-lines.ts'
import { createTestClock, SECOND, T0 } from '../support/fixtures.ts'
import { attempt, settled } from './support/notices.ts'

function create(attempts: LogAttempts = 'sampled') {
  const clock = createTestClock(T0)
  const lines: Notice[] = []
  return { telemetry: limitLines((notice) => void lines.push(notice), { clock, attempts }), clock, lines }
}

const started = { ...attempt(), kind: 'attempt-started' } as Notice
const destination = (state: 'down' | 'up'): Notice => ({
  ...{ kind: 'destination', channelId: 'id-1', channelName: 'hook', state, since: T0, error: 'HTTP 503' },
})

it('an outage of 50,000 attempts in a second has lines that say when it began and ended, and 40 others', async () => {
  const { telemetry, clock, lines } = create()
  const fail = (outcome: 'retry' | 'released') => attempt({ outcome, statusCode: 503, error: 'HTTP 503' })
  for (let i = 0; i < 50_000; i++) {
    telemetry(started)
    telemetry(fail('retry'))
    telemetry(fail('released'))
    telemetry({ ...settled('BIRTHDAY') })
  }
  expect(lines).toHaveLength(40)
  telemetry(destination('down'))
  for (let probe = 0; probe < 3_600; probe++) {
    await clock.advance(SECOND)
    telemetry(started)
    telemetry(fail('released'))
    const counts = { delivered: 0, retried: 0, parked: 1, failed: 0, released: 0 }
    telemetry({ kind: 'settled', ...counts, byType: { BIRTHDAY: counts } })
  }
  telemetry(destination('up'))
  expect(lines.slice(40)).toEqual([destination('down'), destination('up')])
  telemetry(started)
  expect(lines).toHaveLength(43)
})

it('final failures and errors have ten lines in five seconds for each channel, reason, operation and code', async () => {
  const { telemetry, clock, lines } = create()
  const fail = (channel: string, error: string) => attempt({ channel, outcome: 'failed', error })
  const error = { kind: 'error', operation: 'settle', retryInMs: 1_000 } as const
  const failures = [fail('crm', 'HTTP 410'), fail('crm', 'HTTP 422'), fail('mail', 'HTTP 410')]
  const errors = ['57P01', '40001'].map((code) => ({ ...error, error: { code } }))
  for (let i = 0; i < 1_000; i++) for (const notice of [...failures, ...errors]) telemetry(notice)
  expect(lines).toHaveLength(50)
  await clock.advance(5 * SECOND)
  telemetry(failures[0]!)
  expect(lines).toHaveLength(51)
})

it.each([
  ['sampled', 20],
  ['all', 200],
  ['none', 0],
] as const)(
  'LOG_ATTEMPTS=%s writes %i lines for the start and the end of a hundred attempts',
  (attempts, count) => {
    const { telemetry, lines } = create(attempts)
    for (let i = 0; i < 100; i++) {
      telemetry(started)
      telemetry(attempt())
    }
    expect(lines).toHaveLength(count)
    telemetry(destination('down'))
    telemetry(started)
    expect(lines.length - count, 'a probe').toBe(attempts === 'all' ? 2 : 1)
  },
)
