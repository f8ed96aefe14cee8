// The queues of events that wait to be sent, by destination.
import { expect, it } from 'vitest'
import { BREAKER } from '../../../src/engine/deliver/circuit-breaker.ts'
import { createDestinationQueues } from '../../../src/engine/deliver/destination-queues.ts'
import type { ReadyClaim } from '../../../src/ports/claim.ts'
import { ALONE, makeClaim, makeDeps, NOW } from '../support/claims.ts'

it('An event without a channel waits for the new default channel when the default changes.', () => {
  const { destinations } = makeDeps().deps
  let defaultId = 'one'
  const queues = createDestinationQueues({
    destinations: { ...destinations, of: (id) => ({ ...destinations.of(id), id: id ?? defaultId }) },
    clock: ALONE.clock,
    probeMs: 10_000,
    breaker: BREAKER,
    limiter: ALONE,
  })
  const claim: ReadyClaim = { ...makeClaim(), body: 'body' }
  queues.add(claim)
  const before = queues.ready(NOW)!
  defaultId = 'two'
  const after = queues.ready(NOW)!
  expect(after).not.toBe(before)
  expect(before.waiting).toEqual([])
  expect(queues.start(after)).toBe(claim)
})
