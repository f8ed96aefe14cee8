// All invariants: they must hold after every step and at the end of a run.
import { createLedger } from '../record/ledger.ts'
import type { Entry } from '../record/trace.ts'
import type { Scenario } from '../scenario.ts'
import { ACCOUNT_RULES } from './accounts.ts'
import { ATTEMPT_RULES } from './attempts.ts'
import { CAUSE_RULES } from './causes.ts'
import { CHANNEL_RULES } from './channels.ts'
import { CLAIM_RULES } from './claims.ts'
import { DELIVERY_RULES } from './delivery.ts'
import { DESTINATION_RULES } from './destinations.ts'
import { HAND_OVER_RULES } from './hand-over.ts'
import { HANDLER_RULES } from './handlers.ts'
import { LIVENESS_RULES } from './liveness.ts'
import { TEXT_RULES } from './message-text.ts'
import { MOVE_RULES } from './moves.ts'
import { OCCASION_RULES } from './occasions.ts'
import { PEOPLE_RULES } from './people.ts'
import { QUEUE_RULES } from './queue.ts'
import { RECOVERY_RULES } from './recovery.ts'
import type { Rule } from './rule.ts'
import { SCHEDULE_RULES } from './schedule.ts'
import { STATE_RULES } from './state.ts'
import { TASK_RULES } from './tasks.ts'
import { TIMEZONE_RULES } from './timezones.ts'
import { TIMING_RULES } from './timing.ts'

export const INVARIANTS: readonly Rule[] = [
  ...DELIVERY_RULES,
  ...TEXT_RULES,
  ...STATE_RULES,
  ...CLAIM_RULES,
  ...ATTEMPT_RULES,
  ...CAUSE_RULES,
  ...CHANNEL_RULES,
  ...RECOVERY_RULES,
  ...DESTINATION_RULES,
  ...SCHEDULE_RULES,
  ...MOVE_RULES,
  ...OCCASION_RULES,
  ...TASK_RULES,
  ...TIMEZONE_RULES,
  ...PEOPLE_RULES,
  ...TIMING_RULES,
  ...LIVENESS_RULES,
  ...QUEUE_RULES,
  ...HAND_OVER_RULES,
  ...HANDLER_RULES,
  ...ACCOUNT_RULES,
]

export type Violation = { at: number; rule: string; description: string; detail: string }

/** Checks the invariants entry by entry. Returns the first violation, or null. */
export function watchInvariants(
  scenario: Scenario,
  rules: readonly Rule[],
): (entry: Entry) => Violation | null {
  const ledger = createLedger(scenario)
  const watchers = rules.map(({ name, description, watch }) => ({ name, description, see: watch(scenario) }))
  return (entry) => {
    ledger.apply(entry)
    for (const { name, description, see } of watchers) {
      const detail = see(entry, ledger)
      if (detail !== null) return { at: entry.at, rule: name, description, detail }
    }
    return null
  }
}
