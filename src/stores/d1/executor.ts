// Runs the shared statements on D1: a batch is its only transaction, and it takes 100 parameters and 2 MB in each.
import type { Executor, OverRows, Plain, Result, Row, Statement } from '../sqlite-dialect/executor.ts'
import type { D1Database, D1Result, D1Statement } from './binding.ts'

/** In UTF-8 a character takes three bytes at most: half of what one parameter may hold. */
const PART_CHARACTERS = 330_000

export function d1Executor(db: D1Database): Executor {
  return {
    async batch(statements) {
      const parts = statements.map((statement) => partsOf(db, statement))
      if (parts.every((prepared) => prepared.length === 0)) return parts.map(() => ({ rows: [], changes: 0 }))
      const results = await db.batch(parts.flat()).catch(rethrow)
      let from = 0
      return parts.map(({ length }) => {
        const own = results.slice(from, from + length)
        from += length
        return resultOf(own)
      })
    },
    read: async ({ sql, params }) => {
      const statement = db.prepare(sql).bind(...params)
      return (await statement.raw().catch(rethrow)) as Row[]
    },
  }
}

function partsOf(db: D1Database, statement: Statement): D1Statement[] {
  if ('params' in statement) return [plain(db, statement)]
  const { sql, columns, rows } = statement
  const whole = sql.replace('{rows}', jsonTable(columns))
  return jsonParts(rows).map((json) => db.prepare(whole).bind(json))
}

function plain(db: D1Database, { sql, params, returns }: Plain): D1Statement {
  // Rows of a batch are objects; inside a subquery SQLite gives every column a name of its own.
  const distinct = returns && sql.startsWith('SELECT')
  return db.prepare(distinct ? `SELECT * FROM (${sql})` : sql).bind(...params)
}

/** The rows as JSON arrays of arrays, in as few as may be sent. */
function jsonParts(rows: OverRows['rows']): string[] {
  const parts: string[] = []
  let part = ''
  for (const row of rows) {
    const json = JSON.stringify(row)
    if (part !== '' && part.length + json.length > PART_CHARACTERS) {
      parts.push(`[${part}]`)
      part = ''
    }
    part += part === '' ? json : `,${json}`
  }
  if (part !== '') parts.push(`[${part}]`)
  return parts
}

function jsonTable(columns: readonly string[]): string {
  const fields = columns.map((column, i) => `value->>${i} AS ${column}`)
  return `(SELECT ${fields.join(', ')} FROM json_each(?))`
}

function resultOf(parts: readonly D1Result[]): Result {
  return {
    rows: parts.flatMap(({ results }) => results.map((row) => Object.values(row) as Row)),
    changes: parts.reduce((sum, { meta }) => sum + meta.changes, 0),
  }
}

/** Only for the log: D1 has all it knows of a failure in the message, and messages are not logged. */
function rethrow(error: Error): never {
  const code = /SQLITE_\w+/.exec(error.message)?.[0] ?? /^D1_\w+/.exec(error.message)?.[0]
  throw Object.assign(error, code === undefined ? {} : { code })
}
