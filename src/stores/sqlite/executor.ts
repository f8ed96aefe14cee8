// Runs the shared statements on a connection, in this thread or in one of its own.
import { setImmediate } from 'node:timers'
import { Worker } from 'node:worker_threads'
import type { Clock } from '../../ports/clock.ts'
import type {
  Executor,
  OverRows,
  Plain,
  Result,
  SqliteRow,
  Statement,
  Value,
} from '../sqlite-dialect/executor.ts'
import { createCheckpoints } from './checkpoints.ts'
import { CACHE, type Command, openConnection, type SqliteConnection } from './connection.ts'

/** An executor that can be closed. */
export type SqliteExecutor = Executor & {
  /** Runs long reads (lists, counts over everybody) apart from the engine's. */
  slowRead: Executor['read']
  close(): Promise<void>
}

/** In this thread, which waits for the disk: for tests and tools, and inside a transaction of an application. */
export function inThreadExecutor(path: string, prefix = ''): SqliteExecutor {
  return executorOn(openConnection(path, prefix))
}

export function executorOn(connection: SqliteConnection): SqliteExecutor {
  const read: Executor['read'] = async (statement) =>
    connection.read(toCommand({ ...statement, returns: true }))
  return {
    batch: async (statements, how) => connection.batch(statements.map(toCommand), how?.durable ?? true),
    read,
    slowRead: read,
    close: async () => connection.close(),
  }
}

export type ThreadCall =
  | { kind: 'batch'; id: number; commands: readonly Command[]; durable: boolean }
  | { kind: 'read'; id: number; command: Command }
  | { kind: 'emptyLog'; id: number }
  | { kind: 'close'; id: number }

/** Rows travel end to end: a thousand small arrays take three times as long to copy. */
type FlatResult = { values: Value[]; width: number; changes: number }
/** The fields of an error that are copied out of the thread. */
export type ThreadFailure = {
  name: string
  message: string
  code?: unknown
  errcode?: unknown
  errstr?: unknown
}

export type Reply = { id: number } & ({ results: FlatResult[] } | { error: ThreadFailure })

/**
 * In threads of its own: API and deliveries go on during a write, and a spike has a second core. The engine's reads have one
 * thread, lists and counts over a million people another, so that the engine never waits for them. That one starts when it
 * is first needed: an idle thread takes 13 MB. `onDeath` is called when a thread ends unexpectedly.
 */
export async function threadedExecutor(
  path: string,
  clock: Clock,
  onDeath: (error: Error) => void,
  prefix = '',
): Promise<SqliteExecutor> {
  // The writer first: it migrates the file that the readers open.
  const writer = await startThread({ path, prefix, cache: CACHE.writer }, onDeath)
  const startReader = () => startThread({ path, prefix, cache: CACHE.reader }, onDeath)
  const reader = await startReader()
  const reportingReader = whenNeeded(startReader)
  const readBy = async (thread: Thread, statement: Plain): Promise<SqliteRow[]> => {
    const command = toCommand({ ...statement, returns: true })
    const [result] = await thread.call((id) => ({ kind: 'read', id, command }))
    return result!.rows
  }
  const emptyLog = async (thread: Thread): Promise<boolean> => {
    const [result] = await thread.call((id) => ({ kind: 'emptyLog', id }))
    return result!.changes === 1
  }
  // On the thread of long reads: neither the engine's reads nor its writes wait for the copying.
  const checkpoints = createCheckpoints(clock, async () => emptyLog(await reportingReader.get()))
  // A process that was killed, or another one, may have left erased rows in the WAL. Nobody reads yet.
  emptyLog(reader).then(
    (isEmpty) => isEmpty || checkpoints.request(),
    () => {},
  )
  return {
    batch: async (statements, how) => {
      const commands = statements.map(toCommand)
      const durable = how?.durable ?? true
      const results = await writer.call((id) => ({ kind: 'batch', id, commands, durable }))
      if (how?.erases === true) checkpoints.request()
      return results
    },
    read: (statement) => readBy(reader, statement),
    slowRead: async (statement) => readBy(await reportingReader.get(), statement),
    close: async () => {
      await checkpoints.close()
      await Promise.all([reader.close(), reportingReader.close()])
      await writer.close()
    },
  }
}

/** A thread that starts at its first use. */
function whenNeeded(start: () => Promise<Thread>): { get(): Promise<Thread>; close(): Promise<void> } {
  let started: Promise<Thread> | null = null
  let isClosed = false
  return {
    get() {
      if (isClosed) return Promise.reject(new Error('The database is closed.'))
      started ??= start().catch((error) => {
        started = null
        throw error
      })
      return started
    },
    async close() {
      isClosed = true
      const thread = await started?.catch(() => null)
      await thread?.close()
    },
  }
}

type Thread = { call(make: (id: number) => ThreadCall): Promise<Result[]>; close(): Promise<void> }

/** Replies to a single caller between two turns of the event loop. */
const MOST_SETTLED_AT_ONCE = 8

export type OpenedFile = { path: string; prefix: string; cache: number }

/** The code of thread.ts. Defined by scripts/bundle-library.ts: an application may bundle the library. */
declare const TERCE_SQLITE_THREAD: string | undefined
const threadUrl = () =>
  typeof TERCE_SQLITE_THREAD === 'undefined'
    ? new URL(`./thread.${import.meta.url.slice(-2)}`, import.meta.url)
    : new URL(`data:text/javascript,${encodeURIComponent(TERCE_SQLITE_THREAD)}`)

/** Resolves when the thread has opened the file. */
async function startThread(file: OpenedFile, onDeath: (error: Error) => void): Promise<Thread> {
  const worker = new Worker(threadUrl(), {
    workerData: file,
    // Node 22 warns of node:sqlite in every thread.
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const waiting = new Map<number, PromiseWithResolvers<Result[]>>()
  let replies: Reply[] = []
  let settledAtOnce = 0
  let gone: Error | null = null
  let calls = 0
  let closing = false

  function end(error: Error): void {
    if (gone !== null) return
    gone = error
    settleAll()
    for (const { reject } of waiting.values()) reject(error)
    if (!closing) onDeath(error)
  }

  function settle(reply: Reply): void {
    const call = waiting.get(reply.id)
    // Under `node --watch`, Node itself posts the name of each module that the thread imports.
    if (call === undefined) return
    waiting.delete(reply.id)
    if ('error' in reply) call.reject(Object.assign(new Error(reply.error.message), reply.error))
    else call.resolve(reply.results.map(unflatten))
  }

  function settleAll(): void {
    const arrived = replies
    replies = []
    settledAtOnce = 0
    for (const reply of arrived) settle(reply)
  }

  // Node handles up to a thousand messages before it looks at a socket, also those that arrive meanwhile: eight exports, which
  // send their next query at each reply, stopped the process for 8 s. So replies wait for the other events of this turn. That
  // takes 3 us, and most replies to a single caller do not need it.
  worker.on('message', (reply: Reply) => {
    if (waiting.size === 1 && settledAtOnce < MOST_SETTLED_AT_ONCE) {
      settledAtOnce += 1
      settle(reply)
    } else if (replies.push(reply) === 1) setImmediate(settleAll)
  })
  worker.on('error', (error) => end(error as Error))
  worker.on('exit', () => end(new Error('The database is closed.')))

  function wait(id: number): Promise<Result[]> {
    const waiter = Promise.withResolvers<Result[]>()
    waiting.set(id, waiter)
    return waiter.promise
  }

  function call(make: (id: number) => ThreadCall): Promise<Result[]> {
    if (gone !== null) return Promise.reject(gone)
    calls += 1
    const replied = wait(calls)
    worker.postMessage(make(calls))
    return replied
  }

  async function close(): Promise<void> {
    closing = true
    if (gone === null) await call((id) => ({ kind: 'close', id }))
    await worker.terminate()
  }

  try {
    await wait(0)
  } catch (error) {
    closing = true
    await worker.terminate()
    throw error
  }
  return { call, close }
}

function toCommand(statement: Statement): Command {
  if ('params' in statement) return plainCommand(statement)
  return rowsCommand(statement)
}

function plainCommand({ sql, params, returns }: Plain): Command {
  return { sql, values: params, columns: null, returns: returns ?? false }
}

function rowsCommand({ sql, columns, rows }: OverRows): Command {
  const width = columns.length
  const values = new Array<Value>(rows.length * width)
  let at = 0
  for (const row of rows) for (let i = 0; i < width; i++) values[at++] = row[i]!
  return { sql, values, columns, returns: false }
}

export function flatten({ rows, changes }: Result): FlatResult {
  const width = rows[0]?.length ?? 0
  return { values: rows.flat(), width, changes }
}

function unflatten({ values, width, changes }: FlatResult): Result {
  const rows: SqliteRow[] = []
  if (width > 0) for (let at = 0; at < values.length; at += width) rows.push(values.slice(at, at + width))
  return { rows, changes }
}
