// What holds between the scheduler and the consumers, where a queue is between them.
import { SECOND } from '../../support/fixtures.ts'
import { changesOf, type EventRow, isClaim, type Ledger } from '../record/ledger.ts'
import type { Entry, Received, Ref } from '../record/trace.ts'
import { leaseOf } from '../support/settings.ts'
import { RESERVED_MS } from './channels.ts'
import { firstWrong, type Rule } from './rule.ts'

type Handed = Entry & { kind: 'handed' }

const keyOf = ({ eventId, version }: Ref) => `${eventId} ${version}`

/** Whether the event is still in the hands of whoever claimed it at that version. */
function isHeld({ events }: Ledger, { eventId, version }: Ref): boolean {
  const event = events.get(eventId)
  return event?.version === version && event.lease_until !== null
}

const doneWhenAcked: Rule = {
  name: 'done when acknowledged',
  words:
    'A message is done with only when its event is settled, given back or another’s; a dead letter also when its lease is over.',
  watch(scenario) {
    const leaseMs = leaseOf(scenario)
    return (entry, ledger) => {
      if (entry.kind !== 'answered') return null
      return firstWrong(entry.acked, (ref) => {
        if (!isHeld(ledger, ref)) return null
        const over = ledger.events.get(ref.eventId)!.claimed_at! + leaseMs <= entry.clock
        return entry.dead && over
          ? null
          : `${entry.who} is done with ${ref.eventId}, and nobody else will be.`
      })
    }
  },
}

const asTheMessageSays: Rule = {
  name: 'as the message says',
  words: 'A consumer touches an event only at a version that a message brought to it.',
  watch({ queue }) {
    const brought = new Set<string>()
    return (entry) => {
      if (entry.kind === 'handed') for (const ref of entry.messages) brought.add(`${entry.who} ${keyOf(ref)}`)
      if (queue === undefined || entry.kind !== 'asked' || !entry.who.startsWith('consumer')) return null
      return firstWrong(entry.refs, (ref) =>
        brought.has(`${entry.who} ${keyOf(ref)}`)
          ? null
          : `${entry.who} asks for ${entry.op} of ${ref.eventId} at version ${ref.version}, of which no message told.`,
      )
    }
  },
}

const staleIsDone: Rule = {
  name: 'stale is done with',
  words:
    'A message that is doubled, or older than what the store knows, is not sent, and does not come again once it was read.',
  watch() {
    /** By consumer: what was stale when it got it. */
    const stale = new Map<string, Set<string>>()
    const until = new Map<string, number>()
    return (entry, ledger) => {
      if (entry.kind === 'handed') {
        const old = entry.messages.filter((ref) => !isHeld(ledger, ref))
        const fresh = entry.messages.filter((ref) => isHeld(ledger, ref)).map(({ eventId }) => eventId)
        const keys = old
          .filter(({ eventId }) => !fresh.includes(eventId))
          .flatMap((ref) => [ref.eventId, keyOf(ref)])
        stale.set(entry.who, new Set(keys))
        until.set(entry.who, entry.until)
      }
      // Whose call fails cannot know.
      if (entry.kind === 'failure') until.set(entry.who, 0)
      if (entry.kind === 'send' && stale.get(entry.who)?.has(entry.eventId))
        return `${entry.who} sends ${entry.eventId} for a message that was out of date when it came.`
      if (entry.kind !== 'answered' || entry.clock > until.get(entry.who)! - RESERVED_MS) return null
      return firstWrong(entry.again, (ref) =>
        stale.get(entry.who)!.has(keyOf(ref)) ? `${entry.who} wants ${ref.eventId} again for nothing.` : null,
      )
    }
  },
}

const refusedIsFree: Rule = {
  name: 'refused is free',
  words: 'What the queue does not take is given back, and not left to its lease.',
  watch() {
    const refused = new Set<string>()
    return (entry) => {
      if (entry.kind === 'posted' && entry.fate === 'refused') refused.add(keyOf(entry.ref))
      // Who is in trouble itself may leave it so.
      const isTrouble = entry.kind === 'failure' || (entry.kind === 'life' && entry.what !== 'starts')
      if (isTrouble && entry.who.startsWith('scheduler')) refused.clear()
      if (entry.kind !== 'commit') return null
      return firstWrong(changesOf<EventRow>(entry.rows, 'events').filter(isClaim), ({ before }) =>
        before!.lease_until !== null && refused.has(`${before!.id} ${before!.version}`)
          ? `${before!.id} was refused, and held until its lease ran out.`
          : null,
      )
    }
  },
}

const inItsTime: Rule = {
  name: 'in its time',
  words: 'A consumer has answered for its batch when the time that it was given is over, whatever is slow.',
  watch({ queue }) {
    const pausedUntil = new Map<string, number>()
    const given = new Map<string, Handed>()
    return (entry) => {
      if (entry.kind === 'handed') given.set(entry.who, entry)
      if (entry.kind === 'life' && entry.what === 'pauses')
        pausedUntil.set(entry.who, entry.at + entry.forMs!)
      const isOver = entry.kind === 'answered' || (entry.kind === 'life' && entry.what === 'crashes')
      const batch = isOver ? given.get(entry.who) : undefined
      if (!isOver || batch === undefined) return null
      given.delete(entry.who)
      const overMs = entry.at - batch.at - queue!.consumeMs
      const excused = (pausedUntil.get(entry.who) ?? 0) > batch.at
      return overMs > SECOND && !excused ? `${entry.who} took ${overMs} ms longer than it had.` : null
    }
  },
}

const notTakenAlong: Rule = {
  name: 'not taken along',
  words: 'A message that ends whoever gets it does not take others to the dead letters that came with it.',
  watch({ queue }) {
    /** By message: which event ended the consumer that had it, each time it was given out. */
    const endings = new Map<string, string[]>()
    const batches = new Map<string, readonly Received[]>()
    const doubled = new Set<string>()
    return (entry) => {
      if (entry.kind === 'posted' && entry.fate === 'doubled') doubled.add(entry.ref.eventId)
      if (entry.kind === 'handed') batches.set(entry.who, entry.dead ? [] : entry.messages)
      if (entry.kind === 'killed')
        for (const message of batches.get(entry.who)!) {
          const ended = endings.get(keyOf(message)) ?? []
          endings.set(keyOf(message), ended)
          ended[message.receives - 1] = entry.eventId
        }
      if (entry.kind !== 'commit') return null
      return firstWrong(changesOf<EventRow>(entry.rows, 'events'), ({ before, after }) => {
        if (after?.failure_code !== 'QUEUE_EXHAUSTED' || before?.status === 'FAILED') return null
        const ended = endings.get(`${after.id} ${before!.version}`) ?? []
        // One time may have been somebody else’s fault.
        const last = Array.from({ length: queue!.maxReceives - 1 }, (_, i) => ended[i + 1])
        const [killer] = last
        if (killer === undefined || killer === after.id || doubled.has(killer)) return null
        return last.every((one) => one === killer) ? `${after.id} failed because of ${killer}.` : null
      })
    }
  },
}

export const QUEUE_RULES: readonly Rule[] = [
  doneWhenAcked,
  asTheMessageSays,
  staleIsDone,
  refusedIsFree,
  inItsTime,
  notTakenAlong,
]
