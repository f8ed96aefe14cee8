// One delivery attempt: the request, and the settlement of its result.
import { describe, expect, it } from 'vitest'
import { idempotencyKey } from '../../../src/domain/events/idempotency-key.ts'
import { attempt } from '../../../src/engine/deliver/attempt.ts'
import { BREAKER } from '../../../src/engine/deliver/circuit-breaker.ts'
import { createDestinationQueues } from '../../../src/engine/deliver/destination-queues.ts'
import type { Delivery } from '../../../src/ports/channel.ts'
import type { Claim, Settlement } from '../../../src/ports/claim.ts'
import { onlyDestination } from '../../support/fixed-parts.ts'
import { DELIVERED, GONE, type Step, UNAVAILABLE } from '../../support/fixtures.ts'
import { ALONE, makeClaim, makeDeps, NOW } from '../support/claims.ts'

type Deps = ReturnType<typeof makeDeps>['deps']

async function tryOnce(deps: Deps, claim: Claim, signal?: AbortSignal) {
  return (await outcomeOf(deps, claim, signal)).settlement
}

async function outcomeOf(deps: Deps, claim: Claim, signal = new AbortController().signal) {
  const queues = createDestinationQueues({
    destinations: deps.destinations,
    clock: ALONE.clock,
    probeMs: 10_000,
    breaker: { ...BREAKER, failures: 2 },
    limiter: ALONE,
  })
  return attempt(deps, { ...claim, body: 'body' }, { queues, signal, isBatch: false })
}

describe('an attempt', () => {
  it.each([
    ['retried', 'webhook', 'retry'],
    ['released, and holds its channel', 'smtp', 'release'],
  ] as const)('with status 535 is %s, if the channel is %s', async (_, kind, expected) => {
    const { deps, channel } = makeDeps()
    const claim = makeClaim()
    channel.script(claim.id, { kind: 'transient', error: 'status 535', statusCode: 535 })
    const suspended: string[] = []
    const destinations = {
      ...deps.destinations,
      of: (id: string | null) => ({ ...deps.destinations.of(id), kind }),
      suspend: (_destination: unknown, status: string) => void suspended.push(status),
    }
    expect((await tryOnce({ ...deps, destinations }, claim)).kind).toBe(expected)
    expect(suspended).toEqual(kind === 'smtp' ? ['HELD'] : [])
  })

  it('sends the body under the idempotency key of its occurrence, with the number of its attempt', async () => {
    const { deps, channel, notices } = makeDeps()
    const claim = makeClaim({ retryCount: 2, attempt: 16 })
    const settlement = await tryOnce(deps, claim)
    const { occasionId, occurrence, user } = claim
    const key = idempotencyKey({ userId: user.id, occasionId, occurrence })
    expect(channel.sent).toEqual([
      { eventId: claim.id, idempotencyKey: key, body: 'body', attempt: 16, keepResponses: 'all', at: NOW },
    ])
    expect(settlement).toMatchObject({ kind: 'terminal', status: 'COMPLETED' })
    const of = {
      eventId: claim.id,
      userId: user.id,
      taskId: null,
      eventType: 'BIRTHDAY',
      targetAt: claim.targetAt,
      channel: 'only',
      idempotencyKey: key,
      attempt: 16,
      retryCount: 2,
    }
    expect(notices).toEqual([
      { kind: 'attempt-started', ...of },
      {
        kind: 'attempt',
        ...of,
        outcome: 'delivered',
        statusCode: 200,
        error: null,
        durationMs: 0,
        lateMs: 4_200,
      },
    ])
  })

  const response = { headers: { server: 'nginx' }, body: 'Hello Ada', shortened: false }
  const destination = 'https://example.com/hook'
  const unreachable: Step = { kind: 'transient', error: 'CONNECTION: ECONNREFUSED', statusCode: null }
  it.each([
    ['all', { ...DELIVERED, response }, { destination, response }],
    ['all', unreachable, { destination, response: null }],
    ['failures', DELIVERED, undefined],
    ['failures', { ...GONE, response }, { destination, response }],
    ['none', unreachable, undefined],
  ] as const)(
    'with KEEP_RESPONSES=%s stores destination and response: %o',
    async (keepResponses, step, expected) => {
      const { deps, channel, notices } = makeDeps({ keepResponses })
      const claim = makeClaim()
      channel.script(claim.id, step)
      const destinations = onlyDestination({ ...channel, destination })
      const settlement = await tryOnce({ ...deps, destinations }, claim)
      expect(settlement.exchange).toEqual(expected)
      expect(channel.sent[0]).toMatchObject({ keepResponses })
      expect(JSON.stringify(notices)).not.toContain('Hello Ada')
    },
  )

  const throws: Step = () => {
    throw new Error('a bug')
  }
  const rejects: Step = () => Promise.reject(new Error('a bug'))
  it.each([
    ['throws', throws],
    ['rejects', rejects],
  ])('is retried, with the class of the error, if the channel %s', async (_how, step) => {
    const { deps, channel } = makeDeps()
    const claim = makeClaim()
    channel.script(claim.id, step)
    expect(await tryOnce(deps, claim)).toMatchObject({
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

  it('is released, and reported as released, if it was aborted', async () => {
    const { deps, channel, notices } = makeDeps()
    const claim = makeClaim()
    channel.script(claim.id, UNAVAILABLE)
    const { id: eventId, claimedAt } = claim
    const expected = { eventId, version: 2, claimedAt, at: NOW, kind: 'release', wakeAt: null, attempt: null }
    expect(await tryOnce(deps, claim, aborted())).toEqual(expected)
    expect(notices.at(-1)).toMatchObject({ kind: 'attempt', outcome: 'released' })
  })

  it('is settled by a channel that settles, and its outcome says that it is written', async () => {
    const written: Settlement[] = []
    const store: Parameters<NonNullable<Delivery['settle']>>[0] = {
      readClaims: async () => [],
      settle: async (all) => {
        written.push(...all)
        return { settled: all.map(({ eventId }) => eventId), stale: [], replan: [] }
      },
    }
    const destinations = onlyDestination({
      settles: true,
      close: async () => {},
      async deliver({ settle }) {
        expect(await settle!(store)).toBe(true)
        return { kind: 'delivered', statusCode: null, isSettled: true }
      },
    })
    const outcome = await outcomeOf(makeDeps({ destinations }).deps, makeClaim())
    expect(outcome.isWritten).toBe(true)
    expect(written).toMatchObject([{ kind: 'terminal', status: 'COMPLETED' }])
  })

  it('counts if the response came before the abort', async () => {
    for (const [step, status] of [
      [DELIVERED, 'COMPLETED'],
      [GONE, 'FAILED'],
    ] as const) {
      const { deps, channel } = makeDeps()
      const claim = makeClaim()
      channel.script(claim.id, step)
      expect(await tryOnce(deps, claim, aborted())).toMatchObject({
        kind: 'terminal',
        status,
      })
    }
  })
})
