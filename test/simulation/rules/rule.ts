// An invariant: a name, a sentence, and a watcher. The watcher gets every trace entry after the ledger applied it, and
// returns the violation, or null.
import type { Ledger } from '../record/ledger.ts'
import type { Entry } from '../record/trace.ts'
import type { Scenario } from '../scenario.ts'

export type Watcher = (entry: Entry, ledger: Ledger) => string | null

export type Rule = {
  name: string
  /** One sentence for a user of the product. */
  description: string
  watch(scenario: Scenario): Watcher
}

/** The first violation among the items. */
export function firstWrong<T>(items: Iterable<T>, violationOf: (item: T) => string | null): string | null {
  for (const item of items) {
    const wrong = violationOf(item)
    if (wrong !== null) return wrong
  }
  return null
}
