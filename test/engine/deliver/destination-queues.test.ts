// The queues of events that wait to be sent, by destination.
import { expect, it } from 'vitest'
import { BREAKER } from '../../../src/engine/deliver/circuit-breaker.ts'
import { createDestinationQueues } from '../../../src/engine/deliver/destination-queues.ts'
import type { ReadyClaim } from '../../../src/ports/claim.ts'
import { ALONE, makeClaim, makeDeps, NO_RECOVERY, NOW } from '../support/claims.ts'

it('An event without a channel waits for the new default channel when the default changes.', () => {
  const { destinations } = makeDeps().deps
  let defaultId = 'one'
  const queues = createDestinationQueues({
    destinations: { ...destinations, of: (id) => ({ ...destinations.of(id), id: id ?? defaultId }) },
    dice: () => 0,
    breaker: BREAKER,
    recovery: NO_RECOVERY,
    limiter: ALONE,
  })
  const claim: ReadyClaim = { ...makeClaim(), body: 'body' }
  expect(queues.admit(claim, NOW)).toEqual({ kind: 'queue' })
  const before = queues.ready(NOW)!
  defaultId = 'two'
  const after = queues.ready(NOW)!
  expect(after).not.toBe(before)
  expect(before.waiting).toEqual([])
  expect(queues.start(after)).toBe(claim)
})
