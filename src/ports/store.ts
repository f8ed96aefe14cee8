// What the flow asks of a database: few operations, each atomic. Every store passes test/contracts/store.contract.ts.
import type { ApiKey } from '../domain/api-key.ts'
import type { ChannelRecord, ChannelStatus } from '../domain/channel.ts'
import type { Attempt, Event, PlannedEvent, Replay } from '../domain/event.ts'
import type { EventStatus, TerminalStatus } from '../domain/event-status.ts'
import type { Occasion } from '../domain/occasion.ts'
import type { Template } from '../domain/template.ts'
import type { User } from '../domain/user.ts'

/** A new user with all that belongs to them. */
export type NewPerson = { user: User; occasions: Occasion[]; events: PlannedEvent[] }

/** The first answer to a request that carried an idempotency key; null once it was erased with a user. */
export type Answer = { key: string; fingerprint: string; status: number; body: string | null }

/** An answer to keep; older ones than `forgetBefore` go. */
export type NewAnswer = Answer & { createdAt: number; forgetBefore: number }

export type CreateResult = { kind: 'created'; created: number } | { kind: 'answered'; answer: Answer }

/** An occasion with its open event and the latest occurrence that was settled: all that planning needs. */
export type OccasionPlan = { occasion: Occasion; open: OpenEvent | null; lastSettled: string | null }
export type OpenEvent = {
  id: string
  occurrence: string
  status: EventStatus
  version: number
  targetAt: number
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

/** An event taken for delivery, with what is needed to render it, send it and plan its successor. */
export type Claim = PlannedEvent &
  Replay & {
    eventType: string
    version: number
    /** Rises when the user or the occasion changes while the event is in flight. */
    planRevision: number
    retryCount: number
    claimedAt: number
    /** The lease of another ran out: whoever held it may have sent the message or not. */
    takenOver: boolean
    user: Pick<User, 'id' | 'firstName' | 'lastName' | 'dateOfBirth' | 'timezone' | 'email' | 'language'>
    occasion: Occasion
    /** Null if it could not be rendered. */
    body: string | null
  }

/** What an event will say, at its first attempt; null if that cannot be told. */
export type Render = (claim: Claim) => string | null

export type ClaimRef = { eventId: string; version: number }

/** How an attempt ended, as the store writes it. */
export type Settlement = ClaimRef & { at: number } & (
    | {
        kind: 'terminal'
        status: TerminalStatus
        failureReason: string | null
        statusCode: number | null
        /** The plan revision that the successor was computed from. */
        planRevision: number
        successor: PlannedEvent | null
      }
    /** Tried in vain, and to be tried again. One that does not count leaves the number of retries as it was. */
    | { kind: 'retry'; wakeAt: number; error: string; statusCode: number | null; counts: boolean }
    /** Given back untried: no attempt is recorded. */
    | { kind: 'release'; wakeAt: number }
  )

export type SettleResult = {
  settled: string[]
  /** Claimed anew or deleted since: nothing was written. */
  stale: string[]
  /** Still ours, but the plan changed under it: compute the successor again. Nothing was written. */
  replan: string[]
}

/** A failed event to send again: the new one is due at once. */
export type NewReplay = { of: string; id: string; ownKey: boolean; at: number }

export type Missed = { count: number; oldestAt: number | null; newestAt: number | null }

export type ChannelStatusChange = {
  id: string
  from: ChannelStatus
  to: ChannelStatus
  reason: string | null
  at: number
}

/** Pages are in order of id; the cursor is the last id of the page before. */
export type Page<T> = { items: T[]; nextCursor: string | null }
export type UserQuery = { limit: number; cursor: string | null; search?: string; timezone?: string }
export type EventQuery = {
  limit: number
  cursor: string | null
  userId?: string
  occasionId?: string
  status?: EventStatus
  type?: string
  dueFrom?: number
  dueBefore?: number
  /** How the reason of a failure begins. */
  reason?: string
  settledFrom?: number
  settledBefore?: number
}

export type Store = {
  /** Creates all or, where the answer's key was used before, nothing. Creating the same people twice is a no-op. */
  createUsers(people: readonly NewPerson[], answer?: NewAnswer): Promise<CreateResult>
  findAnswer(key: string, notBefore: number): Promise<Answer | null>

  readPerson(userId: string): Promise<Person | null>
  /** Writes the user and all reschedules, or (`conflict`) nothing: the user or an open event was not as seen. */
  updateUser(update: UserUpdate): Promise<'updated' | 'conflict'>
  /** Removes the user and everything that tells of them. False if there was none. */
  deleteUser(userId: string): Promise<boolean>

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

  /**
   * Removes up to `limit` events settled before the instant, with their attempts and bodies. The latest of each occasion
   * stays: it is what keeps its year from being greeted again. Returns how many went.
   */
  prune(prune: { before: number; limit: number }): Promise<number>

  /** When the next event may be taken; null if there is none. */
  nextWakeAt(): Promise<number | null>
  /** What fell due before now and has not been taken. */
  missed(now: number): Promise<Missed>

  findUser(userId: string): Promise<User | null>
  listUsers(query: UserQuery): Promise<Page<User>>
  findEvent(eventId: string): Promise<{ event: Event; attempts: Attempt[] } | null>
  listEvents(query: EventQuery): Promise<Page<Event>>

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
