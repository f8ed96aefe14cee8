// The promise, as what must hold at every step and in the end.
import { createLedger } from './ledger.ts'
import { ATTEMPT_RULES } from './rules/attempts.ts'
import { CAUSE_RULES } from './rules/causes.ts'
import { CHANNEL_RULES } from './rules/channels.ts'
import { DELIVERY_RULES } from './rules/delivery.ts'
import { LIVENESS_RULES } from './rules/liveness.ts'
import { OCCASION_RULES } from './rules/occasions.ts'
import { PEOPLE_RULES } from './rules/people.ts'
import { QUEUE_RULES } from './rules/queue.ts'
import type { Rule } from './rules/rule.ts'
import { SCHEDULE_RULES } from './rules/schedule.ts'
import { STATE_RULES } from './rules/state.ts'
import { TASK_RULES } from './rules/tasks.ts'
import { TIMEZONE_RULES } from './rules/timezones.ts'
import { TIMING_RULES } from './rules/timing.ts'
import { WORD_RULES } from './rules/words.ts'
import type { Scenario } from './scenario.ts'
import type { Entry } from './trace.ts'

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
