// The promise, as what must hold at every step and in the end.
import { createLedger } from '../record/ledger.ts'
import type { Entry } from '../record/trace.ts'
import type { Scenario } from '../scenario.ts'
import { ATTEMPT_RULES } from './attempts.ts'
import { CAUSE_RULES } from './causes.ts'
import { CHANNEL_RULES } from './channels.ts'
import { DELIVERY_RULES } from './delivery.ts'
import { LIVENESS_RULES } from './liveness.ts'
import { WORD_RULES } from './message-text.ts'
import { OCCASION_RULES } from './occasions.ts'
import { PEOPLE_RULES } from './people.ts'
import { QUEUE_RULES } from './queue.ts'
import type { Rule } from './rule.ts'
import { SCHEDULE_RULES } from './schedule.ts'
import { STATE_RULES } from './state.ts'
import { TASK_RULES } from './tasks.ts'
import { TIMEZONE_RULES } from './timezones.ts'
import { TIMING_RULES } from './timing.ts'

export const INVARIANTS: readonly Rule[] = [
  ...DELIVERY_RULES,
  ...WORD_RULES,
  ...STATE_RULES,
  ...ATTEMPT_RULES,
  ...CAUSE_RULES,
  ...CHANNEL_RULES,
  ...SCHEDULE_RULES,
  ...OCCASION_RULES,
  ...TASK_RULES,
  ...TIMEZONE_RULES,
  ...PEOPLE_RULES,
  ...TIMING_RULES,
  ...LIVENESS_RULES,
  ...QUEUE_RULES,
]

export type Violation = { at: number; rule: string; words: string; detail: string }

/** Shows entries to the invariants, one after the other; the answer is the first that does not hold. */
export function watchInvariants(
  scenario: Scenario,
  rules: readonly Rule[],
): (entry: Entry) => Violation | null {
  const ledger = createLedger()
  const watchers = rules.map(({ name, words, watch }) => ({ name, words, see: watch(scenario) }))
  return (entry) => {
    ledger.take(entry)
    for (const { name, words, see } of watchers) {
      const detail = see(entry, ledger)
      if (detail !== null) return { at: entry.at, rule: name, words, detail }
    }
    return null
  }
}
