// Every change of an event's status that a store's SQL makes is a transition of the domain's state machine.

import { describe, expect } from 'vitest'
import type { EventStatus } from '../../../src/domain/events/event-status.ts'
import { isValidTransition } from '../../../src/domain/events/event-status.ts'
import type { Claim } from '../../../src/ports/claim.ts'
import type { Store } from '../../../src/ports/store.ts'
import { DAY, HOUR, newId, T0 } from '../../support/fixtures.ts'
import type { StoreIt } from '../store.contract.ts'
import {
  allPages,
  claimAt,
  createClaimed,
  createOneClaimed,
  delivered,
  failed,
  LEASE,
  release,
  released,
  retry,
} from './steps.ts'

type Seen = { status: EventStatus; version: number }

async function readStatuses(store: Store): Promise<Map<string, Seen>> {
  const events = await allPages((cursor) => store.listEvents({ limit: 100, cursor }))
  return new Map(events.map(({ id, status, version }) => [id, { status, version }]))
}

/** Runs a step and returns the transitions that it made, such as `PENDING → PROCESSING`. Throws for an invalid one. */
async function transitionsOf(store: Store, step: () => Promise<unknown>): Promise<string[]> {
  const before = await readStatuses(store)
  await step()
  const transitions: string[] = []
  for (const [id, after] of await readStatuses(store)) {
    const from = before.get(id)
    if (from === undefined) {
      if (after.status !== 'PENDING') throw new Error(`A new event is ${after.status}.`)
      continue
    }
    if (from.version === after.version && from.status === after.status) continue
    const transition = `${from.status} → ${after.status}`
    if (!isValidTransition(from.status, after.status)) throw new Error(`${transition} is no transition.`)
    transitions.push(transition)
  }
  return transitions
}

export function describeTransitions(it: StoreIt): void {
  describe('the status of an event', () => {
    it('changes from PENDING to PROCESSING when the event is claimed', async (store) => {
      const { claim } = await createOneClaimed(store)
      await store.settle([delivered(claim)])
      const claiming = () => claimAt(store, claim.targetAt + 366 * DAY)
      expect(await transitionsOf(store, claiming)).toEqual(['PENDING → PROCESSING'])
    })

    it('stays PROCESSING when a claim follows an expired lease, a retry or a release', async (store) => {
      let { claim } = await createOneClaimed(store)
      const claimAgain = async (at: number) => {
        claim = (await claimAt(store, at))[0]!
      }
      const again = ['PROCESSING → PROCESSING']
      expect(await transitionsOf(store, () => claimAgain(T0 + LEASE))).toEqual(again)
      const settlements = [
        (of: Claim, at: number) => retry(of, at),
        (of: Claim, at: number) => released(of, at),
        (of: Claim, at: number) => release(of, at - 1, at),
      ]
      for (const [i, settlement] of settlements.entries()) {
        const at = T0 + (i + 1) * HOUR
        expect(await transitionsOf(store, () => store.settle([settlement(claim, at)]))).toEqual(again)
        expect(await transitionsOf(store, () => claimAgain(at))).toEqual(again)
      }
    })

    it('changes from PROCESSING to COMPLETED or FAILED when the event is settled', async (store) => {
      const { claims } = await createClaimed(store, 2)
      const settling = () => store.settle([delivered(claims[0]!), failed(claims[1]!, 'HTTP 410')])
      expect((await transitionsOf(store, settling)).sort()).toEqual([
        'PROCESSING → COMPLETED',
        'PROCESSING → FAILED',
      ])
    })

    it('stays FAILED when the event is replayed and pruning or a late settlement comes by', async (store) => {
      const { claim } = await createOneClaimed(store)
      await store.settle([failed(claim, 'HTTP 410')])
      const replay = { of: claim.id, id: newId(T0 + HOUR), ownKey: false, at: T0 + HOUR }
      expect(await transitionsOf(store, () => store.replay([replay]))).toEqual([])
      expect(await transitionsOf(store, () => store.settle([delivered(claim), retry(claim, T0)]))).toEqual([])
      expect(await transitionsOf(store, () => store.prune({ before: T0 + DAY, limit: 10 }))).toEqual([])
    })
  })
}
