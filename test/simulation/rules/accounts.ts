// Invariants of the ledger.
import type { LedgerLine } from '../../../src/domain/ledger/line.ts'
import { DAY, HOUR } from '../../support/fixtures.ts'
import type { EventRow, Ledger } from '../record/ledger.ts'
import type { ClosedDays } from '../support/closed-days.ts'
import { firstWrong, type Rule } from './rule.ts'

const everyDayIsExplained: Rule = {
  name: 'every day is explained',
  description:
    'The ledger, which computes independently of the planner who was owed which message, explains every message that was sent or not sent.',
  watch: () => (entry) => {
    if (entry.kind !== 'account') return null
    return firstWrong(entry.lines, faultOf)
  },
}

/** All workers of a scenario may be down for longer than a week: then the line is right. Other rules say when they must deliver. */
function faultOf(line: LedgerLine): string | null {
  const { column, reason, occasionId, eventId, occurrence, dueAt } = line
  if (reason === 'OPEN_TOO_LONG') return null
  const due = dueAt === null ? '' : `, due ${new Date(dueAt).toISOString()}`
  return `${column} ${reason}: occasion ${occasionId}, event ${eventId}, occurrence ${occurrence}${due}.`
}

const closedDaysAreComplete: Rule = {
  name: 'closed days are complete',
  description:
    'The ledger closes every day that has ended, although its processes crash: the hashes fit the lines, nothing is unexplained or surplus, and every delivered message, replays too, is on exactly one day.',
  watch: () => (entry, ledger) => {
    if (entry.kind !== 'closed') return null
    const { findings, lines, delivered } = entry
    const wrong = findings[0] ?? firstWrong(lines, faultOf)
    if (wrong !== null) return wrong
    const counts = new Map<string, number>()
    for (const id of delivered) counts.set(id, (counts.get(id) ?? 0) + 1)
    return firstWrong(deliveredWithin(ledger, entry), ({ id }) =>
      counts.get(id) === 1 ? null : `${id} was delivered and is on ${counts.get(id) ?? 0} days.`,
    )
  },
}

/** The events that were delivered for the closed days. The first and the last day may share theirs with days that are not closed. */
function deliveredWithin({ events, occasions }: Ledger, { days }: ClosedDays): EventRow[] {
  const [first, last] = [days[1], days.at(-2)]
  if (first === undefined || last === undefined) return []
  return [...events.values()].filter((event) => {
    const day = (event.target_at + event.offset_seconds * 1000) / DAY
    const isWithin = day >= Date.parse(first.day) / DAY && day < Date.parse(last.day) / DAY
    const isDelivered = event.status === 'COMPLETED' && event.executed_at! < last.closedAt - HOUR
    // A replay may be delivered after its day was closed, even long after it.
    const isReplayed = event.replay_of !== null && event.executed_at! >= Date.parse(first.day) + DAY
    return (isWithin || isReplayed) && isDelivered && occasions.has(event.occasion_id)
  })
}

export const ACCOUNT_RULES: readonly Rule[] = [everyDayIsExplained, closedDaysAreComplete]
