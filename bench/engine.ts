// What the benchmark asks of an engine under test, so that all are driven the same way. Types only.
import type { Channel } from '../src/ports/channel.ts'

/** Where the servers of this run are. Every engine gets a database of its own. */
export type Place = {
  postgresUrl: string
  redisUrl: string | null
  redisDatabase: number
  sinkUrl: string | null
}

export type EngineUnderTest = {
  /** Connects, and creates what tables it needs. */
  setUp(place: Place): Promise<void>
  /** Schedules one event per instant, in bulk, through the engine's own API. Returns their keys, in order. */
  schedule(instants: readonly number[]): Promise<string[]>
  /** Adds events over the year to come by the fastest way there is: never timed. */
  seed(count: number): Promise<void>
  /** Before a run, never timed: statistics are fresh, and due events are as old as the others. */
  settleDown(): Promise<void>
  /** Works as it would in production until that many events are durably done and their next ones scheduled. */
  run(count: number, channel: Channel): Promise<void>
  /** One claim of up to that many; what it took is done with after the clock has stopped. */
  claim(limit: number): Promise<{ taken: number; tookMs: number }>
  /** What the database holds: not done though due, and still to come. */
  count(): Promise<{ due: number; future: number }>
  tearDown(): Promise<void>
}

/** What a peer puts in its queue for one event: enough to render the message and to name the next occurrence. */
export type Payload = { key: string; firstName: string; lastName: string; year: number }

export const YEAR_MS = 365 * 24 * 60 * 60 * 1000
