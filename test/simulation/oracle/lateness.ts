// How late a message may be, by its kind: what the scenario says, looked up a second time.
import type { Lateness } from '../../../src/domain/events/lateness.ts'
import type { EventRow, Ledger } from '../record/ledger.ts'
import type { Scenario } from '../scenario.ts'

/** Null for no limit. */
export function limitOf({ lateness }: Pick<Scenario, 'lateness'>, type: string, which: keyof Lateness) {
  const limits = Object.hasOwn(lateness, type) ? lateness[type] : lateness['*']
  return limits?.[which] ?? null
}

/** A worker's clock may be that far ahead of the one that a claim was stamped by. */
const AHEAD_MS = 4_000

/** Whether a message that was taken so late says that it is belated; null where that depends on whose clock is asked. */
export function isBelated(scenario: Scenario, ledger: Ledger, event: EventRow): boolean | null {
  const limit = limitOf(scenario, ledger.occasionOf(event.occasion_id)!.type, 'belatedAfterMs')
  const lateMs = event.claimed_at! - event.target_at
  if (limit === null || lateMs + AHEAD_MS < limit) return false
  return lateMs > limit ? true : null
}
