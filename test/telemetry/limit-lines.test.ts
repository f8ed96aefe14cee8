// How many log lines a flood of notices makes, and that nothing is lost in the counts.
import { expect, it } from 'vitest'
import type { Notice } from '../../src/ports/telemetry.ts'
import { type LogAttempts, limitLines } from '../../src/telemetry/limit-lines.ts'
import { createTestClock, SECOND, T0 } from '../support/fixtures.ts'
import { attempt } from './support/notices.ts'

function create(attempts: LogAttempts = 'sampled') {
  const clock = createTestClock(T0)
  const lines: { notice: Notice; more: number }[] = []
  const write = (notice: Notice, more = 0) => void lines.push({ notice, more })
  return { ...limitLines(write, { clock, attempts, timer: true }), clock, lines }
}

const failure = (code: string): Notice => ({
  kind: 'error',
  operation: 'settle',
  error: Object.assign(new Error('x'), { code }),
  retryInMs: 1_000,
})

it('repeated errors are one line at once and one line with a count for each interval, by code', async () => {
  const { telemetry, clock, lines } = create()
  for (let i = 0; i < 1_600; i++) telemetry(failure('ECONNREFUSED'))
  telemetry(failure('57P01'))
  expect(lines.map(({ notice, more }) => [notice, more])).toEqual([
    [failure('ECONNREFUSED'), 0],
    [failure('57P01'), 0],
  ])
  await clock.advance(5 * SECOND)
  expect(lines.slice(2)).toEqual([{ notice: failure('ECONNREFUSED'), more: 1_599 }])
})

it('settled events are one sum for each interval, by type, and flush writes the sum at once', async () => {
  const { telemetry, clock, lines, flush } = create()
  const counts = { delivered: 1, retried: 0, parked: 2, failed: 1, released: 0 }
  const settled: Notice = { kind: 'settled', ...counts, byType: { BIRTHDAY: counts } }
  for (let i = 0; i < 501; i++) telemetry(settled)
  expect(lines.map(({ notice }) => notice)).toEqual([settled])
  await clock.advance(5 * SECOND)
  const sum = { delivered: 500, retried: 0, parked: 1_000, failed: 500, released: 0 }
  expect(lines[1]!.notice).toEqual({ kind: 'settled', ...sum, byType: { BIRTHDAY: sum } })
  telemetry(settled)
  flush()
  expect(lines[2]!.notice).toEqual(settled)
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
      const {
        outcome: _,
        statusCode: __,
        error: ___,
        durationMs: ____,
        lateMs: _____,
        ...of
      } = attempt({
        eventId: `event-${i}`,
      })
      telemetry({ ...of, kind: 'attempt-started' })
      telemetry(attempt({ eventId: `event-${i}` }))
    }
    expect(lines).toHaveLength(count)
  },
)
