// Finds what is new among events that are polled: an outcome or a failed attempt. Contains no personal data.
import type { Event } from '../../client/client.ts'
import type { Paint } from './colour.ts'
import { shortDuration, shortIds } from './words.ts'

/** The fields of an event that both the list and the overview return. */
export type SeenEvent = Pick<
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

/** Takes all events of one look, and returns those that changed since the previous look, oldest first. */
export function createNews(): (seen: readonly SeenEvent[], now: string) => News[] {
  let known = new Map<string, string>()
  return (seen, now) => {
    const before = known
    known = new Map(seen.map((event) => [event.id, stateOf(event)]))
    const changed = seen.filter((event) => before.get(event.id) !== stateOf(event))
    // An event can be in both responses.
    const fresh = new Map(changed.map((event) => [event.id, event]))
    return [...fresh.values()]
      .flatMap((event) => newsOf(event, now) ?? [])
      .sort((a, b) => Number(a.at > b.at) - Number(a.at < b.at))
  }
}

const stateOf = ({ status, retryCount }: SeenEvent) => `${status} ${retryCount}`

function newsOf(event: SeenEvent, now: string): News | null {
  const { id: eventId, userId, eventType: type, occurrence, retryCount, failureReason: reason } = event
  const { targetTimezone: timezone, targetTimestampUTC: dueAt } = event
  const outcome = outcomeOf(event)
  if (outcome === null) return null
  const at = event.executedAt ?? now
  const lateMs = Math.max(0, Date.parse(at) - Date.parse(dueAt))
  return { at, outcome, eventId, userId, type, occurrence, timezone, dueAt, lateMs, retryCount, reason }
}

function outcomeOf({ status, retryCount }: SeenEvent): News['outcome'] | null {
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

const STYLES = { delivered: 'green', retrying: 'yellow', failed: 'red' } as const

/** At a terminal the id is short: `terce explain` accepts it. */
export function newsLine(news: News, { isTTY, paint }: { isTTY: boolean; paint: Paint }): string {
  const { at, outcome, eventId, type, occurrence, timezone, ...more } = news
  const { lateMs, retryCount, reason } = more
  const how = {
    delivered: `, ${shortDuration(lateMs)} after it was due`,
    retrying: `, ${retryCount} ${retryCount === 1 ? 'attempt' : 'attempts'} failed`,
    failed: `: ${reason}`,
  }[outcome]
  const id = isTTY ? shortIds(eventId) : eventId
  return `${at}  ${paint(STYLES[outcome], outcome.padEnd(9))}  ${id}  ${type} ${occurrence}, ${timezone}${how}`
}
