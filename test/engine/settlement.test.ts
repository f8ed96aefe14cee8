// The settlement of an attempt's result: the status of the event, its retry and its successor.
import { describe, expect, it } from 'vitest'
import { failIfObsolete, release, replanSettlement, settlementOf } from '../../src/engine/settlement.ts'
import type { DeliveryResult } from '../../src/ports/channel.ts'
import type { Claim } from '../../src/ports/claim.ts'
import { DELIVERED, GONE, HOUR, makeTask, UNAVAILABLE } from '../support/fixtures.ts'
import { makeClaim, makeDeps, NINE, NOW } from './support/claims.ts'

const next = { occurrence: '2027', targetAt: Date.parse('2027-06-15T09:00:00Z') }

describe('settlementOf', () => {
  const table: [string, DeliveryResult, Partial<Claim>, object][] = [
    [
      'settles a delivered event as COMPLETED',
      DELIVERED,
      {},
      { kind: 'terminal', status: 'COMPLETED', failure: null, statusCode: 200, successor: next },
    ],
    [
      'settles an event delivered by its last attempt as COMPLETED',
      DELIVERED,
      { retryCount: 3 },
      { kind: 'terminal', status: 'COMPLETED', failure: null },
    ],
    [
      'settles a permanent failure as FAILED with its error',
      GONE,
      {},
      {
        kind: 'terminal',
        status: 'FAILED',
        failure: { code: 'HTTP 410', lastError: 'HTTP 410' },
        statusCode: 410,
        successor: next,
      },
    ],
    [
      'retries a transient failure after the first delay',
      UNAVAILABLE,
      {},
      { kind: 'retry', wakeAt: NOW + 1_000, error: 'HTTP 503', statusCode: 503 },
    ],
    [
      'retries the third transient failure after the third delay',
      UNAVAILABLE,
      { retryCount: 2 },
      { kind: 'retry', wakeAt: NOW + 4_000 },
    ],
    [
      'waits for Retry-After where it is longer than the delay',
      { ...UNAVAILABLE, kind: 'transient', error: 'HTTP 429', retryAfterMs: HOUR },
      {},
      { kind: 'retry', wakeAt: NOW + HOUR },
    ],
    [
      'waits for the delay where Retry-After is shorter',
      { ...UNAVAILABLE, kind: 'transient', error: 'HTTP 429', retryAfterMs: 1 },
      {},
      { kind: 'retry', wakeAt: NOW + 1_000 },
    ],
    [
      'settles a transient failure without retries left as FAILED with the last error',
      UNAVAILABLE,
      { retryCount: 3 },
      {
        kind: 'terminal',
        status: 'FAILED',
        failure: { code: 'RETRIES_EXHAUSTED', lastError: 'HTTP 503' },
        statusCode: 503,
        successor: next,
      },
    ],
  ]
  it.each(table)('%s', (_name, result, over, expected) => {
    const claim = makeClaim(over)
    const settlement = settlementOf(makeDeps().deps, claim, result, NOW)
    expect(settlement).toMatchObject({ eventId: claim.id, version: 2, at: NOW, ...expected })
    if (settlement.kind === 'terminal') expect(settlement.planRevision).toBe(5)
  })

  it('adds jitter to retries', () => {
    const { deps } = makeDeps({ dice: () => 0.5 })
    expect(settlementOf(deps, makeClaim(), UNAVAILABLE, NOW)).toMatchObject({ wakeAt: NOW + 1_250 })
  })

  it('plans the successor in the timezone the person has now', () => {
    const claim = makeClaim()
    const moved = { ...claim, user: { ...claim.user, timezone: 'Asia/Tokyo' as never } }
    expect(settlementOf(makeDeps().deps, moved, DELIVERED, NOW)).toMatchObject({
      successor: {
        targetAt: Date.parse('2027-06-15T00:00:00Z'),
        timezone: 'Asia/Tokyo',
        offsetSeconds: 32_400,
      },
    })
  })

  it('gives the successor a new id and the same occasion', () => {
    const claim = makeClaim()
    const settlement = settlementOf(makeDeps().deps, claim, DELIVERED, NOW)
    expect(settlement).toMatchObject({ successor: { occasionId: claim.occasionId } })
    expect(settlement.kind === 'terminal' && settlement.successor!.id).not.toBe(claim.id)
  })
})

describe('replanSettlement', () => {
  it('keeps the outcome and plans the successor from the fresh claim', () => {
    const { deps } = makeDeps()
    const claim = makeClaim()
    const settled = settlementOf(deps, claim, GONE, NOW)
    const fresh = { ...claim, planRevision: 6, user: { ...claim.user, dateOfBirth: '1990-07-01' as never } }
    const exchange = { destination: 'https://example.com/hook', response: null }
    expect(replanSettlement(deps, fresh, { ...settled, exchange })).toMatchObject({
      exchange,
      eventId: claim.id,
      at: NOW,
      status: 'FAILED',
      failure: { code: 'HTTP 410', lastError: 'HTTP 410' },
      statusCode: 410,
      planRevision: 6,
      successor: { occurrence: '2027', targetAt: Date.parse('2027-07-01T09:00:00Z') },
    })
  })

  it('does not change a retry or a release', () => {
    const { deps } = makeDeps()
    const claim = makeClaim()
    for (const settlement of [settlementOf(deps, claim, UNAVAILABLE, NOW), release(claim, NOW)]) {
      expect(replanSettlement(deps, { ...claim, planRevision: 6 }, settlement)).toEqual(settlement)
    }
  })
})

describe('failIfObsolete', () => {
  const cutOff = (claim: Claim) => ({ ...claim, occasion: { ...claim.occasion, notAfter: '21:00' } })

  it('returns null for an event that may still be tried', () => {
    const { deps } = makeDeps()
    expect(failIfObsolete(deps, makeClaim(), NOW)).toBeNull()
    expect(failIfObsolete(deps, cutOff(makeClaim()), NINE + 12 * HOUR)).toBeNull()
  })

  it('fails an event after its cut-off, and plans the successor', () => {
    const { deps } = makeDeps()
    expect(failIfObsolete(deps, cutOff(makeClaim()), NINE + 12 * HOUR + 1)).toMatchObject({
      status: 'FAILED',
      failure: { code: 'CUT_OFF' },
      successor: next,
    })
  })

  it('does not cut off a replay', () => {
    const { deps } = makeDeps()
    const replay = cutOff(makeClaim({ replayOf: makeClaim().id }))
    expect(failIfObsolete(deps, replay, NINE + 13 * HOUR)).toBeNull()
  })

  it('fails the reminder of a task that was completed', () => {
    const { deps } = makeDeps()
    const claim = makeClaim()
    const { occasion, task } = makeTask(claim.user, { completedAt: NINE })
    const reminder = { ...claim, occasion, task, eventType: occasion.type }
    expect(failIfObsolete(deps, reminder, NOW)).toMatchObject({
      status: 'FAILED',
      failure: { code: 'TASK_COMPLETED' },
    })
  })
})

it('settlementOf marks a task as reminded only if its reminder was delivered', () => {
  const { deps } = makeDeps()
  const claim = makeClaim()
  const reminder = { ...claim, ...makeTask(claim.user) }
  expect(settlementOf(deps, reminder, DELIVERED, NOW)).toMatchObject({ reminded: reminder.task.id })
  expect(settlementOf(deps, reminder, GONE, NOW)).toMatchObject({ reminded: null })
  expect(settlementOf(deps, claim, DELIVERED, NOW)).toMatchObject({ reminded: null })
})
