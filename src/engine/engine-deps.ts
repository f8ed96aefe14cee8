// What every stage of the engine depends on, and what one stage passes to the next.
import type { KeepResponses } from '../domain/events/exchange.ts'
import type { LatenessPolicy } from '../domain/events/lateness.ts'
import type { RetryPolicy } from '../domain/events/retry-policy.ts'
import type { Claim, Settlement } from '../ports/claim.ts'
import type { Clock, Dice } from '../ports/clock.ts'
import type { ConnectedStore, EventStore, LimitStore } from '../ports/store.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import type { Destinations } from './deliver/destinations.ts'
import type { Templates } from './deliver/templates.ts'
import type { Planner } from './plan.ts'

/** The dependencies of every stage of the engine. */
export type EngineDeps = {
  store: EventStore & LimitStore & Pick<ConnectedStore, 'check'>
  clock: Clock
  planner: Planner
  dice: Dice
  telemetry: Telemetry
  retryPolicy: RetryPolicy
  templates: Templates
  destinations: Destinations
  /** How late events of a kind may be. */
  lateness: LatenessPolicy
  keepResponses: KeepResponses
}

/** A claim, and the settlement to write for it. `isWritten`: its channel has written it. */
export type Outcome = { claim: Claim; settlement: Settlement; isWritten?: true }
