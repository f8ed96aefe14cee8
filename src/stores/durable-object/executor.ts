// Runs the shared statements in the SQLite of a Durable Object, in this thread: 100 parameters, 2 MB in each, no BEGIN.
import { rethrowWithCode } from '../sqlite-dialect/error-code.ts'
import type { Executor, Result, Row, Statement, Value } from '../sqlite-dialect/executor.ts'
import { overJsonRows } from '../sqlite-dialect/json-rows.ts'
import type { ObjectStorage } from './storage.ts'

export function objectExecutor(storage: ObjectStorage): Executor {
  const { sql } = storage
  const read = (text: string, params: readonly Value[]) =>
    sql
      .exec(text, ...params)
      .raw()
      .toArray() as Row[]

  /** Returns how many rows were changed. The cursor counts the writes of index entries too. */
  function change(text: string, params: readonly Value[]): number {
    sql.exec(text, ...params)
    return Number(read('SELECT changes()', [])[0]![0])
  }

  function run(statement: Statement): Result {
    if (!('params' in statement)) {
      const { sql: text, parts } = overJsonRows(statement)
      return { rows: [], changes: parts.reduce<number>((sum, json) => sum + change(text, [json]), 0) }
    }
    const { sql: text, params, returns = false } = statement
    return returns ? { rows: read(text, params), changes: 0 } : { rows: [], changes: change(text, params) }
  }

  return {
    batch: (statements) => inPromise(() => storage.transactionSync(() => statements.map(run))),
    read: ({ sql: text, params }) => inPromise(() => read(text, params)),
  }
}

async function inPromise<T>(run: () => T): Promise<T> {
  try {
    return run()
  } catch (error) {
    rethrowWithCode(error)
  }
}
