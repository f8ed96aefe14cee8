// What messages say.
import { changesOf } from '../ledger.ts'
import { createRecent } from '../recent.ts'
import { firstWrong, type Rule } from './rule.ts'

type Payload = { event_id: string; body: string }

const asAsked: Rule = {
  name: 'said as asked',
  words:
    'A message says what was lately stored for the language of its person, by their name, and a mail goes to their address.',
  watch() {
    const recent = createRecent()
    return (entry, ledger) => {
      recent.take(entry)
      if (entry.kind !== 'commit' || entry.op !== 'claimDue') return null
      return firstWrong(changesOf<Payload>(entry.rows, 'payloads'), ({ before, after }) => {
        if (before !== null || after === null) return null
        const { message, to } = JSON.parse(after.body) as { message: string; to?: string }
        const event = ledger.eventOf(after.event_id)!
        const occasion = ledger.occasionTaken(entry.who, event.id)!
        const named = occasion.channel_id
        const isMail = named === null ? to !== undefined : ledger.channels.get(named)!.kind === 'smtp'
        const fits = recent
          .tellings(occasion, entry.at)
          .some(
            ({ words, email }) =>
              words === message && (isMail ? to === email && email !== null : to === undefined),
          )
        return fits ? null : `${event.id} says "${message}"${to === undefined ? '' : ` to ${to}`}.`
      })
    }
  },
}

export const WORD_RULES: readonly Rule[] = [asAsked]
