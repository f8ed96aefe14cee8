// A D1 whose calls fail as they do in production: before the database ran them, or after it committed them.
import type { D1Database, D1Statement } from '../../../../src/stores/d1/binding.ts'

/** `lost`: the database ran the call, and the caller got an error instead of the result. */
export type Effect = 'fails' | 'lost' | null

export type FaultyD1 = D1Database & {
  /** Decides about every later call by its statements and the number of statements run since then, this call included. */
  fault(decide: (sql: string, statements: number) => Effect): void
  heal(): void
  /** How many calls failed. */
  failures(): number
}

export function createFaultyD1(db: D1Database): FaultyD1 {
  let decide: (sql: string, statements: number) => Effect = () => null
  let statements = 0
  let failures = 0

  async function call<T>(sql: readonly string[], run: () => Promise<T>): Promise<T> {
    statements += sql.length
    const effect = decide(sql.join(';\n'), statements)
    if (effect !== null) failures += 1
    if (effect === 'fails') throw new Error('D1_ERROR: Network connection lost.')
    const result = await run()
    if (effect === 'lost') throw new Error('D1_ERROR: D1 DB reset because its code was updated.')
    return result
  }

  const sqlOf = new WeakMap<D1Statement, string>()
  const innerOf = new WeakMap<D1Statement, D1Statement>()

  function wrap(inner: D1Statement, sql: string): D1Statement {
    // Drizzle reads by `all` and `run` too.
    const methods = inner as unknown as Record<string, () => Promise<unknown[][]>>
    const one = (method: string) => () => call([sql], () => methods[method]!())
    const more = { run: one('run'), all: one('all') }
    const statement: D1Statement = {
      bind: (...values) => wrap(inner.bind(...values), sql),
      raw: one('raw'),
      ...more,
    }
    sqlOf.set(statement, sql)
    innerOf.set(statement, inner)
    return statement
  }

  return {
    prepare: (sql) => wrap(db.prepare(sql), sql),
    batch: (batch) =>
      call(
        batch.map((statement) => sqlOf.get(statement)!),
        () => db.batch(batch.map((statement) => innerOf.get(statement)!)),
      ),
    fault(next) {
      statements = 0
      decide = next
    },
    heal() {
      decide = () => null
    },
    failures: () => failures,
  }
}

/** The first calls that match have the effect. */
export function first(times: number, pattern: RegExp, effect: Effect): (sql: string) => Effect {
  let left = times
  return (sql) => (pattern.test(sql) && left-- > 0 ? effect : null)
}

/** After that many statements D1 rejects every call of the invocation. A batch counts each of its statements. */
export function queryLimit(limit: number): (sql: string, statements: number) => Effect {
  return (_sql, statements) => (statements > limit ? 'fails' : null)
}
