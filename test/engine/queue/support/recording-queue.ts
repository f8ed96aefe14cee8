// A queue that only records, and the settings of a consumer in a world with a test clock.

import type { EngineDeps } from '../../../../src/engine/engine-deps.ts'
import type { ConsumerSettings } from '../../../../src/engine/queue/consumer.ts'
import type { ClaimRef } from '../../../../src/ports/claim.ts'
import type { Message, Queue, SendResult } from '../../../../src/ports/queue.ts'
import { BUILT_IN_ONLY } from '../../../support/fixed-parts.ts'
import { MINUTE } from '../../../support/fixtures.ts'
import { SETTINGS, type World } from '../../support/world.ts'

export const LEASE = 20 * MINUTE

export function depsOf(world: World): EngineDeps {
  return world.deps({ templates: BUILT_IN_ONLY })
}

export const WORK: ConsumerSettings = { leaseMs: LEASE, concurrency: 8, breaker: SETTINGS.breaker }

/** Accepts everything by default, and records it in order. */
export function rememberingQueue(
  respond: (refs: readonly ClaimRef[]) => Promise<SendResult> = async () => ({ failed: [], error: null }),
): Queue & { sent: ClaimRef[] } {
  const sent: ClaimRef[] = []
  return {
    sent,
    async send(refs) {
      const result = await respond(refs)
      sent.push(...refs.filter((ref) => !result.failed.includes(ref)))
      return result
    },
  }
}

export function received(refs: readonly ClaimRef[], receives = 1): Message[] {
  return refs.map((ref) => ({ ...ref, receives }))
}

/** Moves the clock step by step until that is done, and no further than told. */
export async function whileTimePasses<T>(world: World, work: Promise<T>, atMostMs: number): Promise<T> {
  let over = false
  const done = work.finally(() => {
    over = true
  })
  for (let passed = 0; !over && passed < atMostMs; passed += 100) await world.clock.advance(100)
  if (!over) throw new Error(`It was not done after ${atMostMs} ms.`)
  return done
}
