// Invariants of one-time and of paused occasions.
import { changesOf, type EventRow, type OccasionRow } from '../record/ledger.ts'
import { firstWrong, type Rule } from './rule.ts'

const oneMessageForAOneTimeOccasion: Rule = {
  name: 'one message for a one-time occasion',
  description: 'A one-time occasion sends one message, under one key, also after later changes.',
  watch() {
    const notOnce = new Set<string>()
    const sent = new Map<string, string>()
    return (entry, ledger) => {
      if (entry.kind === 'commit')
        for (const { after } of changesOf<OccasionRow>(entry.rows, 'occasions'))
          if (after !== null && after.repeats !== 'ONCE') notOnce.add(after.id)
      const event = entry.kind === 'arrival' ? ledger.eventOf(entry.eventId) : undefined
      const occasion = ledger.occasionOf(event?.occasion_id ?? '')
      if (entry.kind !== 'arrival' || !event || !occasion || event.own_key) return null
      if (notOnce.has(occasion.id) || occasion.type === 'TASK_REMINDER') return null
      const first = sent.get(occasion.id)
      sent.set(occasion.id, first ?? entry.key)
      return first === undefined || first === entry.key ? null : `${occasion.id} was sent twice.`
    }
  },
}

const pausedOccasionIsNotClaimed: Rule = {
  name: 'paused occasion is not claimed',
  description: 'No new event of a paused occasion is claimed; only an event in flight is settled.',
  watch: () => (entry, ledger) => {
    if (entry.kind !== 'commit') return null
    return firstWrong(changesOf<EventRow>(entry.rows, 'events'), ({ before, after }) => {
      if (before?.status !== 'PENDING' || after?.status !== 'PROCESSING' || after.replay_of !== null)
        return null
      return ledger.occasions.get(after.occasion_id)?.paused_at == null
        ? null
        : `${after.id} was claimed while its occasion is paused.`
    })
  },
}

export const OCCASION_RULES: readonly Rule[] = [oneMessageForAOneTimeOccasion, pausedOccasionIsNotClaimed]
