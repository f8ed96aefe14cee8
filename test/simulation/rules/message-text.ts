// Invariants of the text of messages, their addresses and their lateness.

import { reminderText } from '../oracle/expected-text.ts'
import { isBelated, limitOf } from '../oracle/lateness.ts'
import { changesOf, type EventRow, type Ledger, type OccasionRow } from '../record/ledger.ts'
import { createRecent } from '../record/recent-versions.ts'
import { firstWrong, type Rule } from './rule.ts'

type Payload = { event_id: string; body: string }

const rightTextAndAddress: Rule = {
  name: 'right text and address',
  description:
    'A message uses a recently stored text for the language of the person, with their name, says that it is belated if it is, and a mail goes to their address.',
  watch(scenario) {
    const recent = createRecent()
    return (entry, ledger) => {
      recent.apply(entry)
      if (entry.kind !== 'commit' || entry.op !== 'claimDue') return null
      return firstWrong(changesOf<Payload>(entry.rows, 'payloads'), ({ before, after }) => {
        if (before !== null || after === null) return null
        const { message, to } = JSON.parse(after.body) as { message: string; to?: string }
        const event = ledger.eventOf(after.event_id)!
        const occasion = asWritten(ledger, entry.who, event)
        const named = occasion.channel_id
        const isMail = named === null ? to !== undefined : ledger.channels.get(named)!.kind === 'smtp'
        const possible = recent.possibleMessages(occasion, entry.at, isBelated(scenario, ledger, event))
        // A handler composes its own message: its event needs no text.
        const hasNoText =
          possible.some(({ text }) => text === null) && named === null && scenario.handlers !== undefined
        const fits =
          (hasNoText && message === '' && to === undefined) ||
          possible.some(
            ({ text, email }) =>
              text === message && (isMail ? to === email && email !== null : to === undefined),
          )
        return fits ? null : `${event.id} says "${message}"${to === undefined ? '' : ` to ${to}`}.`
      })
    }
  },
}

/** The occasion with its own template. A reminder's template is about its task. */
function asWritten(ledger: Ledger, who: string, event: EventRow): OccasionRow {
  const occasion = ledger.occasionAtClaim(who, event.id)!
  const task = ledger.taskAtClaim(who, event.id)
  if (task === undefined) return occasion
  const where = { timezone: event.timezone, release: ledger.releaseOf(who) }
  return { ...occasion, template: reminderText(task.title, task.due_at, where) }
}

const nothingAfterTheLatenessLimit: Rule = {
  name: 'nothing after the lateness limit',
  description: 'A message that is later than the limit of its kind is not rendered, except for a replay.',
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

export const TEXT_RULES: readonly Rule[] = [rightTextAndAddress, nothingAfterTheLatenessLimit]
