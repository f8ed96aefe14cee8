// The tables as the transactions left them, kept beside the database for the invariants.
import type { EventStatus } from '../../../src/domain/events/event-status.ts'
import type { ChannelStatus } from '../../../src/domain/settings/channel.ts'
import { NEWEST } from '../../support/oracle/clock.ts'
import { originalOf, type Schedule, type Settled } from '../../support/oracle/schedule.ts'
import type { TaskRow } from '../oracle/expected-reminders.ts'
import type { Scenario } from '../scenario.ts'
import { type ChannelViews, createChannelViews } from './channel-views.ts'
import type { Entry, Ref, RowChange } from './trace.ts'

export type EventRow = {
  id: string
  occasion_id: string
  occurrence: string
  status: EventStatus
  target_at: number
  wake_at: number | null
  lease_until: number | null
  lease_batch: number | null
  claimed_at: number | null
  claimed_by: string | null
  retry_count: number
  version: number
  executed_at: number | null
  status_code: number | null
  failure_code: string | null
  last_error: string | null
  timezone: string
  tz_version: string
  offset_seconds: number
  /** The failed event that this one replays. */
  replay_of: string | null
  own_key: number
  channel_id: string | null
  exchange: string | null
  updated_at: number
}
export type UserRow = {
  id: string
  first_name: string
  last_name: string
  email: string | null
  language: string | null
  date_of_birth: string | null
  timezone: string
  created_at: number
  updated_at: number
}
export type OccasionRow = {
  id: string
  user_id: string
  type: string
  /** Null for the date of birth. */
  date: string | null
  local_time: string
  leap_day: string
  shift_days: number | null
  on_weekend: string | null
  repeats: string
  calendar: string
  rule_revision: number
  until: string | null
  paused_at: number | null
  template: string | null
  channel_id: string | null
  not_after: string | null
}
export type ChannelRow = {
  id: string
  kind: string
  status: ChannelStatus
  default_since: number | null
}
/** The hold of an operator, among the columns of a destination. */
export type HoldRow = { channel_id: string; held_at: number | null; held_until: number | null }
/** A destination is also written when it goes down or responds. */
export function isHoldChanged({ before, after }: Change<HoldRow>): boolean {
  return (
    (before?.held_at ?? null) !== (after?.held_at ?? null) ||
    (before?.held_until ?? null) !== (after?.held_until ?? null)
  )
}

export type TemplateRow = { language: string; body: string }
/** How one row of a table changed. */
export type Change<T> = { before: T | null; after: T | null }

export type Ledger = {
  users: Map<string, UserRow>
  occasions: Map<string, OccasionRow>
  events: Map<string, EventRow>
  payloads: Map<string, string>
  channels: Map<string, ChannelRow>
  tasks: Map<string, TaskRow>
  channelViews: ChannelViews
  /** The last state of events and occasions, also after their deletion. */
  eventOf(eventId: string): EventRow | undefined
  occasionOf(occasionId: string): OccasionRow | undefined
  /** The occasion of an event at the last claim of that process. */
  occasionAtClaim(who: string, eventId: string): OccasionRow | undefined
  /** The task that the event reminds of, at the last claim of that process. */
  taskAtClaim(who: string, eventId: string): TaskRow | undefined
  /** Without replays. */
  openEventsOf(occasionId: string): EventRow[]
  /** The latest settled occurrence. */
  lastSettled(occasionId: string): Settled | null
  scheduleOf(occasionId: string, release: string): Schedule | null
  /** The timezone table of a process. */
  releaseOf(who: string): string
  apply(entry: Entry): void
}

export function createLedger({ handlers }: Pick<Scenario, 'handlers'>): Ledger {
  const users = new Map<string, UserRow>()
  const occasions = new Map<string, OccasionRow>()
  const events = new Map<string, EventRow>()
  const payloads = new Map<string, string>()
  const channels = new Map<string, ChannelRow>()
  const tasks = new Map<string, TaskRow>()
  const channelViews = createChannelViews(handlers !== undefined)
  const releases = new Map<string, string>()
  const pastEvents = new Map<string, EventRow>()
  const pastOccasions = new Map<string, OccasionRow>()
  const claimed = new Map<string, { occasion: OccasionRow; task: TaskRow | undefined }>()
  const settling = new Set<string>()
  const eventsByOccasion = new Map<string, Set<string>>()

  function put({ table, before, after }: RowChange): void {
    const row = (after ?? before)!
    if (table === 'users') keep(users, row.id as string, after as UserRow | null)
    if (table === 'payloads') keep(payloads, row.event_id as string, (after?.body ?? null) as string | null)
    if (table === 'channels') keep(channels, row.id as string, after as ChannelRow | null)
    if (table === 'tasks') keep(tasks, row.id as string, after as TaskRow | null)
    if (table === 'occasions') {
      keep(occasions, row.id as string, after as OccasionRow | null)
      pastOccasions.set(row.id as string, row as OccasionRow)
    }
    if (table === 'events') {
      keep(events, row.id as string, after as EventRow | null)
      pastEvents.set(row.id as string, row as EventRow)
      eventsOf(row.occasion_id as string).add(row.id as string)
    }
  }

  function eventsOf(occasionId: string): Set<string> {
    let ids = eventsByOccasion.get(occasionId)
    if (ids === undefined) {
      ids = new Set()
      eventsByOccasion.set(occasionId, ids)
    }
    return ids
  }

  function storedEventsOf(occasionId: string): EventRow[] {
    return [...eventsOf(occasionId)].flatMap((id) => events.get(id) ?? [])
  }

  /** A consumer reads the occasion again for each message, until it settles the event. */
  function applyReread(entry: Entry): void {
    const key = (who: string, { eventId, version }: Ref) => `${who} ${eventId} ${version}`
    if (entry.kind === 'received') for (const ref of entry.messages) settling.delete(key(entry.who, ref))
    if (entry.kind === 'requested' && entry.op === 'settle')
      for (const ref of entry.refs) settling.add(key(entry.who, ref))
    if (entry.kind !== 'reread') return
    for (const ref of entry.refs) {
      const occasion = pastOccasions.get(events.get(ref.eventId)?.occasion_id ?? '')
      if (occasion !== undefined && !settling.has(key(entry.who, ref)))
        claimed.set(`${entry.who} ${ref.eventId}`, { occasion, task: tasks.get(occasion.id) })
    }
  }

  return {
    users,
    occasions,
    events,
    payloads,
    channels,
    tasks,
    channelViews,
    eventOf: (id) => pastEvents.get(id),
    occasionOf: (id) => pastOccasions.get(id),
    occasionAtClaim: (who, eventId) => claimed.get(`${who} ${eventId}`)?.occasion,
    taskAtClaim: (who, eventId) => claimed.get(`${who} ${eventId}`)?.task,
    openEventsOf: (id) =>
      storedEventsOf(id).filter(({ wake_at, replay_of }) => wake_at !== null && replay_of === null),
    lastSettled: (id) =>
      storedEventsOf(id).reduce<Settled | null>((last, { wake_at, occurrence, target_at: at }) => {
        if (wake_at !== null || (last !== null && last.at > at)) return last
        return { occurrence: originalOf(occurrence), at }
      }, null),
    scheduleOf(id, release) {
      const occasion = occasions.get(id)
      const user = users.get(occasion?.user_id ?? '')
      return occasion === undefined || user === undefined ? null : scheduleFor(occasion, user, release)
    },
    releaseOf: (who) => releases.get(who) ?? NEWEST,
    apply(entry) {
      channelViews.apply(entry)
      applyReread(entry)
      if (entry.kind === 'table') releases.set(entry.who, entry.release)
      if (entry.kind !== 'commit') return
      for (const row of entry.rows) put(row)
      for (const { after } of changesOf<EventRow>(entry.rows, 'events').filter(isClaim)) {
        const { id, occasion_id } = after!
        const occasion = pastOccasions.get(occasion_id)!
        claimed.set(`${entry.who} ${id}`, { occasion, task: tasks.get(occasion_id) })
      }
    },
  }
}

function keep<T>(rows: Map<string, T>, id: string, row: T | null): void {
  if (row === null) rows.delete(id)
  else rows.set(id, row)
}

/** The changes of one table by a transaction. */
export function changesOf<T>(rows: readonly RowChange[], table: string): Change<T>[] {
  return rows.filter((row) => row.table === table) as unknown as Change<T>[]
}

export function scheduleFor(occasion: OccasionRow, user: UserRow, release: string): Schedule {
  const {
    date,
    local_time,
    leap_day,
    shift_days,
    on_weekend,
    repeats,
    calendar,
    rule_revision,
    until,
    paused_at,
  } = occasion
  return {
    date: date ?? user.date_of_birth,
    localTime: local_time,
    timezone: user.timezone,
    release,
    leapDay: leap_day,
    shiftDays: shift_days,
    onWeekend: on_weekend,
    repeats,
    calendar,
    ruleRevision: rule_revision,
    until,
    paused: paused_at !== null,
  }
}

export const isTerminal = ({ wake_at }: EventRow): boolean => wake_at === null

/** Whether the lease was granted by a scheduler that has not handed the event to the queue yet. */
export const isProvisional = ({ lease_batch }: EventRow): boolean => lease_batch !== null

/** A claim leaves a lease and a new version; a settlement leaves a new version and no lease. */
export function isClaim({ before, after }: Change<EventRow>): boolean {
  return before !== null && after !== null && after.version !== before.version && after.lease_until !== null
}
