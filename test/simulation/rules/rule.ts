// What an invariant is: a name, a sentence, and a watcher that sees every entry of the trace after the ledger took it,
// and says what is wrong with it, if anything.
import type { Ledger } from '../record/ledger.ts'
import type { Entry } from '../record/trace.ts'
import type { Scenario } from '../scenario.ts'

export type Watcher = (entry: Entry, ledger: Ledger) => string | null

export type Rule = {
  name: string
  /** As a user would read it. */
  words: string
  watch(scenario: Scenario): Watcher
}

/** The first complaint about any of the items. */
export function firstWrong<T>(items: Iterable<T>, complaint: (item: T) => string | null): string | null {
  for (const item of items) {
    const wrong = complaint(item)
    if (wrong !== null) return wrong
  }
  return null
}
