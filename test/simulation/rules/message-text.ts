// What messages say.

import { reminderText } from '../oracle/expected-text.ts'
import { isBelated, limitOf } from '../oracle/lateness.ts'
import { changesOf, type EventRow, type Ledger, type OccasionRow } from '../record/ledger.ts'
import { createRecent } from '../record/recent-versions.ts'
import { firstWrong, type Rule } from './rule.ts'

type Payload = { event_id: string; body: string }

const asAsked: Rule = {
  name: 'said as asked',
  words:
    'A message says what was lately stored for the language of its person, by their name, that it is belated where it is, and a mail goes to their address.',
  watch(scenario) {
    const recent = createRecent()
    return (entry, ledger) => {
      recent.take(entry)
      if (entry.kind !== 'commit' || entry.op !== 'claimDue') return null
      return firstWrong(changesOf<Payload>(entry.rows, 'payloads'), ({ before, after }) => {
        if (before !== null || after === null) return null
        const { message, to } = JSON.parse(after.body) as { message: string; to?: string }
        const event = ledger.eventOf(after.event_id)!
        const occasion = asWritten(ledger, entry.who, event)
        const named = occasion.channel_id
        const isMail = named === null ? to !== undefined : ledger.channels.get(named)!.kind === 'smtp'
        const fits = recent
          .tellings(occasion, entry.at, isBelated(scenario, ledger, event))
          .some(
            ({ words, email }) =>
              words === message && (isMail ? to === email && email !== null : to === undefined),
          )
        return fits ? null : `${event.id} says "${message}"${to === undefined ? '' : ` to ${to}`}.`
      })
    }
  },
}

/** The occasion with the words that it has; a reminder's are about its task. */
function asWritten(ledger: Ledger, who: string, event: EventRow): OccasionRow {
  const occasion = ledger.occasionTaken(who, event.id)!
  const task = ledger.taskTaken(who, event.id)
  if (task === undefined) return occasion
  return { ...occasion, template: reminderText(task.title, task.due_at, event.offset_seconds) }
}

const tooLate: Rule = {
  name: 'too late is too late',
  words: 'What is later than its kind may be is not written any more, unless somebody asked for it again.',
  watch: (scenario) => (entry, ledger) => {
    if (entry.kind !== 'commit') return null
    return firstWrong(changesOf<Payload>(entry.rows, 'payloads'), ({ before, after }) => {
      const event = before === null && after !== null ? ledger.eventOf(after.event_id)! : null
      if (event === null || event.replay_of !== null) return null
      const limit = limitOf(scenario, ledger.occasionOf(event.occasion_id)!.type, 'missedAfterMs')
      const lateMs = event.claimed_at! - event.target_at
      return limit !== null && lateMs > limit ? `${event.id} is sent ${lateMs} ms late, not ${limit}.` : null
    })
  },
}

export const WORD_RULES: readonly Rule[] = [asAsked, tooLate]
