// A history to be lived, as plain data: who comes, changes and goes, who works, what breaks and when. Being data, it can
// be printed, and shortened piece by piece.

import type { Lateness } from '../../src/domain/events/lateness.ts'
import type { LeapDay } from '../../src/domain/occasions/next-occurrence.ts'
import type { ChannelLimits, ChannelStatus } from '../../src/domain/settings/channel.ts'
import type { UserInput } from '../../src/domain/users/user.ts'

export type Scenario = {
  /** Decides what the data leaves open: how long each call takes, and the order of what could happen at once. */
  seed: number
  from: number
  /** Nothing breaks and nobody changes from here on. */
  calmAt: number
  until: number
  /** Where messages go, by number. The first is the default, until a chore names another. */
  channels: ChannelPlan[]
  edits: Edit[]
  chores: Chore[]
  workers: WorkerPlan[]
  /** Where a scheduler and consumers work with a queue between. Absent: the workers are engines that run on. */
  queue?: QueuePlan
  faults: Fault[]
  /** How long it takes until somebody sees to a channel that is paused, or off. */
  seenToAfterMs: { PAUSED: number; DISABLED: number }
  /** How far the clock of the database is behind true time. */
  databaseBehindMs: number
  /** How late messages may be, by kind of occasion; `*` for those that are not named. */
  lateness: Record<string, Lateness>
  /** Who gets which timezone table, and when; they had the other before. Empty where all have the same for ever. */
  upgrades: Upgrade[]
  /** The workers look at the clock every minute, which must heal any news that does not reach them. */
  newsGetsLost: boolean
}

/** The timezone tables that there are. */
export type Release = '2025c' | '2026f'

/** A process is started anew with another timezone table. */
export type Upgrade = { at: number; who: Exclude<Who, 'cron'>; release: Release }

export type ChannelPlan = ChannelLimits & { kind: 'webhook' | 'smtp' }

/** What is special about a person's birthday. */
export type BirthdayPlan = {
  /** The number of the channel that it names; null for the default. */
  channel: number | null
  /** `HH:MM` there, after which it is not tried any more. */
  notAfter: string | null
}

/** What is asked of an occasion of another kind. */
export type OccasionPlan = BirthdayPlan & {
  type: string
  date: string
  localTime: string
  repeats: string
  leapDay: LeapDay
  until: string | null
  /** Its own words; null for those of its kind, if there are any. */
  words: Words | null
}

/** What is to be done, and when its person wants to hear of it. */
export type TaskPlan = {
  title: string
  dueAt: number
  /** In whole minutes. */
  remindBeforeMs: number
  quietHours: string | null
}

/** What a caller of the API does. People are numbered, and so are the occasions and tasks of each; null is the birthday. */
export type Edit = { at: number; person: number } & (
  | { kind: 'create'; input: UserInput; birthday: BirthdayPlan }
  | { kind: 'change'; input: Partial<UserInput> }
  | { kind: 'redirect'; birthday: BirthdayPlan }
  | { kind: 'delete' }
  | { kind: 'add occasion'; occasion: number; plan: OccasionPlan }
  | { kind: 'change occasion'; occasion: number | null; change: Partial<Omit<OccasionPlan, 'type'>> }
  | { kind: 'pause occasion' | 'resume occasion'; occasion: number | null }
  | { kind: 'remove occasion'; occasion: number }
  | { kind: 'add task'; task: number; plan: TaskPlan }
  | { kind: 'change task'; task: number; change: Partial<TaskPlan> }
  | { kind: 'complete task' | 'remove task'; task: number }
)

/** What an operator does. */
export type Chore = { at: number } & (
  | { kind: 'prune'; olderThanMs: number }
  /** Sends again some of what failed. */
  | { kind: 'replay'; ownKey: boolean }
  /** Stops a channel by hand. */
  | { kind: 'stop channel'; channel: number; status: Exclude<ChannelStatus, 'ACTIVE'> }
  | { kind: 'name default'; channel: number }
  /** Other words for birthdays, from now on; null for those of a wider language, or the built-in ones. */
  | { kind: 'write'; language: string; words: Words | null }
)

/** A template that can be told from every other. A fragile one cannot be rendered for those who have long names. */
export type Words = { mark: number; fragile: boolean }

export type WorkerPlan = {
  /** How far its clock is ahead of true time; negative for behind. */
  skewMs: number
}

/** What a home without engines gives its parts. There, a worker is a place for one consumer at a time. */
export type QueuePlan = {
  /** How far the clock of the scheduler is ahead. */
  skewMs: number
  /** A run of the scheduler begins every minute, so long after the full one, and has so long. */
  phaseMs: number
  runMs: number
  /** What a consumer has for a batch. */
  consumeMs: number
  /** When the platform ends a consumer that does not come to an end. */
  limitMs: number
  /** A message comes again so long after it was given to a consumer that does not answer, or that was seen to die. */
  unansweredMs: number
  diedMs: number
  /** As often as a message is given to a consumer before it is a dead letter. */
  maxReceives: number
  inOrder: boolean
}

/** A worker's number, the scheduler that is called every minute, or the process that serves the API. */
export type Who = number | 'cron' | 'api'

/** Before the call takes effect, or after it did and before the caller hears of it. */
export type Stage = 'before' | 'after'

/** A fault at a call lies in wait from `at` on for the first call that fits. */
export type CallFault = { at: number; who: Who; op: string; stage: Stage } & (
  | { kind: 'crash'; downMs: number }
  | { kind: 'pause'; forMs: number }
  | { kind: 'failure'; times: number }
)

/** How the far side of a channel behaves. */
export type FarSideFault =
  /** Its next answers. */
  | { kind: 'reply'; at: number; channel: number; times: number; reply: Reply }
  /** All its answers for a while. */
  | { kind: 'down'; at: number; channel: number; forMs: number; reply: Reply }

/** What becomes of the next messages that are handed to the queue. */
export type MessageFault = { kind: 'message'; at: number; times: number; fate: Fate }

export type Fate =
  /** Not taken, and the scheduler is told so. */
  | { kind: 'refused' }
  /** Taken, and never seen again. */
  | { kind: 'lost' }
  | { kind: 'doubled'; afterMs: number }
  | { kind: 'late'; byMs: number }
  /** The first word of a consumer that it is done with does not get through. */
  | { kind: 'unacked' }
  /** Whoever begins to send it dies, so often. */
  | { kind: 'deadly'; deaths: number }

export type Fault =
  | CallFault
  | FarSideFault
  | MessageFault
  /** The scheduler is not called for a while. */
  | { kind: 'no runs'; at: number; forMs: number }
  /** It is called although the last call may be under way. */
  | { kind: 'extra run'; at: number }
  /** SIGTERM, and a start afterwards. */
  | { kind: 'stop'; at: number; who: number; downMs: number }
  /** The worker's clock is set, rightly or not. */
  | { kind: 'clock'; at: number; who: number; skewMs: number }
  /** Every worker dies and stays down. */
  | { kind: 'outage'; at: number; forMs: number }

export type Reply =
  /** Of HTTP, or of a mail server to the command it is about. */
  | { kind: 'status'; status: number; retryAfterSeconds?: number; to?: string }
  /** No answer within the sender's patience. */
  | { kind: 'timeout'; accepted: boolean }
  /** The connection breaks. */
  | { kind: 'reset'; accepted: boolean }
  | { kind: 'slow'; ms: number }
