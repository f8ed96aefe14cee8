// Lateness limits by kind, looked up in the scenario independently of the product.
import type { Lateness } from '../../../src/domain/events/lateness.ts'
import type { EventRow, Ledger } from '../record/ledger.ts'
import type { Scenario } from '../scenario.ts'

/** Null for no limit. */
export function limitOf({ lateness }: Pick<Scenario, 'lateness'>, type: string, which: keyof Lateness) {
  const limits = Object.hasOwn(lateness, type) ? lateness[type] : lateness['*']
  return limits?.[which] ?? null
}

/** How far a worker's clock may be ahead of the clock that stamped the claim. */
const AHEAD_MS = 4_000

/** Whether a message is belated; null if that depends on the worker's clock. */
export function isBelated(scenario: Scenario, ledger: Ledger, event: EventRow): boolean | null {
  const limit = limitOf(scenario, ledger.occasionOf(event.occasion_id)!.type, 'belatedAfterMs')
  const lateMs = event.claimed_at! - event.target_at
  if (limit === null || lateMs + AHEAD_MS < limit) return false
  return lateMs > limit ? true : null
}
