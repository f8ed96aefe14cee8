// A scenario as plain data: people and their edits, workers, faults and their times. As data it can be printed and shrunk.

import type { CalendarName } from '../../src/domain/calendars/calendars.ts'
import type { Lateness } from '../../src/domain/events/lateness.ts'
import type { LeapDay } from '../../src/domain/occasions/next-occurrence.ts'
import type { ChannelLimits, ChannelStatus } from '../../src/domain/settings/channel.ts'
import type { UserInput } from '../../src/domain/users/user.ts'

export type Scenario = {
  /** Decides what the data leaves open: the latency of each call, and the order of concurrent steps. */
  seed: number
  from: number
  /** From here on there are no faults and no edits. */
  faultsEndAt: number
  until: number
  /** The channels, by number. The first is the default until a chore changes it. */
  channels: ChannelPlan[]
  edits: Edit[]
  chores: Chore[]
  workers: WorkerPlan[]
  /** A deployment with a scheduler, a queue and consumers. Absent: the workers are long-running engines. */
  queue?: QueuePlan
  /** The workers are processes of an application that handles the events of the default channel. Absent: no handlers. */
  handlers?: HandlerPlan
  faults: Fault[]
  /** How long the operator takes to release a held or a disabled channel. */
  operatorDelayMs: { HELD: number; DISABLED: number }
  /** How far the clock of the database is behind the true time. */
  databaseBehindMs: number
  /** Lateness limits by kind of occasion; `*` for every other kind. */
  lateness: Record<string, Lateness>
  /** Upgrades of the timezone table; a process has the other table before. Empty: all processes keep the shipped table. */
  upgrades: Upgrade[]
  /** Some wake-ups do not reach the workers, which poll every minute instead. */
  wakeUpsGetLost: boolean
}

/** The timezone tables of the tests. */
export type Release = '2025c' | '2026f'

/** A process restarts with another timezone table. */
export type Upgrade = { at: number; who: Exclude<Who, 'cron'>; release: Release }

export type ChannelPlan = ChannelLimits & { kind: 'webhook' | 'smtp' }

/** The settings of a person's birthday. */
export type BirthdayPlan = {
  /** The number of its channel; null for the default. */
  channel: number | null
  /** The cut-off, `HH:MM` local time. */
  notAfter: string | null
}

/** An occasion of another kind. */
export type OccasionPlan = BirthdayPlan & {
  type: string
  date: string
  localTime: string
  repeats: string
  /** The Gregorian calendar if absent. */
  calendar?: CalendarName
  leapDay: LeapDay
  /** When it is sent; on its date if absent. */
  shift?: string | null
  onWeekend?: string | null
  until: string | null
  /** Its own template; null for the template of its kind, if there is one. */
  template: TemplatePlan | null
}

/** A task and its reminder. */
export type TaskPlan = {
  title: string
  dueAt: number
  /** In whole minutes. */
  remindBeforeMs: number
  quietHours: string | null
}

/** A request to the API. People are numbered, and so are the occasions and tasks of each; occasion null is the birthday. */
export type Edit = { at: number; person: number } & (
  | { kind: 'create'; input: UserInput; birthday: BirthdayPlan; sendTodayNow?: boolean }
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

/** An action of the operator. */
export type Chore = { at: number } & (
  | { kind: 'prune'; olderThanMs: number }
  /** Replays some failed events. */
  | { kind: 'replay'; ownKey: boolean }
  /** Holds or disables a channel. `forMs`: a hold that ends by itself. */
  | { kind: 'stop channel'; channel: number; status: Exclude<ChannelStatus, 'ACTIVE'>; forMs?: number }
  | { kind: 'name default'; channel: number }
  /** Moves the send time of everybody, or of the occasions with the time `from`. */
  | { kind: 'send time'; localTime: string; from?: string }
  /** Saves or, with null, removes the template for birthdays in a language. */
  | { kind: 'write'; language: string; template: TemplatePlan | null }
)

/** A template with a unique mark. A fragile one cannot be rendered for people with long names. */
export type TemplatePlan = { mark: number; fragile: boolean }

export type WorkerPlan = {
  /** How far its clock is ahead of the true time; negative if it is behind. */
  skewMs: number
}

/** The settings of a deployment with a queue. Each worker is a slot for one consumer at a time. */
export type QueuePlan = {
  /** How far the clock of the scheduler is ahead. */
  skewMs: number
  /** The scheduler is called every minute, `phaseMs` after the full minute, for `runMs`. */
  phaseMs: number
  runMs: number
  /** The time of a consumer for a batch. */
  consumeMs: number
  /** The platform kills a consumer after this time. */
  limitMs: number
  /** A message is redelivered this long after its delivery without a response, or after a crash of its consumer. */
  unansweredMs: number
  diedMs: number
  /** How often a message is delivered before it becomes a dead letter. */
  maxReceives: number
  inOrder: boolean
}

export type HandlerPlan = {
  /** How many handlers of a process run at once. */
  concurrency: number
  timeoutMs: number
}

/** What the next handlers do. */
export type HandlerFault = { kind: 'handler'; at: number; times: number } & (
  | { how: 'throws' | 'throws after its write' | 'fails for good' }
  | { how: 'slow'; ms: number }
)

/** A worker by its number, the scheduler, or the API process. */
export type Who = number | 'cron' | 'api'

/** Before the call takes effect, or after it and before the caller gets the response. */
export type Stage = 'before' | 'after'

/** A fault of the first matching call from `at` on. */
export type CallFault = { at: number; who: Who; op: string; stage: Stage } & (
  | { kind: 'crash'; downMs: number }
  | { kind: 'pause'; forMs: number }
  | { kind: 'failure'; times: number }
)

/** How the receiver of a channel replies. */
export type ReceiverFault =
  /** Its next replies. */
  | { kind: 'reply'; at: number; channel: number; times: number; reply: Reply }
  /** All its replies for a while. */
  | { kind: 'down'; at: number; channel: number; forMs: number; reply: Reply }

/** What happens to the next messages that the scheduler sends to the queue. */
export type MessageFault = { kind: 'message'; at: number; times: number; effect: MessageEffect }

export type MessageEffect =
  /** Rejected, and the scheduler gets the rejection. */
  | { kind: 'rejected' }
  /** Accepted, and never delivered. */
  | { kind: 'lost' }
  | { kind: 'duplicated'; afterMs: number }
  | { kind: 'delayed'; byMs: number }
  /** The first acknowledgement is lost. */
  | { kind: 'unacked' }
  /** Crashes that many consumers, each when it begins to send. */
  | { kind: 'poison'; crashes: number }

export type Fault =
  | CallFault
  | ReceiverFault
  | MessageFault
  | HandlerFault
  /** The scheduler is not called for a while. */
  | { kind: 'no runs'; at: number; forMs: number }
  /** The scheduler is called although the last call may still run. */
  | { kind: 'extra run'; at: number }
  /** SIGTERM, and a restart afterwards. */
  | { kind: 'stop'; at: number; who: number; downMs: number }
  /** The worker's clock is set, to the true time or another. */
  | { kind: 'clock'; at: number; who: number; skewMs: number }
  /** The clocks of all workers are set forward, and back after a while. */
  | { kind: 'clock jump'; at: number; aheadMs: number; forMs: number }
  /** Every worker crashes and stays down. */
  | { kind: 'outage'; at: number; forMs: number }

export type Reply =
  /** A status of HTTP, or of a mail server for the command `to`. */
  | { kind: 'status'; status: number; retryAfterSeconds?: number; to?: string }
  /** No response within the sender's timeout. */
  | { kind: 'timeout'; accepted: boolean }
  /** The connection breaks. */
  | { kind: 'reset'; accepted: boolean }
  | { kind: 'slow'; ms: number }
