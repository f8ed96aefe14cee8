// The input of the rules: the arrivals, the acknowledged requests, the tables at the end and every committed change of an event.

import type { Person } from './population.ts'
import type { Arrival } from './receiver.ts'

export type EventRow = {
  id: string
  occasion_id: string
  occurrence: string
  target_at: string
  retry_count: number
  version: number
}
export type OpenRow = EventRow & { wake_at: string; claimed_at: string | null; lease_until: string | null }
export type SettledRow = EventRow & {
  status: string
  claimed_at: string
  executed_at: string
  status_code: number | null
  failure_code: string | null
}
export type UserRow = {
  id: string
  first_name: string
  last_name: string
  date_of_birth: string
  timezone: string
  created_at: string
}
export type OccasionRow = { id: string; user_id: string; local_time: string }
export type AttemptRow = {
  event_id: string
  number: number
  claimed_by: string
  started_at: string
  finished_at: string
  outcome: string
}

export type Tables = {
  users: UserRow[]
  occasions: OccasionRow[]
  events: OpenRow[]
  settled_events: SettledRow[]
  payloads: { event_id: string; body: string }[]
  attempts: AttemptRow[]
  [other: string]: object[]
}

/** A change of an open event's version, as it was committed. */
export type Step = {
  event_id: string
  user_id: string
  version: number
  claimed_at: string | null
  /** Set by a claim, empty after a settlement. */
  lease_until: string | null
  /** The worker that had claimed it before, if its lease had expired. */
  held_by: string | null
  held_since: string | null
  held_until: string | null
  at: string
  /** Whether the change released the event without a retry. */
  is_released: boolean | null
}

export type Evidence = {
  arrivals: Arrival[]
  people: Person[]
  tables: Tables
  steps: Step[]
  /** The configured number of retries. */
  retries: number
  /** When nothing was due any more, or the wait for it ended. */
  settledAt: number
  /** The last outage of the receiver without any other fault; null before it. */
  outage: { from: number; upAt: number } | null
  /** Unexpected responses of the API, and processes that exited without a reason. */
  unexpected: string[]
  /** Stale settlements, by the logs of the workers. */
  stale: number
}

/** The body of a message. */
export type Body = {
  eventId: string
  userId: string
  occurrence: string
  message: string
  targetTimestampUTC: string
}

export const bodyOf = (arrival: Arrival) => JSON.parse(arrival.body) as Body
