// What a dashboard asks of a database: counts, never all rows.
import type { Event } from '../domain/events/event.ts'
import type { EventStatus } from '../domain/events/event-status.ts'
import type { User } from '../domain/users/user.ts'

/** How many events share an instant, an offset and a state. */
export type WavePoint = { targetAt: number; offsetSeconds: number; status: EventStatus; count: number }

/** What goes on at the moment. */
export type Pulse = {
  /** Being delivered. */
  inFlight: number
  /** The latest that were begun, newest first, and whose they are. */
  recent: (Event & Pick<User, 'firstName' | 'lastName'>)[]
}

/** The day as a dashboard shows it. What was moved to another day long after it was planned may be missing. */
export type Overview = {
  /** Tried in vain, and to be tried again within a week. */
  waiting: number
  /** Within the last 24 hours. */
  sent: number
  failed: number
  /** Attempts without a known end: those may have been delivered twice. */
  ambiguous: number
  /** How late the latest deliveries were; some thousands at most. */
  latenessMs: number[]
  /** Who settled something of late, and when last. */
  workers: { id: string; seenAt: number }[]
  /** From 12 hours ago to 36 hours ahead: every event due. */
  wave: WavePoint[]
}

/** How many events still to come share an instant and an offset. */
export type UpcomingPoint = Omit<WavePoint, 'status'>

/** How many failed alike within the same hour. */
export type FailureCount = {
  /** Where their occasions are sent now; null for the default channel. */
  channelId: string | null
  /** In brief. */
  reason: string
  /** Whole hours; 24 for all that is longer ago. */
  hoursAgo: number
  count: number
  oldestAt: number
  newestAt: number
}
