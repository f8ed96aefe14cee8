// Users: each is created and changed together with its occasions' open events.
import type { PlannedEvent } from '../../domain/events/event.ts'
import type { Occasion } from '../../domain/occasions/occasion.ts'
import type { User } from '../../domain/users/user.ts'
import type { Page, UserQuery } from '../query.ts'
import type { Reschedule } from './events.ts'
import type { OccasionPlan } from './occasions.ts'

/** A new user with their occasions and first events. */
export type NewPerson = { user: User; occasions: Occasion[]; events: PlannedEvent[] }

/** A user with the plans of their occasions. */
export type Person = { user: User; plans: OccasionPlan[] }

export type CreateResult = { kind: 'created'; created: number } | { kind: 'taken' }

export type UserUpdate = {
  /** The new state; its version is one above the version that it replaces. */
  user: User
  /** Every open event of the user, at the version seen; null if the schedule does not change. */
  reschedules: readonly Reschedule[] | null
  /** Events of occasions that had none, for example because their time was over before the user moved. Only with `reschedules`. */
  inserts?: readonly NewOpenEvent[]
}

/** The event of an occasion without an open one, planned from that version of the occasion, in its lane. */
export type NewOpenEvent = { event: PlannedEvent; lane: number; occasionVersion: number }

/** A method that throws wrote all or nothing: a connection can break after COMMIT. */
export type UserStore = {
  /**
   * Creates the people. A person who exists already (by id or external id) is skipped.
   * `ifTaken: 'reject'`: no one is skipped. `taken`: an id or external id is in use, or the keyed id of the one person was that of a
   * deleted record, and nothing was written.
   * Safe to repeat after an error: people who were created are skipped, or taken.
   */
  createUsers(people: readonly NewPerson[], how?: { ifTaken: 'skip' | 'reject' }): Promise<CreateResult>

  /** True if a record with this keyed id was deleted, and the audit log still knows. */
  isDeletedKey(id: string): Promise<boolean>

  /**
   * Writes the user, all reschedules and all inserts, or nothing. `conflict`: the user, an open event or the occasion of an
   * insert was changed meanwhile; read again and retry. `taken`: another user has that external id. After an error that was thrown behind a COMMIT, a repeated call
   * returns `conflict`.
   */
  updateUser(update: UserUpdate): Promise<'updated' | 'conflict' | 'taken'>

  /**
   * Erases the user with their occasions, events, attempts and feeds. Keyed ids enter the audit log. An event in flight is
   * erased too; its settlement is then stale. False if the user does not exist. Also erases the changes that were enqueued for
   * the external id; with `keepEnqueued` they stay.
   * Erases all of it or nothing. Safe to repeat.
   */
  deleteUser(userId: string, at: number, how?: { keepEnqueued: boolean }): Promise<boolean>

  /** Erases many users as `deleteUser` does, in one transaction, and returns the ids of those who existed. */
  deleteUsers(userIds: readonly string[], at: number): Promise<string[]>

  /** Null if the user does not exist. */
  findUser(userId: string): Promise<User | null>

  /** In no order; an external id that no user has is missing. */
  findUsersByExternalId(externalIds: readonly string[]): Promise<User[]>

  /** Pages of users in order of id, each user once. A page may be short or empty and still have a cursor. */
  listUsers(query: UserQuery): Promise<Page<User>>

  /** The user with the plans of all their occasions; null if the user does not exist. */
  readPerson(userId: string): Promise<Person | null>

  /** As `listUsers`, with the plans of the users. */
  listPeople(query: UserQuery): Promise<Page<Person>>
}
