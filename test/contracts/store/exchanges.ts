// The destination and the response of each attempt, which are stored with it.
import { describe, expect } from 'vitest'
import type { Exchange } from '../../../src/domain/events/exchange.ts'
import { failureReason } from '../../../src/domain/events/failure-reason.ts'
import { HOUR, T0 } from '../../support/fixtures.ts'
import type { StoreIt } from '../store.contract.ts'
import {
  attemptsOf,
  claimAt,
  createClaimed,
  createOneClaimed,
  delivered,
  eventOf,
  failed,
  release,
  released,
  retry,
} from './steps.ts'

function exchangeNo(number: number): Exchange {
  const response = { headers: { 'content-type': 'text/plain' }, body: `response ${number}`, shortened: false }
  return { destination: `https://example.com/hook-${number}`, response }
}

export function describeExchanges(it: StoreIt): void {
  describe('the response to an attempt', () => {
    it('is stored with its attempt: after a retry, a released send and the attempt that settled the event', async (store) => {
      const { claim } = await createOneClaimed(store)
      await store.settle([{ ...retry(claim, T0 + HOUR), exchange: exchangeNo(1) }])
      const [second] = await claimAt(store, T0 + HOUR)
      await store.settle([{ ...released(second!, T0 + 2 * HOUR), exchange: exchangeNo(2) }])
      const [third] = await claimAt(store, T0 + 2 * HOUR)
      await store.settle([failed(third!, 'HTTP 410', { exchange: exchangeNo(3) })])
      const attempts = await attemptsOf(store, claim.id)
      expect(attempts.map(({ exchange }) => exchange)).toEqual([1, 2, 3].map(exchangeNo))
    })

    it.transport('belongs to its own event when many are settled at once', async (store) => {
      const { claims } = await createClaimed(store, 6)
      const settlements = claims.map((claim, number) => {
        const settlement = number % 2 === 0 ? delivered(claim) : retry(claim, T0 + HOUR)
        return { ...settlement, ...(number < 4 && { exchange: exchangeNo(number) }) }
      })
      await store.settle(settlements)
      const stored = await Promise.all(claims.map(({ id }) => attemptsOf(store, id)))
      expect(stored.map(([attempt]) => attempt!.exchange)).toEqual([
        ...[0, 1, 2, 3].map(exchangeNo),
        null,
        null,
      ])
    })

    it.transport(
      'keeps every character, also those that a database or JSON treats specially',
      async (store) => {
        const { claim } = await createOneClaimed(store)
        const body = `\0 "quoted" \\ {1,2} 'x' \u2028 é€😀 ${'x'.repeat(4_000)}`
        const exchange = { ...exchangeNo(1), response: { headers: {}, body, shortened: true } }
        await store.settle([delivered(claim, { exchange })])
        expect((await attemptsOf(store, claim.id))[0]?.exchange).toEqual(exchange)
      },
    )

    it('is null for an event that was settled without being stored, and for a lost attempt', async (store) => {
      const { claim } = await createOneClaimed(store)
      const [again] = await claimAt(store, T0 + HOUR)
      await store.settle([release(again!)])
      const [last] = await claimAt(store, T0 + 2 * HOUR)
      await store.settle([delivered(last!)])
      const attempts = await attemptsOf(store, claim.id)
      expect(attempts.map(({ outcome, exchange }) => [outcome, exchange])).toEqual([
        ['UNKNOWN', null],
        ['DELIVERED', null],
      ])
    })

    it('is not part of the event in lists', async (store) => {
      const { claim } = await createOneClaimed(store)
      await store.settle([failed(claim, 'HTTP 410', { exchange: exchangeNo(1) })])
      const event = await eventOf(store, claim.id)
      expect(failureReason(event)).toBe('HTTP 410')
      const { items } = await store.listEvents({ limit: 10, cursor: null, status: 'FAILED' })
      expect(items).toEqual([event])
      expect(event).not.toHaveProperty('exchange')
    })
  })
}
