// Invariants of the ledger.
import { firstWrong, type Rule } from './rule.ts'

const everyDayIsExplained: Rule = {
  name: 'every day is explained',
  description:
    'The ledger, which computes independently of the planner who was owed which message, explains every message that was sent or not sent.',
  watch: () => (entry) => {
    if (entry.kind !== 'account') return null
    return firstWrong(entry.lines, ({ column, reason, occasionId, eventId, occurrence, dueAt }) => {
      const due = dueAt === null ? '' : `, due ${new Date(dueAt).toISOString()}`
      return `${column} ${reason}: occasion ${occasionId}, event ${eventId}, occurrence ${occurrence}${due}.`
    })
  },
}

export const ACCOUNT_RULES: readonly Rule[] = [everyDayIsExplained]
