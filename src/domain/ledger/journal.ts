// The journal: what decided who is owed which message, recorded in the transaction of each change. An entry keeps the state
// before the change; the state after it is in the next entry or in the row itself. A person who is never changed has no entry:
// their own row records their creation.
import type { Occasion } from '../occasions/occasion.ts'
import type { Task } from '../tasks/task.ts'
import type { User } from '../users/user.ts'

/** The fields of a person that decide when messages are due. */
export type PersonState = Record<keyof Pick<User, 'dateOfBirth' | 'timezone'>, string>

/** The fields of a task that decide when its reminder is due. */
export type TaskState = Pick<Task, 'dueAt' | 'dueRevision' | 'remindBeforeMs' | 'quietHours' | 'completedAt'>

/** The fields of an occasion that decide when its messages are due and where they go. */
export type OccasionState = Pick<
  Occasion,
  | 'date'
  | 'localTime'
  | 'leapDay'
  | 'repeats'
  | 'calendar'
  | 'ruleRevision'
  | 'until'
  | 'pausedAt'
  | 'channelId'
  | 'notAfter'
> & { task: TaskState | null }

/**
 * An event that was erased with its person or occasion; the last replay stands for the events before it, which failed. No id: nothing
 * leads back to the person.
 */
export type ErasedEvent = {
  targetAt: number
  offsetSeconds: number
  status: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED'
  executedAt: number | null
  failureCode: string | null
  createdAt: number
}

export type JournalChange =
  | { kind: 'person-changed'; userId: string; before: PersonState }
  | { kind: 'occasion-changed'; occasionId: string; before: OccasionState }
  /** `idHash`: SHA-256 of the id. `erased`: its open events, and those due within the last weeks. */
  | { kind: 'person-deleted'; idHash: string; erased: ErasedEvent[] }
  | { kind: 'occasion-deleted'; idHash: string; erased: ErasedEvent[] }
  /** Another timezone table is in force for the zone. `before` is null for a zone that is recorded for the first time. */
  | { kind: 'zone-changed'; zone: string; before: ZoneRules | null; after: ZoneRules }
  /** The limits of lateness that a process was started with, if another entry came after the last one with these. */
  | { kind: 'limits-changed'; after: LatenessLimits }

export type ZoneRules = { rules: string; version: string }

/** Processes with different limits run beside each other: each records its own again when the last record is older than this. */
export const LIMITS_REPEATED_MS = 24 * 60 * 60 * 1000

/** By occasion type, `*` for all others: after how many milliseconds a message is not sent. */
export type LatenessLimits = Readonly<Record<string, number | null>>

export type JournalEntry = { number: number; at: number } & JournalChange

export type JournalKind = JournalChange['kind']

export type EntryOf<K extends JournalKind> = { number: number; at: number } & Extract<
  JournalChange,
  { kind: K }
>
