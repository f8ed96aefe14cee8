// The port of an engine under test: the benchmark drives every engine through it. Types only.
import type { Channel } from '../src/ports/channel.ts'

/** The servers of one measurement. Every engine has its own database. */
export type Place = {
  postgresUrl: string
  redisUrl: string | null
  redisDatabase: number
  /** The process of the database server of the engine. */
  databasePid: number
}

export type EngineUnderTest = {
  /** Connects and creates the tables. */
  setUp(place: Place): Promise<void>
  /** Schedules one event per instant, in bulk, through the engine's own API. Returns their keys, in order. */
  schedule(instants: readonly number[]): Promise<string[]>
  /** Adds future events, spread over a year, by the fastest means. Never timed. */
  seed(count: number): Promise<void>
  /** Prepares a run: updates statistics and gives due events creation times like all others. Never timed. */
  prepare(): Promise<void>
  /** Works as in production until `count` events are durably completed and their next occurrences scheduled. */
  run(count: number, channel: Channel): Promise<void>
  /** Claims up to `limit` events once. Completes them after the timed part. */
  claim(limit: number): Promise<{ claimed: number; tookMs: number }>
  /** Counts the incomplete events in the database: due ones and future ones. */
  count(): Promise<{ due: number; future: number }>
  tearDown(): Promise<void>
}

/** The job data of a peer for one event: enough to render the message and to name the next occurrence. */
export type Payload = { key: string; firstName: string; lastName: string; year: number }

export const YEAR_MS = 365 * 24 * 60 * 60 * 1000
