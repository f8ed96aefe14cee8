// Invariants of the ledger.
import { firstWrong, type Rule } from './rule.ts'

const nobodyIsMissed: Rule = {
  name: 'nobody is missed',
  description:
    'At the end of a run the ledger finds no fault in any plan, no event that stands still, and an outcome for every message of each day.',
  watch: () => (entry) =>
    entry.kind === 'account' ? firstWrong(entry.problems, (problem) => problem) : null,
}

export const ACCOUNT_RULES: readonly Rule[] = [nobodyIsMissed]
