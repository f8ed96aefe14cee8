// Occasions and tasks: each is written together with its open event.
import type { PlannedEvent } from '../../domain/events/event.ts'
import type { EventStatus, TerminalStatus } from '../../domain/events/event-status.ts'
import type { MoveCause } from '../../domain/events/move.ts'
import type { Occasion } from '../../domain/occasions/occasion.ts'
import type { LastSettled } from '../../domain/occasions/schedule.ts'
import type { Task } from '../../domain/tasks/task.ts'
import type { User } from '../../domain/users/user.ts'
import type { Page, TaskQuery } from '../query.ts'

/** An occasion with its open event and its last settled one: the input of planning. */
export type OccasionPlan = {
  occasion: Occasion
  /** Set for a TASK_REMINDER only. */
  task: Task | null
  open: OpenEvent | null
  lastSettled: SettledEvent | null
}

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

/** A task with the external id of its user. */
export type OwnedTask = Task & Pick<User, 'externalId'>

/** The last settled occurrence, and its outcome. */
export type SettledEvent = LastSettled & { id: string; status: TerminalStatus; executedAt: number }

export type OccasionSave = {
  /** The new state. Version 1 creates; a later version replaces the one before it. */
  occasion: Occasion
  /** The task of a TASK_REMINDER, saved with it; null for every other type. */
  task: Task | null
  /** The version of the user that the event was planned for. */
  userVersion: number
  open: OpenChange
  /** Why its event moves, recorded with the move. By default the occasion changed or, if it has one, its task did. */
  cause?: MoveCause
  at: number
}

/** How saving an occasion changes its open event. The save conflicts unless the event is as described. */
export type OpenChange =
  /** No event is open: insert this one, or none. */
  | { kind: 'insert'; event: PlannedEvent | null }
  /** The event is pending at that version: move it, or delete it if `to` is null. */
  | { kind: 'reschedule'; eventId: string; version: number; to: PlannedEvent | null }
  /** The event is in flight at that version and stays. Its successor must be planned again. */
  | { kind: 'keepInFlight'; eventId: string; version: number }

/** A method that throws wrote all or nothing: a connection can break after COMMIT. */
export type OccasionStore = {
  /** Null if the occasion does not exist. */
  findOccasion(occasionId: string): Promise<Occasion | null>

  /** The types of all occasions, each once, in order of name. */
  listOccasionTypes(): Promise<string[]>

  /**
   * Writes the occasion, its task and its event, or nothing. `conflict`: the user, the occasion or its event
   * was changed meanwhile, a call that threw had written it, or its keyed id was that of a deleted record; read again and retry.
   */
  saveOccasion(save: OccasionSave): Promise<'saved' | 'conflict'>

  /**
   * Writes, in one transaction, the saves that do not conflict, and returns the ids of their occasions. The saves are of one instant
   * and cause, and each is of another occasion.
   */
  saveOccasions(saves: readonly OccasionSave[]): Promise<string[]>

  /**
   * Erases the occasion with its events and task, all or nothing, as `deleteUser` does. False if it does not
   * exist. Safe to repeat.
   */
  removeOccasion(occasionId: string, at: number): Promise<boolean>

  /** Null if the task does not exist. */
  findTask(taskId: string): Promise<OwnedTask | null>

  /** Pages of tasks in order of id. */
  listTasks(query: TaskQuery): Promise<Page<OwnedTask>>
}
