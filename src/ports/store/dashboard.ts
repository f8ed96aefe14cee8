// Counts for the dashboard. Each reads a bounded range of rows, never a whole table of events.
import type { EventStatus } from '../../domain/events/event-status.ts'
import type { NamedEvent } from './history.ts'

/** How many events share an instant, an offset and a status. */
export type WavePoint = { targetAt: number; offsetSeconds: number; status: EventStatus; count: number }

export type Pulse = {
  /** Events being sent now. */
  inFlight: number
  /** The events that were claimed last, newest first, with the names of their users. */
  recent: NamedEvent[]
}

/** The day around now. */
export type Overview = {
  /** Events that wait for a retry within a week. */
  waiting: number
  /** Delivered within the last 24 hours. */
  sent: number
  /** Failed within the last 24 hours and not resolved since. */
  failed: number
  /** Attempts without a known outcome: their messages may have been delivered twice. Of events that were first due within three days. */
  ambiguous: number
  /** How late the latest deliveries were; some thousands at most. */
  latenessMs: number[]
  /** Every event due from 12 hours ago to 36 hours ahead. */
  wave: WavePoint[]
}

/** How many pending events share an instant and an offset. */
export type UpcomingPoint = Omit<WavePoint, 'status'>

/**
 * What became of a failed event. `unresolved`: it has no replay. `replaying`: its replay is open. `delivered`: a replay was
 * delivered. A failure whose replay failed too is not counted: the later failure is. Nor is one that was dismissed.
 */
type FailureState = 'unresolved' | 'replaying' | 'delivered'

/** How many events failed within one hour for one reason. */
export type FailureCount = {
  /** The channel that they were sent to; null if it was not recorded. */
  channelId: string | null
  state: FailureState
  /** The failure code and, where attempts were given up, the first 80 characters of the last error. */
  reason: string
  /** Whole hours; 24 for everything older. */
  hoursAgo: number
  count: number
  oldestAt: number
  newestAt: number
}

/** How many messages of a channel share an outcome, and how long the last attempt took from the claim. */
export type DeliveryCount = { isDelivered: boolean; tookMs: number; count: number }

/** `failedBefore` null: the failures of the group are shown again. */
export type Dismissal = { channelId: string | null; reason: string; failedBefore: number | null }

export type DashboardStore = {
  /** What is being sent now. */
  pulse(now: number): Promise<Pulse>

  /** The counts of the day around `now`. */
  overview(now: number): Promise<Overview>

  /** Failures since `from`. An event that was due more than thirty days before `from` may be missing. */
  countFailures(of: { from: number; now: number }): Promise<FailureCount[]>

  /**
   * Dismisses the failures of a group that ended before an instant, in place of an earlier dismissal of the group: they are neither
   * counted nor found as unresolved. Returns the instant of the earlier dismissal; null without one.
   */
  dismissFailures(dismissal: Dismissal): Promise<number | null>

  /** How many users each timezone has. */
  countByTimezone(): Promise<{ timezone: string; people: number }[]>

  /** How many events of a channel are due and not settled, with those that name no channel if it is the default one. */
  countWaiting(of: { channelId: string; isDefault: boolean; now: number }): Promise<number>

  /** The messages of a channel that were settled within the day before `now`, in no order. */
  countDeliveries(channelId: string, now: number): Promise<DeliveryCount[]>

  /** Pending events of a span, counted by instant and offset, in no order. */
  countUpcoming(span: { from: number; before: number }): Promise<UpcomingPoint[]>
}
