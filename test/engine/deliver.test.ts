// One attempt: what is sent, and what each answer makes of the event.

import { describe, expect, it } from 'vitest'
import { idempotencyKey } from '../../src/domain/events/idempotency-key.ts'
import { DELIVER_ALWAYS, missedAfter } from '../../src/domain/events/lateness.ts'
import { createIds } from '../../src/domain/events/uuid.ts'
import { tzdb } from '../../src/domain/time/tzdb.ts'
import { attempt, type SendDeps } from '../../src/engine/deliver.ts'
import { prepare } from '../../src/engine/prepare.ts'
import { breakerFor } from '../../src/engine/sending/circuit-breaker.ts'
import { createOutbox } from '../../src/engine/sending/destination-queues.ts'
import { onlyDestination } from '../../src/engine/sending/destinations.ts'
import { BUILT_IN_ONLY } from '../../src/engine/sending/templates.ts'
import { conclude, concludeAnew, release } from '../../src/engine/settlement.ts'
import type { DeliveryResult } from '../../src/ports/channel.ts'
import type { Claim } from '../../src/ports/claim.ts'
import type { Notice } from '../../src/ports/telemetry.ts'
import {
  createScriptedChannel,
  createTestClock,
  DELIVERED,
  GONE,
  HOUR,
  makePerson,
  type Step,
  seededDice,
  UNAVAILABLE,
} from '../support/fixtures.ts'

const NINE = Date.parse('2026-06-15T09:00:00Z')
const NOW = NINE + 4_200

function makeClaim(over: Partial<Claim> = {}): Claim {
  const { user, occasions, events } = makePerson({ targetAt: NINE, dateOfBirth: '1990-06-15' })
  return {
    ...events[0]!,
    replayOf: null,
    ownKey: false,
    reclaimed: false,
    eventType: 'BIRTHDAY',
    version: 2,
    planRevision: 5,
    retryCount: 0,
    claimedAt: NINE,
    user,
    occasion: occasions[0]!,
    task: null,
    body: null,
    ...over,
  }
}

function makeDeps(over: Partial<SendDeps> = {}) {
  const clock = createTestClock(NOW)
  const channel = createScriptedChannel(clock)
  const destinations = onlyDestination(channel)
  const notices: Notice[] = []
  const deps: SendDeps = {
    planner: { ids: createIds(seededDice(2)), table: tzdb },
    dice: () => 0,
    retryPolicy: { delaysMs: [1_000, 2_000, 4_000] },
    templates: BUILT_IN_ONLY,
    lateness: DELIVER_ALWAYS,
    destinations,
    outbox: createOutbox({
      destinations,
      dice: () => 0,
      breaker: { ...breakerFor(4), failures: 2 },
      onBreaker: () => {},
    }),
    clock,
    telemetry: (notice) => void notices.push(notice),
    ...over,
  }
  return { deps, clock, channel, notices }
}

const next = { occurrence: '2027', targetAt: Date.parse('2027-06-15T09:00:00Z') }

describe('what an answer makes of the event', () => {
  const table: [string, DeliveryResult, Partial<Claim>, object][] = [
    [
      'delivered is COMPLETED',
      DELIVERED,
      {},
      { kind: 'terminal', status: 'COMPLETED', failureReason: null, statusCode: 200, successor: next },
    ],
    [
      'delivered at the last try is COMPLETED',
      DELIVERED,
      { retryCount: 3 },
      { kind: 'terminal', status: 'COMPLETED', failureReason: null },
    ],
    [
      'permanent is FAILED with the reason',
      GONE,
      {},
      { kind: 'terminal', status: 'FAILED', failureReason: 'HTTP 410', statusCode: 410, successor: next },
    ],
    [
      'transient is a retry after the first wait',
      UNAVAILABLE,
      {},
      { kind: 'retry', wakeAt: NOW + 1_000, error: 'HTTP 503', statusCode: 503 },
    ],
    [
      'transient is a retry after the third wait',
      UNAVAILABLE,
      { retryCount: 2 },
      { kind: 'retry', wakeAt: NOW + 4_000 },
    ],
    [
      'transient with a longer wait of its own is believed',
      { ...UNAVAILABLE, kind: 'transient', error: 'HTTP 429', retryAfterMs: HOUR },
      {},
      { kind: 'retry', wakeAt: NOW + HOUR },
    ],
    [
      'transient with a shorter wait of its own is not',
      { ...UNAVAILABLE, kind: 'transient', error: 'HTTP 429', retryAfterMs: 1 },
      {},
      { kind: 'retry', wakeAt: NOW + 1_000 },
    ],
    [
      'transient with no retries left is FAILED with the last error',
      UNAVAILABLE,
      { retryCount: 3 },
      {
        kind: 'terminal',
        status: 'FAILED',
        failureReason: 'RETRIES_EXHAUSTED: 4 attempts, the last: HTTP 503',
        statusCode: 503,
        successor: next,
      },
    ],
  ]
  it.each(table)('%s', (_name, result, over, expected) => {
    const claim = makeClaim(over)
    const settlement = conclude(makeDeps().deps, claim, result, NOW)
    expect(settlement).toMatchObject({ eventId: claim.id, version: 2, at: NOW, ...expected })
    if (settlement.kind === 'terminal') expect(settlement.planRevision).toBe(5)
  })

  it('spreads retries by the dice', () => {
    const { deps } = makeDeps({ dice: () => 0.5 })
    expect(conclude(deps, makeClaim(), UNAVAILABLE, NOW)).toMatchObject({ wakeAt: NOW + 500 })
  })

  it('plans the successor from where the person lives now', () => {
    const claim = makeClaim()
    const moved = { ...claim, user: { ...claim.user, timezone: 'Asia/Tokyo' as never } }
    expect(conclude(makeDeps().deps, moved, DELIVERED, NOW)).toMatchObject({
      successor: {
        targetAt: Date.parse('2027-06-15T00:00:00Z'),
        timezone: 'Asia/Tokyo',
        offsetSeconds: 32_400,
      },
    })
  })

  it('gives the successor an id of its own and the same occasion', () => {
    const claim = makeClaim()
    const settlement = conclude(makeDeps().deps, claim, DELIVERED, NOW)
    expect(settlement).toMatchObject({ successor: { occasionId: claim.occasionId } })
    expect(settlement.kind === 'terminal' && settlement.successor!.id).not.toBe(claim.id)
  })
})

describe('concluding anew', () => {
  it('keeps how the attempt ended and plans the successor from the fresh claim', () => {
    const { deps } = makeDeps()
    const claim = makeClaim()
    const settled = conclude(deps, claim, GONE, NOW)
    const fresh = { ...claim, planRevision: 6, user: { ...claim.user, dateOfBirth: '1990-07-01' as never } }
    expect(concludeAnew(deps, fresh, settled)).toMatchObject({
      eventId: claim.id,
      at: NOW,
      status: 'FAILED',
      failureReason: 'HTTP 410',
      statusCode: 410,
      planRevision: 6,
      successor: { occurrence: '2027', targetAt: Date.parse('2027-07-01T09:00:00Z') },
    })
  })

  it('leaves a retry and a release as they are', () => {
    const { deps } = makeDeps()
    const claim = makeClaim()
    for (const settlement of [conclude(deps, claim, UNAVAILABLE, NOW), release(claim, NOW)]) {
      expect(concludeAnew(deps, { ...claim, planRevision: 6 }, settlement)).toEqual(settlement)
    }
  })
})

describe('preparing', () => {
  it('renders the first attempt from the person as they are', () => {
    const claim = makeClaim()
    const prepared = prepare(makeDeps().deps, claim, NOW)
    expect(prepared.kind === 'send' && JSON.parse(prepared.body)).toEqual({
      eventId: claim.id,
      type: 'BIRTHDAY',
      message: "Hey, Ada Lovelace it's your birthday",
      userId: claim.user.id,
      occurrence: '2026',
      targetTimestampUTC: '2026-06-15T09:00:00.000Z',
      targetTimestampLocal: '2026-06-15T09:00:00+00:00',
      timezone: 'Etc/UTC',
      lateBySeconds: 4,
    })
  })

  it('fails what is later than the window, and sends what is just within it', () => {
    const { deps } = makeDeps({ lateness: missedAfter(4_200) })
    expect(prepare(deps, makeClaim(), NOW).kind).toBe('send')
    expect(prepare(deps, makeClaim(), NOW + 1)).toMatchObject({
      kind: 'fail',
      settlement: {
        status: 'FAILED',
        failureReason: 'MISSED_WINDOW: 4 s late, more than the 4 s that BIRTHDAY may be.',
        statusCode: null,
        successor: next,
      },
    })
  })

  it('fails a template that cannot be rendered', () => {
    const claim = makeClaim()
    const bad = { ...claim, occasion: { ...claim.occasion, template: 'Hi {{ nickname }}' } }
    expect(prepare(makeDeps().deps, bad, NOW)).toMatchObject({
      kind: 'fail',
      settlement: {
        status: 'FAILED',
        failureReason: expect.stringMatching(
          /^BAD_TEMPLATE: In the template of the occasion\. Line 1, column 7: .*nickname/,
        ),
      },
    })
  })
})

describe('an attempt', () => {
  it('sends the body under the key of its occurrence and counts from one', async () => {
    const { deps, channel, notices } = makeDeps()
    const claim = makeClaim({ retryCount: 2 })
    const settlement = await attempt(deps, { claim, body: 'body' }, new AbortController().signal)
    const { occasionId, occurrence, user } = claim
    const key = idempotencyKey({ userId: user.id, occasionId, occurrence })
    expect(channel.sent).toEqual([
      { eventId: claim.id, idempotencyKey: key, body: 'body', attempt: 3, at: NOW },
    ])
    expect(settlement).toMatchObject({ kind: 'terminal', status: 'COMPLETED' })
    expect(notices).toEqual([
      {
        kind: 'attempt',
        eventId: claim.id,
        channel: 'only',
        idempotencyKey: key,
        attempt: 3,
        outcome: 'delivered',
        statusCode: 200,
        error: null,
        durationMs: 0,
        lateMs: 4_200,
      },
    ])
  })

  const throws: Step = () => {
    throw new Error('a bug')
  }
  const rejects: Step = () => Promise.reject(new Error('a bug'))
  it.each([
    ['throws', throws],
    ['rejects', rejects],
  ])('whose channel %s is retried, and the error is kept', async (_how, step) => {
    const { deps, channel } = makeDeps()
    const claim = makeClaim()
    channel.script(claim.id, step)
    expect(await attempt(deps, { claim, body: 'body' }, new AbortController().signal)).toMatchObject({
      kind: 'retry',
      error: 'CHANNEL_ERROR: Error',
      statusCode: null,
    })
  })

  const aborted = () => {
    const controller = new AbortController()
    controller.abort()
    return controller.signal
  }

  it('that was cut short is given back', async () => {
    const { deps, channel } = makeDeps()
    const claim = makeClaim()
    channel.script(claim.id, UNAVAILABLE)
    const expected = { eventId: claim.id, version: 2, at: NOW, kind: 'release', wakeAt: NOW }
    expect(await attempt(deps, { claim, body: 'body' }, aborted())).toEqual(expected)
  })

  it('that got its answer before it was cut short counts', async () => {
    for (const [step, status] of [
      [DELIVERED, 'COMPLETED'],
      [GONE, 'FAILED'],
    ] as const) {
      const { deps, channel } = makeDeps()
      const claim = makeClaim()
      channel.script(claim.id, step)
      expect(await attempt(deps, { claim, body: 'body' }, aborted())).toMatchObject({
        kind: 'terminal',
        status,
      })
    }
  })
})
