// Runs the shared statements on D1: a batch is its only transaction, and it takes 100 parameters and 2 MB in each.
import { rethrowWithCode } from '../sqlite-dialect/error-code.ts'
import type { Executor, Plain, Result, SqliteRow, Statement } from '../sqlite-dialect/executor.ts'
import { overJsonRows } from '../sqlite-dialect/json-rows.ts'
import type { D1Database, D1Result, D1Statement } from './binding.ts'

/** `onSize` gets the size of the database in bytes after each batch. */
export function d1Executor(db: D1Database, onSize: (bytes: number) => void = () => {}): Executor {
  return {
    async batch(statements) {
      const parts = statements.map((statement) => partsOf(db, statement))
      if (parts.every((prepared) => prepared.length === 0)) return parts.map(() => ({ rows: [], changes: 0 }))
      const results = await db.batch(parts.flat()).catch(rethrowWithCode)
      const size = results.at(-1)?.meta.size_after
      if (size !== undefined) onSize(size)
      let from = 0
      return parts.map(({ length }) => {
        const own = results.slice(from, from + length)
        from += length
        return resultOf(own)
      })
    },
    read: async ({ sql, params }) => {
      const statement = db.prepare(sql).bind(...params)
      return (await statement.raw().catch(rethrowWithCode)) as SqliteRow[]
    },
  }
}

function partsOf(db: D1Database, statement: Statement): D1Statement[] {
  if ('params' in statement) return [plain(db, statement)]
  const { sql, parts } = overJsonRows(statement)
  return parts.map((json) => db.prepare(sql).bind(json))
}

function plain(db: D1Database, { sql, params, returns }: Plain): D1Statement {
  // Rows of a batch are objects; inside a subquery SQLite gives every column a name of its own.
  const distinct = returns && sql.startsWith('SELECT')
  return db.prepare(distinct ? `SELECT * FROM (${sql})` : sql).bind(...params)
}

function resultOf(parts: readonly D1Result[]): Result {
  return {
    rows: parts.flatMap(({ results }) => results.map((row) => Object.values(row) as SqliteRow)),
    changes: parts.reduce((sum, { meta }) => sum + meta.changes, 0),
  }
}
