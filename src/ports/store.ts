// What the flow asks of a database: few operations, each atomic. Every store passes test/contracts/store.contract.ts.

import type { Attempt, Event, PlannedEvent } from '../domain/events/event.ts'
import type { EventStatus, TerminalStatus } from '../domain/events/event-status.ts'
import type { Template } from '../domain/messages/template.ts'
import type { Occasion } from '../domain/occasions/occasion.ts'
import type { LastSettled } from '../domain/occasions/schedule.ts'
import type { ApiKey } from '../domain/settings/api-key.ts'
import type { ChannelRecord, ChannelStatus } from '../domain/settings/channel.ts'
import type { Feed } from '../domain/settings/feed.ts'
import type { Task } from '../domain/tasks/task.ts'
import type { User } from '../domain/users/user.ts'
import type { Claim, ClaimRef, Render, Settlement, SettleResult } from './claim.ts'
import type { FailureCount, Overview, Pulse, UpcomingPoint } from './overview.ts'
import type { EventQuery, Page, TaskQuery, UserQuery } from './query.ts'

/** A new user with all that belongs to them. */
export type NewPerson = { user: User; occasions: Occasion[]; events: PlannedEvent[] }

/** The first answer to a request that carried an idempotency key; null once it was erased with what it told of. */
export type Answer = { key: string; fingerprint: string; status: number; body: string | null }

/** An answer to keep; older ones than `forgetBefore` go. */
export type NewAnswer = Answer & { createdAt: number; forgetBefore: number }

/** The answer's key was used before: nothing was written, and the first answer stands. */
export type Answered = { kind: 'answered'; answer: Answer }

export type CreateResult = { kind: 'created'; created: number } | Answered

/** An occasion with its open event and the latest occurrence that was settled: all that planning needs. */
export type OccasionPlan = {
  occasion: Occasion
  /** Only of a TASK_REMINDER. */
  task: Task | null
  open: OpenEvent | null
  lastSettled: SettledEvent | null
}

/** The latest occurrence that ended, and how. */
export type SettledEvent = LastSettled & { id: string; status: TerminalStatus; executedAt: number }
export type OpenEvent = {
  id: string
  occurrence: string
  status: EventStatus
  version: number
  targetAt: number
  offsetSeconds: number
  timezone: string
  tzVersion: string
}
export type Person = { user: User; plans: OccasionPlan[] }

/** A pending event to move, or (`to: null`) one in flight that stays and whose successor must be planned anew. */
export type Reschedule = { eventId: string; version: number; to: PlannedEvent | null }

export type UserUpdate = {
  /** The user as they shall be; its version is one above the one it replaces. */
  user: User
  /** Every open event of the user, at the version it was seen; null if the schedule is not touched. */
  reschedules: readonly Reschedule[] | null
}

export type OccasionSave = {
  /** As it shall be: at version 1 a new one, later ones replace the version before. */
  occasion: Occasion
  /** What it reminds of, saved with it; null for every other kind. */
  task: Task | null
  /** The version of the user that it was planned by. */
  userVersion: number
  /** What becomes of its open event, as it was seen. */
  open: OpenChange
  at: number
}

export type OpenChange =
  /** There is none: this one is planted, or none. */
  | { kind: 'plant'; event: PlannedEvent | null }
  /** It is pending at that version: it moves, or goes. */
  | { kind: 'move'; eventId: string; version: number; to: PlannedEvent | null }
  /** It is in flight and stays; its successor must be planned anew. */
  | { kind: 'leave'; eventId: string; version: number }

/** A failed event to send again: the new one is due at once. */
export type NewReplay = { of: string; id: string; ownKey: boolean; at: number }

/** What stands in the way of sending a failed event again, and until when it was to be tried on its day. */
export type ReplayOutlook = {
  eventId: string
  state: 'free' | 'under-way' | 'delivered'
  notAfter: string | null
}

export type Missed = { count: number; oldestAt: number | null; newestAt: number | null }

export type ChannelStatusChange = {
  id: string
  from: ChannelStatus
  to: ChannelStatus
  reason: string | null
  at: number
}

/** What is known of a timezone's rules in this database: by which release its events were last planned. */
export type ZoneRecord = {
  name: string
  /** As the table has them. */
  rules: string
  version: string
  /** Those before the last change, and the release they came from; null if they never changed. */
  previousRules: string | null
  previousVersion: string | null
  changedAt: number | null
}
export type Store = {
  /**
   * Creates all or, where the answer's key was used before, nothing. Creating the same people (by id or external id) twice
   * is a no-op, and of a request that lets none of its people in no answer is kept.
   */
  createUsers(people: readonly NewPerson[], answer?: NewAnswer): Promise<CreateResult>
  findAnswer(key: string, notBefore: number): Promise<Answer | null>

  readPerson(userId: string): Promise<Person | null>
  /**
   * Writes the user and all reschedules, or nothing. `conflict`: the user or an open event was not as seen. `taken`: another
   * has that external id.
   */
  updateUser(update: UserUpdate): Promise<'updated' | 'conflict' | 'taken'>
  /** Removes the user and everything that tells of them. False if there was none. */
  deleteUser(userId: string): Promise<boolean>

  /** Pages of people with their plans, in order of id. */
  listPeople(query: UserQuery): Promise<Page<Person>>
  findOccasion(occasionId: string): Promise<Occasion | null>
  /**
   * Writes the occasion, its task, its event and the answer, or nothing. `conflict`: the user, it or its event was not as
   * seen; the answer's key is free still, or will be told at the next try.
   */
  saveOccasion(save: OccasionSave, answer?: NewAnswer): Promise<'saved' | 'conflict' | Answered>
  /** Removes the occasion and everything that tells of it, its task and its answer too. False if there was none. */
  removeOccasion(occasionId: string): Promise<boolean>
  findTask(taskId: string): Promise<Task | null>
  listTasks(query: TaskQuery): Promise<Page<Task>>

  /** Moves events that are still pending at the version seen; `to: null` is left alone. Returns the ids of those moved. */
  replan(reschedules: readonly Reschedule[], at: number): Promise<string[]>
  listZones(): Promise<ZoneRecord[]>
  /** `onlyNew`: a zone that is recorded stays as it is. */
  saveZones(zones: readonly ZoneRecord[], how?: { onlyNew: boolean }): Promise<void>

  listFeeds(): Promise<Feed[]>
  /** False if the user is gone. */
  createFeed(feed: Feed): Promise<boolean>
  findFeed(tokenHash: string): Promise<Feed | null>
  removeFeed(feedId: string): Promise<boolean>

  /**
   * Takes due events, oldest first: pending, waiting to retry, or held by a lease that ran out. Those without a body are
   * rendered, and the body kept before the claims are given out: whoever tries later sends the same bytes.
   */
  claimDue(claim: {
    now: number
    limit: number
    leaseMs: number
    claimedBy: string
    render: Render
  }): Promise<Claim[]>
  /** Reads claims again by reference; those no longer held at that version are missing from the answer. */
  readClaims(refs: readonly ClaimRef[]): Promise<Claim[]>
  /** Moves the end of leases. Returns the events that are still ours. */
  extendLeases(refs: readonly ClaimRef[], leaseUntil: number): Promise<string[]>
  settle(settlements: readonly Settlement[]): Promise<SettleResult>
  /**
   * Plants a new event for each FAILED one that has no replay under way or delivered. The failed one is not touched. One
   * whose original was pruned gets a key of its own: what went out under the old one is not known any more.
   * Returns the ids of the events replayed.
   */
  replay(replays: readonly NewReplay[]): Promise<string[]>
  /** Of those that are FAILED. */
  replayOutlook(eventIds: readonly string[]): Promise<ReplayOutlook[]>

  /**
   * Removes up to `limit` events settled before the instant, with their attempts and bodies. The latest of each occasion
   * stays: it is what keeps its year from being greeted again. Returns how many went.
   */
  prune(prune: { before: number; limit: number }): Promise<number>
  /** How many `prune` would remove, with no limit. */
  countPrunable(before: number): Promise<number>

  /** When the next event may be taken; null if there is none. */
  nextWakeAt(): Promise<number | null>
  /** What fell due before now and has not been taken. */
  missed(now: number): Promise<Missed>

  findUser(userId: string): Promise<User | null>
  findUsersByExternalId(externalIds: readonly string[]): Promise<User[]>
  listUsers(query: UserQuery): Promise<Page<User>>
  findEvent(eventId: string): Promise<{ event: Event; attempts: Attempt[] } | null>
  listEvents(query: EventQuery): Promise<Page<Event>>

  pulse(now: number): Promise<Pulse>
  overview(now: number): Promise<Overview>
  /** Since an instant. What was due thirty days before that, and failed only since, may be missing. */
  countFailures(of: { from: number; now: number }): Promise<FailureCount[]>
  countByTimezone(): Promise<{ timezone: string; people: number }[]>
  /** In no order. */
  countUpcoming(span: { from: number; before: number }): Promise<UpcomingPoint[]>

  listChannels(): Promise<ChannelRecord[]>
  /** At version 1 a new one; later ones replace the version before. `taken`: another has that name. */
  saveChannel(channel: ChannelRecord): Promise<'saved' | 'conflict' | 'taken'>
  /** What the far side did to a channel. False if it is not in the status named. */
  setChannelStatus(change: ChannelStatusChange): Promise<boolean>

  listTemplates(): Promise<Template[]>
  /** At version 1 a new one; later ones replace the version before. */
  saveTemplate(template: Template): Promise<'saved' | 'conflict'>
  removeTemplate(of: { type: string; language: string }): Promise<boolean>

  listApiKeys(): Promise<ApiKey[]>
  /** False if there is one with that hash. */
  createApiKey(key: ApiKey): Promise<boolean>
  revokeApiKey(id: string, at: number): Promise<boolean>
  /** Notes when keys were last used. */
  touchApiKeys(used: readonly { id: string; at: number }[]): Promise<void>

  /** Throws if the database cannot be reached or written. */
  check(): Promise<void>
  close(): Promise<void>
}
