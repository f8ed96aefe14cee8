// The exports of `terce/testing`: Terce for the tests of an application, with a clock that the test moves.
/// <reference lib="esnext.disposable" preserve="true" />
import '../node-version.ts'

import type { Clock } from '../../ports/clock.ts'
import { readConfig } from '../../runtimes/config/config.ts'
import { assemble } from '../assemble.ts'
import type { EventType, Handler } from '../handlers/handler.ts'
import type { Terce, TerceOptions } from '../library.ts'
import { parseBasePath } from '../mounted.ts'
import { environmentOf, HANDLER_TIMEOUT_MS } from '../terce.ts'
import type { PgPool, PgTransaction, SqliteDatabase } from '../transactions.ts'
import { counted, createActivity } from './activity.ts'
import { createTestClock, type TestClock } from './clock.ts'
import { openTestDatabase } from './database.ts'
import {
  createRecorder,
  type FailedAttempt,
  type Receive,
  type Recorder,
  type TestAttempt,
} from './deliveries.ts'
import { startTestEngine, type TestEngine } from './engine.ts'
import { type Instant, instantFrom } from './instant.ts'
import { seededDice } from './seeded-dice.ts'

export type { Duration, Instant } from './instant.ts'
export type { FailedAttempt, Receive, SqliteDatabase, TestAttempt, TestClock }

export type TestOptions<Tx = PgTransaction> = Partial<TerceOptions<Tx>> & {
  /** Where the clock begins. 2027-01-01T00:00:00Z if not given. */
  now?: Instant
  /** Ids and the waits before retries follow from it: equal seeds give equal ids. 1 if not given. */
  seed?: number
}

/** Without a database: on SQLite in memory. */
export type InMemoryOptions = Omit<TestOptions, 'database' | 'transactions'>

export type TestTerce<Tx = PgTransaction> = Terce<Tx> & {
  clock: TestClock
  /** The deliveries so far, in their order. */
  deliveries: TestAttempt[]
  /** The attempts that failed so far, in their order, each with the error that the handler threw. */
  failures: FailedAttempt[]
  /** Replaces the receiver of messages without a handler, which accepts every message: for tests of outages. */
  receive(receive: Receive): void
  [Symbol.asyncDispose](): Promise<void>
}

export type InMemoryTerce = TestTerce<SqliteDatabase> & {
  /** The database in memory, for the tables of the application. Handlers get it as `tx`. */
  sqlite: SqliteDatabase
}

export function createTestTerce(options?: InMemoryOptions): Promise<InMemoryTerce>
export function createTestTerce<Tx = PgTransaction>(
  options: TestOptions<Tx> & { database: PgPool | string },
): Promise<TestTerce<Tx>>
export async function createTestTerce<Tx>(options: TestOptions<Tx> = {}) {
  const {
    database,
    schema = 'terce',
    transactions,
    handlerTimeoutMs = HANDLER_TIMEOUT_MS,
    seed = 1,
  } = options
  const settings = { LOG_LEVEL: 'silent', ...options.settings }
  const config = readConfig(environmentOf({ database: database ?? ':memory:', schema, settings }))
  const { timezoneTable: table } = config
  const start = instantFrom(options.now ?? BEGINNING)
  const activity = createActivity()
  const errors: unknown[] = []
  const onError = (error: unknown) => void errors.push(error)
  const opened = await openTestDatabase({ database, schema, transactions, handlerTimeoutMs, onError }, config)
  let engine: TestEngine | null = null
  let isStarted = false
  let stopping: Promise<void> | null = null

  const { clock, test, isMoving } = createTestClock({
    start,
    table,
    async rest() {
      await activity.rest()
      if (errors.length > 0) throw errors.splice(0)[0]
    },
    async onMove() {
      if (stopping !== null) throw new Error('Terce is stopped.')
      isStarted = true
      errors.length = 0
      if (engine === null) await terce.start()
      // Transactions of the application may have committed since the last move.
      await engine?.look()
    },
  })
  const recorder = createRecorder({ now: clock.now, table, activity })

  const terce = assemble<Tx>({
    config,
    schema,
    open: async () => ({
      ...ALONE,
      store: counted(activity, opened.store),
      enqueued: opened.enqueued,
      clock,
    }),
    handlers: {
      connect: async () => ({ transactions: opened.transactions, concurrency: 1, close: async () => {} }),
      timeoutMs: handlerTimeoutMs,
      timers: realTimers,
    },
    basePath: parseBasePath(options.basePath ?? ''),
    authenticate: options.authenticate ?? null,
    hooks: options,
    logger: options.logger,
    dice: seededDice(seed),
    deliver: async (own) => {
      // Dice of its own: a retry more must not change the ids after it.
      engine = startTestEngine(
        { config, dice: seededDice(seed + 1), recorder, activity, isMoving, onError },
        own,
      )
      return engine
    },
  })

  async function stop(): Promise<void> {
    await terce.stop()
    await opened.close()
  }

  const own: TestTerce<Tx> = {
    ...terce,
    on<Type extends EventType, Data>(
      type: Type,
      handler: Handler<Tx, Type, Data>,
      how?: { replace?: boolean },
    ) {
      if (isStarted) throw new Error('Register handlers before start(), and before the clock moves.')
      terce.on<Type, Data>(type, recordedBy(recorder, handler), how)
    },
    // The engine starts when the clock moves.
    start: async () => {
      isStarted = true
    },
    stop: () => {
      stopping ??= stop()
      return stopping
    },
    clock: test,
    deliveries: recorder.deliveries,
    failures: recorder.failures,
    receive: recorder.receive,
    [Symbol.asyncDispose]: () => own.stop(),
  }
  return opened.sqlite === null ? own : Object.assign(own, { sqlite: opened.sqlite })
}

/** The handler, with what it throws recorded. */
const recordedBy =
  <Tx, Type extends EventType, Data>(
    { onThrown }: Recorder,
    handler: Handler<Tx, Type, Data>,
  ): Handler<Tx, Type, Data> =>
  async (event, context) => {
    const { signal, idempotencyKey } = context
    signal.addEventListener('abort', () => onThrown(idempotencyKey, signal.reason))
    try {
      return await handler(event, context)
    } catch (error) {
      onThrown(idempotencyKey, error)
      throw error
    }
  }

// Read once: a test may replace the timers of the machine.
const { setTimeout: afterRealTime, clearTimeout: clearRealTime } = globalThis

/** The clock of the test waits for the handler, so that only a timer of the machine can end one that never resolves. */
const realTimers: Pick<Clock, 'after'> = {
  after(ms, run) {
    const timer = afterRealTime(run, ms)
    return { cancel: () => clearRealTime(timer) }
  },
}

const BEGINNING = '2027-01-01T00:00:00Z'

/** No other process plans or delivers. */
const ALONE = {
  pool: null,
  pollMs: Number.POSITIVE_INFINITY,
  announce() {},
  listen() {},
  close: async () => {},
}
