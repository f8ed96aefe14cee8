// Invariants of a deployment with a queue between the scheduler and the consumers.
import { SECOND } from '../../support/fixtures.ts'
import { changesOf, type EventRow, isClaim, isProvisional, type Ledger } from '../record/ledger.ts'
import type { Entry, Received, Ref } from '../record/trace.ts'
import { leaseOf } from '../support/settings.ts'
import { RESERVED_MS } from './channels.ts'
import { firstWrong, type Rule } from './rule.ts'

type ReceivedBatch = Entry & { kind: 'received' }

const keyOf = ({ eventId, version }: Ref) => `${eventId} ${version}`

/** Whether the claim of that version still holds the event. */
function isClaimed({ events }: Ledger, { eventId, version }: Ref): boolean {
  const event = events.get(eventId)
  return event?.version === version && event.lease_until !== null
}

const acknowledgedWhenSettled: Rule = {
  name: 'acknowledged when settled',
  description:
    'A message is acknowledged only when its event is settled, released or claimed by another; a dead letter also when its lease is provisional or has expired.',
  watch(scenario) {
    const leaseMs = leaseOf(scenario)
    return (entry, ledger) => {
      if (entry.kind !== 'acknowledged') return null
      return firstWrong(entry.acked, (ref) => {
        if (!isClaimed(ledger, ref)) return null
        const event = ledger.events.get(ref.eventId)!
        const over = isProvisional(event) || event.claimed_at! + leaseMs <= entry.clock
        return entry.dead && over
          ? null
          : `${entry.who} acknowledges ${ref.eventId}, which nobody has settled.`
      })
    }
  },
}

const versionOfTheMessage: Rule = {
  name: 'version of the message',
  description: 'A consumer changes an event only at the version that a message named.',
  watch({ queue }) {
    const brought = new Set<string>()
    return (entry) => {
      if (entry.kind === 'received')
        for (const ref of entry.messages) brought.add(`${entry.who} ${keyOf(ref)}`)
      if (queue === undefined || entry.kind !== 'requested' || !entry.who.startsWith('consumer')) return null
      return firstWrong(entry.refs, (ref) =>
        brought.has(`${entry.who} ${keyOf(ref)}`)
          ? null
          : `${entry.who} asks for ${entry.op} of ${ref.eventId} at version ${ref.version}, which no message named.`,
      )
    }
  },
}

const staleMessageIsDropped: Rule = {
  name: 'stale message is dropped',
  description: 'A duplicated or outdated message is not sent, and is not retried once its claim was read.',
  watch() {
    /** By consumer: the messages that were stale when it received them. */
    const stale = new Map<string, Set<string>>()
    const until = new Map<string, number>()
    return (entry, ledger) => {
      if (entry.kind === 'received') {
        const old = entry.messages.filter((ref) => !isClaimed(ledger, ref))
        const fresh = entry.messages.filter((ref) => isClaimed(ledger, ref)).map(({ eventId }) => eventId)
        const keys = old
          .filter(({ eventId }) => !fresh.includes(eventId))
          .flatMap((ref) => [ref.eventId, keyOf(ref)])
        stale.set(entry.who, new Set(keys))
        until.set(entry.who, entry.until)
      }
      // A consumer whose call fails cannot know that a message is stale.
      if (entry.kind === 'failure') until.set(entry.who, 0)
      if (entry.kind === 'send' && stale.get(entry.who)?.has(entry.eventId))
        return `${entry.who} sends ${entry.eventId} for a message that was outdated on receipt.`
      if (entry.kind !== 'acknowledged' || entry.clock > until.get(entry.who)! - RESERVED_MS) return null
      return firstWrong(entry.again, (ref) =>
        stale.get(entry.who)!.has(keyOf(ref))
          ? `${entry.who} retries the stale message of ${ref.eventId}.`
          : null,
      )
    }
  },
}

const rejectedMessageIsReleased: Rule = {
  name: 'rejected message is released',
  description: 'An event whose message the queue rejects is released at once, not when its lease expires.',
  watch() {
    const rejected = new Set<string>()
    return (entry) => {
      if (entry.kind === 'queued' && entry.effect === 'rejected') rejected.add(keyOf(entry.ref))
      // A scheduler that fails itself may be unable to release the event.
      const hasFailed = entry.kind === 'failure' || (entry.kind === 'lifecycle' && entry.what !== 'starts')
      if (hasFailed && entry.who.startsWith('scheduler')) rejected.clear()
      if (entry.kind !== 'commit') return null
      return firstWrong(changesOf<EventRow>(entry.rows, 'events').filter(isClaim), ({ before }) =>
        before!.lease_until !== null && rejected.has(`${before!.id} ${before!.version}`)
          ? `${before!.id} was rejected, and stayed claimed until its lease expired.`
          : null,
      )
    }
  },
}

const batchDeadline: Rule = {
  name: 'batch deadline',
  description: 'A consumer answers for its batch before its time is over, however slow the calls are.',
  watch({ queue }) {
    const pausedUntil = new Map<string, number>()
    const given = new Map<string, ReceivedBatch>()
    return (entry) => {
      if (entry.kind === 'received') given.set(entry.who, entry)
      if (entry.kind === 'lifecycle' && entry.what === 'pauses')
        pausedUntil.set(entry.who, entry.at + entry.forMs!)
      const isOver = entry.kind === 'acknowledged' || (entry.kind === 'lifecycle' && entry.what === 'crashes')
      const batch = isOver ? given.get(entry.who) : undefined
      if (!isOver || batch === undefined) return null
      given.delete(entry.who)
      const overMs = entry.at - batch.at - queue!.consumeMs
      const excused = (pausedUntil.get(entry.who) ?? 0) > batch.at
      return overMs > SECOND && !excused ? `${entry.who} took ${overMs} ms longer than it had.` : null
    }
  },
}

const poisonMessageFailsAlone: Rule = {
  name: 'poison message fails alone',
  description: 'A poison message does not dead-letter other messages of its batches.',
  watch({ queue }) {
    /** By message and delivery: the event that crashed the consumer of the batch. */
    const endings = new Map<string, string[]>()
    const batches = new Map<string, readonly Received[]>()
    const duplicated = new Set<string>()
    return (entry) => {
      if (entry.kind === 'queued' && entry.effect === 'duplicated') duplicated.add(entry.ref.eventId)
      if (entry.kind === 'received') batches.set(entry.who, entry.dead ? [] : entry.messages)
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
        // One delivery may have crashed for another reason.
        const last = Array.from({ length: queue!.maxReceives - 1 }, (_, i) => ended[i + 1])
        const [killer] = last
        if (killer === undefined || killer === after.id || duplicated.has(killer)) return null
        return last.every((one) => one === killer) ? `${after.id} failed because of ${killer}.` : null
      })
    }
  },
}

export const QUEUE_RULES: readonly Rule[] = [
  acknowledgedWhenSettled,
  versionOfTheMessage,
  staleMessageIsDropped,
  rejectedMessageIsReleased,
  batchDeadline,
  poisonMessageFailsAlone,
]
