// Rules that a receiver relies on.
import { createHash } from 'node:crypto'
import { type Body, bodyOf, type Evidence } from '../support/evidence.ts'
import type { Rule } from './rule.ts'

const sameBytes: Rule = {
  name: 'same bytes',
  description: 'All arrivals under one key carry the same bytes.',
  *check({ arrivals }) {
    for (const [key, group] of Map.groupBy(arrivals, (arrival) => arrival.key)) {
      const bodies = new Set(group.map(({ body }) => body))
      if (bodies.size > 1) yield `Key ${key} came with ${[...bodies].join(' and with ')}.`
    }
  },
}

const oneKey: Rule = {
  name: 'one key',
  description: 'A key stands for one person, occasion and occurrence, and an edit never changes it.',
  *check({ arrivals, tables }) {
    const which = ({ userId, occurrence }: Body) => `${userId} in ${occurrence}`
    for (const [of, group] of Map.groupBy(arrivals, (arrival) => which(bodyOf(arrival)))) {
      const keys = new Set(group.map(({ key }) => key))
      if (keys.size > 1) yield `${of} came under ${[...keys].join(' and ')}.`
    }
    for (const [key, group] of Map.groupBy(arrivals, (arrival) => arrival.key)) {
      const occurrences = new Set(group.map((arrival) => which(bodyOf(arrival))))
      if (occurrences.size > 1) yield `${key} stands for ${[...occurrences].join(' and ')}.`
    }
    const occasionOf = new Map(tables.occasions.map(({ id, user_id }) => [user_id, id]))
    for (const arrival of arrivals) {
      const { userId, occurrence } = bodyOf(arrival)
      const occasion = occasionOf.get(userId)
      if (occasion === undefined) continue
      const hash = createHash('sha256').update(`${userId}\n${occasion}\n${occurrence}`).digest('hex')
      if (arrival.key !== `event-${hash.slice(0, 32)}`)
        yield `${which(bodyOf(arrival))} came under ${arrival.key}.`
    }
  },
}

const completedWasAccepted: Rule = {
  name: 'completed was accepted',
  description: 'An occurrence is COMPLETED at most once, and only if the receiver accepted it.',
  *check({ arrivals, tables }) {
    const accepted = new Set(arrivals.filter((one) => one.accepted).map((one) => bodyOf(one).eventId))
    const completed = tables.settled_events.filter(({ status }) => status === 'COMPLETED')
    for (const { id } of completed)
      if (!accepted.has(id)) yield `${id} is COMPLETED, and the receiver never accepted it.`
    const occurrences = Map.groupBy(
      completed,
      (event) => `${event.occasion_id} ${event.occurrence.slice(0, 4)}`,
    )
    for (const [of, group] of occurrences)
      if (group.length > 1) yield `${of} is COMPLETED ${group.length} times.`
  },
}

const neverEarly: Rule = {
  name: 'never early',
  description: 'No event is claimed and no message arrives before its due time.',
  *check({ arrivals, steps, tables }) {
    for (const arrival of arrivals) {
      const { eventId, targetTimestampUTC } = bodyOf(arrival)
      const earlyMs = Date.parse(targetTimestampUTC) - arrival.at
      if (earlyMs > 0) yield `${eventId} came ${earlyMs} ms early.`
    }
    const targets = new Map(tables.settled_events.map(({ id, target_at }) => [id, target_at]))
    for (const { event_id, claimed_at, lease_until } of steps) {
      const target = targets.get(event_id)
      if (target === undefined || lease_until === null) continue
      const earlyMs = Date.parse(target) - Date.parse(claimed_at!)
      if (earlyMs > 0) yield `${event_id} was claimed ${earlyMs} ms early.`
    }
  },
}

const storedBeforeSent: Rule = {
  name: 'stored before sent',
  description: 'Every message that arrived is stored as it arrived.',
  *check({ arrivals, tables }) {
    const kept = new Map(tables.payloads.map(({ event_id, body }) => [event_id, body]))
    const stored = new Set(tables.users.map(({ id }) => id))
    for (const arrival of arrivals) {
      const { eventId, userId } = bodyOf(arrival)
      if (stored.has(userId) && kept.get(eventId) !== arrival.body)
        yield `${eventId} came as ${arrival.body}; stored is ${kept.get(eventId)}.`
    }
  },
}

const oneSendPerClaim: Rule = {
  name: 'one send per claim',
  description: 'A claim sends its event at most once, and no event is sent without a claim.',
  *check(evidence) {
    const claims = claimsByEvent(evidence)
    for (const [eventId, group] of Map.groupBy(evidence.arrivals, (arrival) => bodyOf(arrival).eventId)) {
      const claimed = claims.get(eventId)?.length ?? 0
      if (group.length > claimed)
        yield `${eventId} was claimed ${claimed} times and arrived ${group.length} times.`
    }
  },
}

function claimsByEvent({ steps }: Evidence) {
  return Map.groupBy(
    steps.filter(({ lease_until }) => lease_until !== null),
    ({ event_id }) => event_id,
  )
}

export const DELIVERY_RULES: readonly Rule[] = [
  sameBytes,
  oneKey,
  completedWasAccepted,
  neverEarly,
  storedBeforeSent,
  oneSendPerClaim,
]
