// A history to be lived, as plain data: who comes, changes and goes, who works, what breaks and when. Being data, it can
// be printed, and shortened piece by piece.
import type { UserInput } from '../../src/domain/user.ts'

export type Scenario = {
  /** Decides what the data leaves open: how long each call takes, and the order of what could happen at once. */
  seed: number
  from: number
  /** Nothing breaks and nobody changes from here on. */
  calmAt: number
  until: number
  edits: Edit[]
  chores: Chore[]
  workers: WorkerPlan[]
  faults: Fault[]
  /** How far the clock of the database is behind true time. */
  databaseBehindMs: number
  catchUpWindowMs: number | null
  /** The workers look at the clock every minute, which must heal any news that does not reach them. */
  newsGetsLost: boolean
}

/** What a caller of the API does. People are numbered. */
export type Edit = { at: number; person: number } & (
  | { kind: 'create'; input: UserInput }
  | { kind: 'change'; input: Partial<UserInput> }
  | { kind: 'delete' }
)

/** What an operator does. */
export type Chore = { at: number } & (
  | { kind: 'prune'; olderThanMs: number }
  /** Sends again some of what failed. */
  | { kind: 'replay'; ownKey: boolean }
)

export type WorkerPlan = {
  /** How far its clock is ahead of true time; negative for behind. */
  skewMs: number
}

/** A worker's number, or the process that serves the API. */
export type Who = number | 'api'

/** Before the call takes effect, or after it did and before the caller hears of it. */
export type Stage = 'before' | 'after'

/** A fault at a call lies in wait from `at` on for the first call that fits. */
export type CallFault = { at: number; who: Who; op: string; stage: Stage } & (
  | { kind: 'crash'; downMs: number }
  | { kind: 'pause'; forMs: number }
  | { kind: 'failure'; times: number }
)

export type Fault =
  | CallFault
  /** The next answers of the receiver. */
  | { kind: 'reply'; at: number; times: number; reply: Reply }
  /** SIGTERM, and a start afterwards. */
  | { kind: 'stop'; at: number; who: number; downMs: number }
  /** The worker's clock is set, rightly or not. */
  | { kind: 'clock'; at: number; who: number; skewMs: number }
  /** Every worker dies and stays down. */
  | { kind: 'outage'; at: number; forMs: number }

export type Reply =
  | { kind: 'status'; status: number; retryAfterSeconds?: number }
  /** No answer within the sender's patience. */
  | { kind: 'timeout'; accepted: boolean }
  /** The connection breaks. */
  | { kind: 'reset'; accepted: boolean }
  | { kind: 'slow'; ms: number }
