// What goes over the wire about people and events, as far as the dashboard reads it.
import type { ChannelBrief } from './setup-types.ts'

export type Page<T> = { items: T[]; nextCursor: string | null }

export type User = {
  id: string
  firstName: string
  lastName: string
  dateOfBirth: string
  timezone: string
  email: string | null
  language: string | null
  createdAt: string
  updatedAt: string
  version: number
}

export type NewUser = {
  firstName: string
  lastName: string
  dateOfBirth: string
  timezone: string
  email?: string | null
  language?: string | null
  /** Greet at once if today is the day and nine has passed. */
  sendTodayNow?: boolean
}

export type EventStatus = 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED'

/** An event in brief: what lists need. */
export type EventBrief = {
  id: string
  userId: string
  eventType: string
  occurrence: string
  status: EventStatus
  targetTimestampUTC: string
  targetTimestampLocal: string
  targetTimezone: string
  executedAt: string | null
  failureReason: string | null
  retryCount: number
}

/** One of the latest, and whose it is. */
export type RecentEvent = EventBrief & { firstName: string; lastName: string }

export type Event = EventBrief & {
  occasionId: string
  tzVersion: string
  wakeAt: string | null
  version: number
  idempotencyKey: string
  replayOf: string | null
  deliveryPayload: Record<string, unknown> | null
  createdAt: string
  updatedAt: string
}

export type AttemptOutcome = 'DELIVERED' | 'RETRY' | 'FAILED' | 'PARKED' | 'UNKNOWN'

export type Attempt = {
  number: number
  workerId: string
  startedAt: string
  finishedAt: string
  outcome: string
  statusCode: number | null
  error: string | null
}

export type RelatedEvent = Pick<
  Event,
  'id' | 'occurrence' | 'status' | 'targetTimestampUTC' | 'executedAt' | 'failureReason' | 'replayOf'
>

export type EventStory = Event & {
  attempts: Attempt[]
  replays: RelatedEvent[]
  successor: RelatedEvent | null
}

export type Explanation = {
  summary: string
  instant: {
    utc: string
    local: string
    timezone: string
    offset: string
    tzVersion: string
    rule: string
    why: string
  }
  oddities: { code: string; text: string }[]
  history: { at: string; text: string }[]
}

export type WaveStep = {
  offsetMinutes: number
  dueAt: string
  sent: number
  inFlight: number
  failed: number
  toCome: number
}

export type Today = {
  now: string
  /** When the oldest of its counts was taken. */
  countedAt: string
  tzVersion: string
  counts: {
    people: number
    inFlight: number
    /** Tried in vain, and to be tried again. */
    waiting: number
    sent24h: number
    failed24h: number
    /** Attempts whose end nobody saw. */
    ambiguous24h: number
  }
  lateness: { p50Ms: number; p95Ms: number } | null
  instances: { id: string; seenAt: string }[]
  wave: WaveStep[]
  zones: { timezone: string; offsetMinutes: number; people: number }[]
  recent: RecentEvent[]
}

export type PersonRow = {
  user: User
  localTime: string
  next: { eventId: string; type: string; utc: string; local: string } | null
  last: { eventId: string; type: string; status: EventStatus; at: string } | null
  demo: boolean
}

export type FailureGroup = {
  channelId: string | null
  channel: string
  reason: string
  count: number
  oldestAt: string
  newestAt: string
  byHour: number[]
}

export type Failures = { countedAt: string; groups: FailureGroup[]; channels: ChannelBrief[] }

export type Upcoming = {
  countedAt: string
  days: { date: string; count: number }[]
  busiest: { utc: string; count: number } | null
}

export type Session = {
  /** Nobody has made a key: whoever sits at the machine may do everything. */
  open: boolean
  scope: Scope | null
  inbox: boolean
  /** The longest wait before each retry, in milliseconds. */
  retries: number[]
  /** `09:00` */
  deliverAt: string
  version: string
}
export type Scope = 'read' | 'write' | 'admin'

export type OccasionInput = {
  type: string
  date?: string
  localTime?: string
  repeats?: string
  calendar?: string
  leapDay?: string
  until?: string | null
  template?: string | null
  channel?: string | null
  notAfter?: string | null
  sendTodayNow?: boolean
}

export type Occasion = Required<Omit<OccasionInput, 'date' | 'sendTodayNow'>> & {
  id: string
  userId: string
  date: string | null
  pausedAt: string | null
  version: number
  next: {
    eventId: string
    occurrence: string
    targetTimestampUTC: string
    targetTimestampLocal: string
  } | null
}

export type Occurrence = {
  occurrence: string
  utc: string
  local: string
  occursOn: string
  note?: string
  reason?: string
}

export type Spot = { utc: string; local: string; timezone?: string }
export type Move = { eventId: string; type: string; from: Spot; to: Spot | null }
export type Impact = { user: User; rescheduled: number; skipped: number; moves?: Move[] }

export type Task = {
  id: string
  userId: string
  title: string
  dueAt: string
  remindBefore: string
  quietHours: string | null
  completed: boolean
  completedAt: string | null
  reminderSentAt: string | null
  version: number
}

export type ReplayFilter = {
  reason?: string
  /** As the group has it. */
  exactReason?: string
  /** By its id, or `default`. */
  channel?: string
  pastCutOff?: 'send' | 'skip'
  type?: string
  userId?: string
  failedFrom?: string
  failedBefore?: string
  newKey?: boolean
  dryRun?: boolean
  cursor?: string
}

export type ReplayResult = {
  matched: number
  replayed: number
  skipped: number
  /** Of a dry run: what would become of them. */
  parts: ReplayParts | null
  next: ReplayFilter | null
}

export type ReplayParts = {
  now: number
  pastCutOff: { notAfter: string; count: number }[]
  underWay: number
  delivered: number
  repeated: number
}
