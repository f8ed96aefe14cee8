// How many log lines a flood of notices makes, and that nothing is lost in the counts.
import { describe, expect, it } from 'vitest'
import type { Notice } from '../../src/ports/telemetry.ts'
import { type LogAttempts, limitLines } from '../../src/telemetry/limit-lines.ts'
import { createTestClock, SECOND, T0 } from '../support/fixtures.ts'

function create(attempts: LogAttempts = 'sampled', timer = true) {
  const clock = createTestClock(T0)
  const lines: { notice: Notice; more: number }[] = []
  const limiter = limitLines((notice, more = 0) => void lines.push({ notice, more }), {
    clock,
    attempts,
    timer,
  })
  const kinds = () => lines.map(({ notice }) => notice.kind)
  return { ...limiter, clock, lines, kinds }
}

const failure = (code: string): Notice => ({
  kind: 'error',
  operation: 'settle',
  error: Object.assign(new Error('x'), { code }),
  retryInMs: 1_000,
})

const settled = (delivered: number, type = 'BIRTHDAY'): Notice => {
  const counts = { delivered, retried: 0, parked: 2, failed: 1, released: 0 }
  return { kind: 'settled', ...counts, byType: { [type]: counts } }
}

const of = (eventId: string) => ({
  eventId,
  userId: 'user-1',
  taskId: null,
  eventType: 'BIRTHDAY',
  targetAt: T0,
  channel: 'hook',
  idempotencyKey: 'key-1',
  attempt: 1,
  retryCount: 0,
})
const started = (eventId: string): Notice => ({ kind: 'attempt-started', ...of(eventId) })
const ended = (eventId: string, error: string | null = null): Notice => ({
  kind: 'attempt',
  ...of(eventId),
  outcome: error === null ? 'delivered' : 'retry',
  statusCode: 200,
  error,
  durationMs: 1,
  lateMs: 1,
})

describe('repeated errors', () => {
  it('are one line at once and one line with a count for each interval', async () => {
    const { telemetry, clock, lines } = create()
    for (let i = 0; i < 1_600; i++) telemetry(failure('ECONNREFUSED'))
    expect(lines).toEqual([{ notice: failure('ECONNREFUSED'), more: 0 }])
    await clock.advance(5 * SECOND)
    for (let i = 0; i < 10; i++) telemetry(failure('ECONNREFUSED'))
    await clock.advance(5 * SECOND)
    expect(lines.map(({ more }) => more)).toEqual([0, 1_599, 10])
    await clock.advance(60 * SECOND)
    expect(lines).toHaveLength(3)
    telemetry(failure('ECONNREFUSED'))
    expect(lines.at(-1)).toEqual({ notice: failure('ECONNREFUSED'), more: 0 })
  })

  it('with different codes or of different operations are separate lines', () => {
    const { telemetry, lines } = create()
    telemetry(failure('ECONNREFUSED'))
    telemetry(failure('57P01'))
    telemetry({ ...failure('57P01'), operation: 'claim' } as Notice)
    expect(lines).toHaveLength(3)
  })
})

describe('settled and claimed events', () => {
  it('are written at once after a quiet time, then as one sum for each interval, by type', async () => {
    const { telemetry, clock, lines, kinds } = create()
    telemetry({ kind: 'claimed', count: 3 })
    telemetry(settled(2))
    expect(kinds()).toEqual(['claimed', 'settled'])
    for (let i = 0; i < 500; i++) {
      telemetry({ kind: 'claimed', count: 2 })
      telemetry(settled(1))
      telemetry(settled(1, 'TASK_REMINDER'))
    }
    expect(lines).toHaveLength(2)
    await clock.advance(5 * SECOND)
    const counts = { delivered: 500, retried: 0, parked: 1_000, failed: 500, released: 0 }
    expect(lines.slice(2).map(({ notice }) => notice)).toEqual([
      { kind: 'claimed', count: 1_000 },
      {
        kind: 'settled',
        ...counts,
        delivered: 1_000,
        parked: 2_000,
        failed: 1_000,
        byType: { BIRTHDAY: counts, TASK_REMINDER: counts },
      },
    ])
    telemetry(settled(1))
    expect(lines).toHaveLength(4)
    await clock.advance(5 * SECOND)
    expect(lines).toHaveLength(5)
    await clock.advance(60 * SECOND)
    telemetry(settled(7))
    expect(lines.at(-1)!.notice).toEqual(settled(7))
  })
})

describe('attempts', () => {
  it('are sampled: ten of an interval have a line at their start and one at their end', async () => {
    const { telemetry, clock, kinds } = create()
    const ids = Array.from({ length: 50 }, (_, i) => `event-${i}`)
    for (const id of ids) telemetry(started(id))
    for (const id of ids) telemetry(ended(id))
    expect(kinds()).toEqual([...Array(10).fill('attempt-started'), ...Array(10).fill('attempt')])
    await clock.advance(5 * SECOND)
    telemetry(started('later'))
    telemetry(ended('later'))
    expect(kinds()).toHaveLength(22)
  })

  it('that fail are counted by channel and reason after the first ten', async () => {
    const { telemetry, clock, lines } = create('none')
    for (let i = 0; i < 300; i++) telemetry(ended(`event-${i}`, 'HTTP 503'))
    telemetry(ended('other', 'HTTP 404'))
    await clock.advance(5 * SECOND)
    expect(lines).toHaveLength(12)
    expect(lines.at(-1)).toMatchObject({ notice: { kind: 'attempt', error: 'HTTP 503' }, more: 290 })
  })

  it('all have their lines with LOG_ATTEMPTS=all, and none at start and success with LOG_ATTEMPTS=none', () => {
    for (const [attempts, expected] of [
      ['all', 200],
      ['none', 0],
    ] as const) {
      const { telemetry, lines } = create(attempts)
      for (let i = 0; i < 100; i++) {
        telemetry(started(`event-${i}`))
        telemetry(ended(`event-${i}`))
      }
      expect(lines).toHaveLength(expected)
    }
  })

  it('that never end do not fill the memory: later attempts are no longer sampled', async () => {
    const { telemetry, clock, lines } = create()
    for (let i = 0; i < 2_000; i++) {
      telemetry(started(`event-${i}`))
      if (i % 10 === 9) await clock.advance(5 * SECOND)
    }
    expect(lines).toHaveLength(1_000)
  })
})

describe('while a destination is down', () => {
  const destination = { kind: 'destination', channelId: 'id-1', channelName: 'hook', since: T0 } as const
  const probe = { ...ended('event-1', 'CONNECTION: ECONNREFUSED'), outcome: 'parked' } as Notice
  const counts = { delivered: 0, retried: 0, parked: 1, failed: 0, released: 0 }
  const parked: Notice = { kind: 'settled', ...counts, byType: { BIRTHDAY: counts } }

  async function minuteOf(attempts: LogAttempts) {
    const made = create(attempts)
    const { telemetry, clock, kinds } = made
    telemetry({ ...destination, state: 'down', error: 'CONNECTION: ECONNREFUSED' })
    for (let i = 0; i < 60; i++) {
      telemetry(started('event-1'))
      telemetry(probe)
      telemetry(parked)
      await clock.advance(SECOND)
    }
    telemetry({ ...destination, state: 'up', error: null })
    return { ...made, minute: kinds() }
  }

  it('its probes have no lines without LOG_ATTEMPTS=all, and attempts have them again when it is up', async () => {
    const { telemetry, minute, kinds } = await minuteOf('sampled')
    expect(minute).toEqual(['destination', 'destination'])
    const all = (await minuteOf('all')).minute
    expect(all.filter((kind) => kind === 'attempt')).toHaveLength(60)
    telemetry(started('event-1'))
    telemetry(ended('event-1'))
    telemetry(settled(1))
    expect(kinds().slice(2)).toEqual(['attempt-started', 'attempt', 'settled'])
  })

  it('attempts at other destinations, and messages that fail, have their lines', () => {
    const { telemetry, kinds } = create()
    telemetry({ ...destination, state: 'down', error: 'HTTP 503' })
    telemetry({ ...started('event-2'), channel: 'other' } as Notice)
    telemetry({ ...probe, eventId: 'event-2', channel: 'other' } as Notice)
    telemetry({ ...probe, outcome: 'failed' } as Notice)
    telemetry(settled(1))
    expect(kinds()).toEqual(['destination', 'attempt-started', 'attempt', 'attempt', 'settled'])
  })
})

describe('what waits for the end of an interval', () => {
  it('is written by flush, and before the line that says that the worker stopped', () => {
    const { telemetry, flush, lines, kinds } = create()
    telemetry(settled(1))
    telemetry(settled(2))
    telemetry(failure('x'))
    telemetry(failure('x'))
    flush()
    expect(kinds()).toEqual(['settled', 'error', 'settled', 'error'])
    expect(lines.at(-1)!.more).toBe(1)
    telemetry(settled(1))
    telemetry(settled(2))
    telemetry({ kind: 'run', of: 'worker', state: 'ended', runId: 'w', durationMs: 1 })
    expect(kinds().slice(4)).toEqual(['settled', 'settled', 'run'])
    flush()
    expect(lines).toHaveLength(7)
  })

  it('is written by the next notice where no timer runs', async () => {
    const { telemetry, clock, kinds } = create('sampled', false)
    telemetry(settled(1))
    telemetry(settled(2))
    await clock.advance(60 * SECOND)
    expect(kinds()).toEqual(['settled'])
    telemetry(failure('x'))
    expect(kinds()).toEqual(['settled', 'settled', 'error'])
  })
})
