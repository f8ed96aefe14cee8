// Log lines: only listed fields are written.
import { describe, expect, it } from 'vitest'
import { accountOf } from '../../src/domain/ledger/account.ts'
import type { Notice } from '../../src/ports/telemetry.ts'
import { logTelemetry } from '../../src/telemetry/log.ts'
import { createLogger } from '../../src/telemetry/logger.ts'

function log() {
  const lines: string[] = []
  const logger = createLogger('trace', { write: (line) => void lines.push(line) })
  return {
    logger,
    tell: logTelemetry(logger),
    text: () => lines.join(''),
    last: () => JSON.parse(lines.at(-1)!) as Record<string, unknown>,
  }
}

const DESTINATION = { kind: 'destination', channelId: 'c', channelName: 'hook', since: 0 } as const

const attempt: Notice & { kind: 'attempt' } = {
  kind: 'attempt',
  eventId: 'event-1',
  userId: 'user-1',
  taskId: null,
  eventType: 'BIRTHDAY',
  targetAt: Date.parse('2026-11-15T09:00:00Z'),
  channel: 'hook',
  idempotencyKey: 'key-1',
  attempt: 1,
  retryCount: 0,
  outcome: 'retry',
  statusCode: 503,
  error: 'HTTP 503',
  durationMs: 12,
  lateMs: 30,
}

describe('the log', () => {
  it('leaves out every field that is not on its list', () => {
    const { logger, tell, text } = log()
    logger.info({ firstName: 'Ada', body: 'Hey, Ada', count: 1 }, 'Words')
    tell({ ...attempt, user: { firstName: 'Ada' } } as Notice)
    tell({ kind: 'rescheduled', userId: 'u', rescheduled: 1, skipped: 0, email: 'ada@x' } as Notice)
    expect(text()).not.toMatch(/ada/i)
    expect(text()).toContain('"count":1')
  })

  it('writes the class, code and place of an error, and not its message', () => {
    const { tell, text, last } = log()
    const error = Object.assign(new RangeError('Key (email)=(ada@example.com) exists'), {
      code: '23505',
      detail: 'Failing row contains (Ada, 1990-12-15)',
    })
    tell({ kind: 'error', operation: 'settle', error, retryInMs: 100 })
    expect(last()).toMatchObject({
      level: 'error',
      operation: 'settle',
      msg: 'Settling failed; retrying in 0.1 s',
      retryInMs: 100,
      error: { name: 'RangeError', code: '23505' },
    })
    tell({ kind: 'error', operation: 'claim', error: 'Ada', retryInMs: null })
    tell({
      kind: 'error',
      operation: 'claim',
      error: Object.assign(new Error(), { code: 'no Ada' }),
      retryInMs: null,
    })
    expect(text()).not.toMatch(/ada|1990/i)
  })

  it('writes why an attempt failed as a code alone', () => {
    const { tell, text, last } = log()
    for (const [error, reason] of [
      ['HTTP 503', 'HTTP 503'],
      ['SMTP 550 5.1.1', 'SMTP 550 5.1.1'],
      ['CONNECTION: ECONNREFUSED', 'CONNECTION: ECONNREFUSED'],
      ['TIMEOUT: no response within 10 ms', 'TIMEOUT'],
      ['CHANNEL_ERROR: TypeError: cannot greet Ada', 'CHANNEL_ERROR'],
      ['550 <ada@example.com>: no such user', 'OTHER'],
      ['ADA@EXAMPLE.COM', 'OTHER'],
    ] as const) {
      tell({ ...attempt, error })
      expect(last(), error).toMatchObject({ reason, statusCode: 503, channel: 'hook' })
    }
    tell({ ...attempt, outcome: 'delivered', error: null })
    expect(last()).not.toHaveProperty('error')
    expect(text()).not.toMatch(/ada|greet/i)
  })

  const error = new Error()
  const failed = { kind: 'error', error } as const
  const overdue = { kind: 'recovery', missed: 3, oldestAt: 0, newestAt: 1 } as const
  const oldestEventTimestamp = '1970-01-01T00:00:00.000Z'
  const missed = { count: 3, oldestEventTimestamp, newestEventTimestamp: '1970-01-01T00:00:00.001Z' }
  const urls = { from: 'https://crm.example/hook', to: 'https://crm.example/v2' }
  const day = { ...accountOf([]), day: '2026-11-15', due: 5, onTime: 5, missed: 0, closedAt: 0 }
  const moved = { zone: 'America/Vancouver', people: 3, moved: 2, unmoved: 1, shiftMs: -3_600_000 }
  const skipped = { userId: 'u', eventId: 'e', currentStatus: 'PROCESSING' } as const
  const full = { bytes: 8_000_000_000, limitBytes: 10_000_000_000 }

  it.each<[level: string, message: RegExp, notice: Notice, fields?: object]>([
    ['warn', /WEBHOOK_URL/, { kind: 'environment', state: 'differs', what: 'url', ...urls }, urls],
    ['warn', /WEBHOOK_SECRET/, { kind: 'environment', state: 'differs', what: 'secret', ...urls }],
    ['warn', /^Leases expired/, { kind: 'unknown', eventIds: ['a'] }],
    ['warn', /its messages wait$/, { ...DESTINATION, state: 'down', error: 'HTTP 503: the body' }],
    ['warn', /^The destination is up again$/, { ...DESTINATION, state: 'up', error: null }],
    [
      'warn',
      /^Channel status changed$/,
      { kind: 'channel', channelId: 'c', channelName: 'hook', status: 'HELD', reason: 'HTTP 401' },
    ],
    ['info', /^Missed events found$/, overdue, missed],
    ['info', /^No missed events found$/, { kind: 'recovery', missed: 0, oldestAt: null, newestAt: null }],
    ['warn', /^Delivery failed; will be retried$/, attempt],
    ['warn', /the event is released and uses no retry$/, { ...attempt, outcome: 'released' }],
    ['error', /no more retries/, { ...attempt, outcome: 'failed' }],
    ['error', /^Settling failed; retrying in 2 s$/, { ...failed, operation: 'settle', retryInMs: 2_000 }],
    [
      'error',
      /^Settling failed; the events are claimed again when their leases expire$/,
      { ...failed, operation: 'settle', retryInMs: null },
    ],
    [
      'error',
      /^Opening a channel failed; its events wait$/,
      { ...failed, operation: 'open-channel', retryInMs: null },
    ],
    [
      'error',
      /^Extending leases failed; retrying in 3\.3 s$/,
      { ...failed, operation: 'extend-leases', retryInMs: 10_000 / 3 },
    ],
    ['warn', /./, { kind: 'reschedule-skipped', ...skipped }, { ...skipped, reason: 'IN_FLIGHT' }],
    ['error', /^Dead letters; their events are FAILED$/, { kind: 'dead-letters', count: 2 }, { count: 2 }],
    [
      'warn',
      /^Events are overdue$/,
      { kind: 'backlog', count: 7, oldestMs: 120_001 },
      { count: 7, lateMs: 120_001 },
    ],
    ['warn', /^The database is nearly full/, { kind: 'database-size', ...full }, full],
    ['info', /nobody was missed$/, { kind: 'ledger', ...day }, { day: '2026-11-15', due: 5 }],
    ['error', /can miss people/, { kind: 'ledger', ...day, missed: 1 }, { missed: 1 }],
    [
      'info',
      /./,
      { kind: 'timezones', state: 'moved', release: '2026f', ...moved },
      { release: '2026f', ...moved },
    ],
    [
      'warn',
      /./,
      { kind: 'timezones', state: 'older', release: '2025c', recorded: '2026f' },
      { release: '2025c', recorded: '2026f' },
    ],
    [
      'warn',
      /./,
      { kind: 'timezones', state: 'gone', release: '2026f', zone: 'Asia/Tokyo' },
      { zone: 'Asia/Tokyo' },
    ],
  ])('has a line of level %s with %s for %o', (level, message, notice, fields = {}) => {
    const { tell, last } = log()
    tell(notice)
    expect(last()).toMatchObject({ level, msg: expect.stringMatching(message), ...fields })
  })

  it('names the first ten of many lost claims, and their number', () => {
    const { tell, last } = log()
    tell({ kind: 'stale', claims: Array(50).fill({ eventId: 'a', version: 3 }) })
    const claims = Array(10).fill({ eventId: 'a', expectedVersion: 3 })
    const msg = expect.stringContaining('Claims lost')
    expect(last()).toMatchObject({ level: 'warn', msg, count: 50, claims })
  })

  it('has no line for events that are little overdue, nor for a database that has room', () => {
    const { tell, text } = log()
    tell({ kind: 'backlog', count: 7, oldestMs: 120_000 })
    tell({ kind: 'database-size', bytes: 7_999_999_999, limitBytes: 10_000_000_000 })
    expect(text()).toBe('')
  })

  it('names event, key, user and target at the start of an attempt, and the task of a reminder, but not the type', () => {
    const { tell, last } = log()
    const { outcome: _, statusCode: __, error: ___, durationMs: ____, lateMs: _____, ...of } = attempt
    tell({ ...of, kind: 'attempt-started' })
    const fields = {
      eventId: 'event-1',
      idempotencyKey: 'key-1',
      userId: 'user-1',
      targetTimestampUTC: '2026-11-15T09:00:00.000Z',
      channel: 'hook',
      attempt: 1,
    }
    const { time: _time, ...line } = last()
    expect(line).toEqual({ level: 'info', msg: 'Executing event', ...fields })
    tell({ ...of, kind: 'attempt-started', taskId: 'task-1', eventType: 'TASK_REMINDER' })
    expect(last()).toMatchObject({ taskId: 'task-1' })
    tell({ ...attempt, outcome: 'delivered', statusCode: 200, error: null })
    const delivered = { ...fields, msg: 'Delivery succeeded', statusCode: 200, durationMs: 12, lateMs: 30 }
    expect(last()).toMatchObject({ level: 'info', ...delivered })
    expect(last()).not.toHaveProperty('taskId')
    tell({
      kind: 'error',
      operation: 'render',
      error: new Error(),
      retryInMs: null,
      eventId: 'e',
      taskId: 'task-1',
    })
    expect(last()).toMatchObject({ level: 'error', eventId: 'e', taskId: 'task-1' })
  })

  it('counts settled events by type, and reports the start and the end of runs', () => {
    const { tell, last } = log()
    const counts = { delivered: 2, retried: 0, failed: 1, released: 0 }
    tell({ kind: 'settled', ...counts, byType: { TASK_REMINDER: counts } })
    expect(last()).toMatchObject({ msg: 'Events settled', ...counts, types: { TASK_REMINDER: counts } })
    tell({ kind: 'unhandled', types: ['PARTY'] })
    expect(last()).toMatchObject({ level: 'warn', types: ['PARTY'] })
    tell({ kind: 'recovery-started' })
    expect(last()).toMatchObject({ level: 'info', msg: 'Starting recovery check' })
    for (const [of, started, ended] of [
      ['worker', 'Worker started', 'Worker stopped'],
      ['scheduler', 'Scheduler run started', 'Scheduler run ended'],
      ['recovery', 'Recovery run started', 'Recovery run ended'],
    ] as const) {
      tell({ kind: 'run', of, state: 'started', runId: 'run-1' })
      expect(last()).toMatchObject({ level: 'info', msg: started, runId: 'run-1' })
      tell({ kind: 'run', of, state: 'ended', runId: 'run-1', durationMs: 7, handedOver: 3 })
      expect(last()).toMatchObject({ msg: ended, runId: 'run-1', durationMs: 7, handedOver: 3 })
    }
  })
})
