// Invariants that a receiver relies on.
import { createHash } from 'node:crypto'
import { originalOf } from '../../support/oracle/schedule.ts'
import { type Change, changesOf, type EventRow, isClaim } from '../record/ledger.ts'
import { firstWrong, type Rule } from './rule.ts'

type Body = { eventId: string; userId: string; occurrence: string }

const sameBytes: Rule = {
  name: 'same bytes',
  description: 'All arrivals under one key carry the same bytes.',
  watch() {
    const first = new Map<string, string>()
    return (entry) => {
      if (entry.kind !== 'arrival') return null
      const { key, body } = entry
      const known = first.get(key)
      if (known === undefined) first.set(key, body)
      else if (known !== body) return `Key ${key} came with ${known} and with ${body}.`
      return null
    }
  },
}

const oneKey: Rule = {
  name: 'one key',
  description: 'A key stands for one person, occasion and occurrence, and an edit never changes it.',
  watch: () => (entry, ledger) => {
    if (entry.kind !== 'arrival') return null
    const { userId, occurrence } = JSON.parse(entry.body) as Body
    const event = ledger.eventOf(entry.eventId)
    if (event === undefined) return `${entry.eventId} arrived and was never stored.`
    const owner = ledger.occasionOf(event.occasion_id)?.user_id
    if (userId !== owner || originalOf(occurrence) !== originalOf(event.occurrence))
      return `The body of ${entry.eventId} names ${userId} in ${occurrence}, the event ${owner} in ${event.occurrence}.`
    const which = event.own_key ? event.occurrence : originalOf(event.occurrence)
    const hash = createHash('sha256').update(`${userId}\n${event.occasion_id}\n${which}`).digest('hex')
    const expected = `event-${hash.slice(0, 32)}`
    return entry.key === expected ? null : `${entry.eventId} came under ${entry.key}, not ${expected}.`
  },
}

const storedBeforeSent: Rule = {
  name: 'stored before sent',
  description: 'A body is stored before it is sent.',
  watch: () => (entry, ledger) => {
    if (entry.kind !== 'arrival' || !ledger.events.has(entry.eventId)) return null
    const kept = ledger.payloads.get(entry.eventId)
    return kept === entry.body ? null : `${entry.eventId} arrived as ${entry.body}; stored was ${kept}.`
  },
}

const neverEarly: Rule = {
  name: 'never early',
  description: 'No event is claimed and no message arrives before its due time, by the true clock.',
  watch: () => (entry, ledger) => {
    const early = (event: EventRow | undefined) =>
      event !== undefined && entry.at < event.target_at
        ? `${event.id} is ${event.target_at - entry.at} ms early.`
        : null
    if (entry.kind === 'arrival') return early(ledger.eventOf(entry.eventId))
    if (entry.kind !== 'commit') return null
    return firstWrong(changesOf<EventRow>(entry.rows, 'events').filter(isClaim), ({ after }) => early(after!))
  },
}

const completedWasAccepted: Rule = {
  name: 'completed was accepted',
  description: 'An occurrence is COMPLETED at most once, and only after the receiver accepted it.',
  watch() {
    const accepted = new Set<string>()
    const completed = new Set<string>()
    return (entry) => {
      if (entry.kind === 'arrival' && entry.accepted) accepted.add(entry.eventId)
      if (entry.kind !== 'commit') return null
      const done = changesOf<EventRow>(entry.rows, 'events').filter(becameCompleted)
      return firstWrong(done, ({ after }) => {
        const { id, occasion_id, occurrence } = after!
        const which = `${occasion_id} ${originalOf(occurrence)}`
        if (!accepted.has(id)) return `${id} is COMPLETED, and the receiver never accepted it.`
        if (completed.has(which)) return `${which} is COMPLETED twice.`
        completed.add(which)
        return null
      })
    }
  },
}

function becameCompleted({ before, after }: Change<EventRow>): boolean {
  return after?.status === 'COMPLETED' && before?.status !== 'COMPLETED'
}

export const DELIVERY_RULES: readonly Rule[] = [
  sameBytes,
  oneKey,
  storedBeforeSent,
  neverEarly,
  completedWasAccepted,
]
