// Runs the shared statements on a connection, in this thread or in one of its own.
import { Worker } from 'node:worker_threads'
import type { Executor, OverRows, Plain, Result, Row, Statement, Value } from '../sqlite-dialect/executor.ts'
import { type Command, openConnection } from './connection.ts'

/** An executor that can be closed. */
export type SqliteExecutor = Executor & { close(): Promise<void> }

/** In this thread: for tests and tools. Whatever else the thread does waits for the disk. */
export function inThreadExecutor(path: string): SqliteExecutor {
  const connection = openConnection(path)
  return {
    batch: async (statements, how) => connection.batch(statements.map(toCommand), how?.healed ?? false),
    read: async (statement) => connection.read(toCommand({ ...statement, returns: true })),
    close: async () => connection.close(),
  }
}

export type Call =
  | { kind: 'batch'; id: number; commands: readonly Command[]; healed: boolean }
  | { kind: 'read'; id: number; command: Command }
  | { kind: 'close'; id: number }

/** Rows travel end to end: a thousand small arrays take three times as long to copy. */
export type FlatResult = { values: Value[]; width: number; changes: number }
export type Answer = { id: number } & ({ results: FlatResult[] } | { error: unknown })

/** In a thread of its own: API and deliveries go on while it writes, and a spike has a second core. */
export async function threadedExecutor(path: string): Promise<SqliteExecutor> {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const worker = new Worker(new URL(`./thread.${extension}`, import.meta.url), { workerData: { path } })
  const waiting = new Map<number, PromiseWithResolvers<Result[]>>()
  let broken: Error | null = null
  let calls = 0

  function fail(error: Error): void {
    broken = error
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }

  worker.on('message', (answer: Answer) => {
    const call = waiting.get(answer.id)
    waiting.delete(answer.id)
    if ('error' in answer) call?.reject(answer.error)
    else call?.resolve(answer.results.map(unflatten))
  })
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('The database is closed.')))

  function call(make: (id: number) => Call): Promise<Result[]> {
    if (broken !== null) return Promise.reject(broken)
    const waiter = Promise.withResolvers<Result[]>()
    calls += 1
    waiting.set(calls, waiter)
    worker.postMessage(make(calls))
    return waiter.promise
  }

  // The first answer says whether the file could be opened.
  waiting.set(0, Promise.withResolvers())
  await waiting.get(0)!.promise
  return {
    batch: (statements, how) =>
      call((id) => ({
        kind: 'batch',
        id,
        commands: statements.map(toCommand),
        healed: how?.healed ?? false,
      })),
    read: async (statement) => {
      const [result] = await call((id) => ({
        kind: 'read',
        id,
        command: toCommand({ ...statement, returns: true }),
      }))
      return result!.rows
    },
    close: async () => {
      await call((id) => ({ kind: 'close', id }))
      await worker.terminate()
    },
  }
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
  const rows: Row[] = []
  if (width > 0) for (let at = 0; at < values.length; at += width) rows.push(values.slice(at, at + width))
  return { rows, changes }
}
