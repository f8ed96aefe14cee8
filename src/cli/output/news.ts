// Tells what is new among events that are read again and again: an end, or an attempt in vain. Holds no name.
import type { Event } from '../../client/client.ts'

/** What a list and an overview both tell of an event. */
export type Seen = Pick<
  Event,
  | 'id'
  | 'userId'
  | 'eventType'
  | 'occurrence'
  | 'status'
  | 'targetTimestampUTC'
  | 'targetTimezone'
  | 'executedAt'
  | 'failureReason'
  | 'retryCount'
>

export type News = {
  at: string
  outcome: 'delivered' | 'retrying' | 'failed'
  eventId: string
  userId: string
  type: string
  occurrence: string
  timezone: string
  dueAt: string
  lateMs: number
  retryCount: number
  reason: string | null
}

/** Takes all that can be seen now, and returns what was not so at the last look, oldest first. */
export function createNews(): (seen: readonly Seen[], now: string) => News[] {
  let known = new Map<string, string>()
  return (seen, now) => {
    const before = known
    known = new Map(seen.map((event) => [event.id, stateOf(event)]))
    const unlike = seen.filter((event) => before.get(event.id) !== stateOf(event))
    // An event can be in two of the answers.
    const fresh = new Map(unlike.map((event) => [event.id, event]))
    return [...fresh.values()]
      .flatMap((event) => newsOf(event, now) ?? [])
      .sort((a, b) => Number(a.at > b.at) - Number(a.at < b.at))
  }
}

const stateOf = ({ status, retryCount }: Seen) => `${status} ${retryCount}`

function newsOf(event: Seen, now: string): News | null {
  const { id: eventId, userId, eventType: type, occurrence, retryCount, failureReason: reason } = event
  const { targetTimezone: timezone, targetTimestampUTC: dueAt } = event
  const outcome = outcomeOf(event)
  if (outcome === null) return null
  const at = event.executedAt ?? now
  const lateMs = Math.max(0, Date.parse(at) - Date.parse(dueAt))
  return { at, outcome, eventId, userId, type, occurrence, timezone, dueAt, lateMs, retryCount, reason }
}

function outcomeOf({ status, retryCount }: Seen): News['outcome'] | null {
  switch (status) {
    case 'COMPLETED':
      return 'delivered'
    case 'FAILED':
      return 'failed'
    case 'PROCESSING':
      return retryCount > 0 ? 'retrying' : null
    case 'PENDING':
      return null
  }
}

export function newsLine({ at, outcome, eventId, type, occurrence, timezone, ...more }: News): string {
  const { lateMs, retryCount, reason } = more
  const how = {
    delivered: `, ${inWords(lateMs)} after it was due`,
    retrying: `, ${retryCount} ${retryCount === 1 ? 'attempt' : 'attempts'} in vain`,
    failed: `: ${reason}`,
  }[outcome]
  return `${at}  ${outcome.padEnd(9)}  ${eventId}  ${type} ${occurrence}, ${timezone}${how}`
}

/** `0.4 s`, `12 min`, `3 h`, `2 days` */
export function inWords(ms: number): string {
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min`
  if (ms < 2 * 86_400_000) return `${Math.floor(ms / 3_600_000)} h`
  return `${Math.floor(ms / 86_400_000)} days`
}
