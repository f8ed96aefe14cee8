// A D1 binding with the limit of one call: the query after the last permitted one fails, as do all after it.
import type { D1Database, D1Statement } from '../../../../src/stores/d1/binding.ts'

/** As workerd's statements are: Drizzle calls `run` and `all`. */
type Statement = D1Statement & { run(): Promise<unknown>; all(): Promise<unknown> }

export function limitedD1(db: D1Database, limit: number): { db: D1Database; used(): number } {
  let used = 0
  const real = new WeakMap<D1Statement, D1Statement>()
  function use(queries: number): void {
    used += queries
    if (used > limit) throw new Error('D1_ERROR: Too many API requests by single Worker invocation.')
  }
  function limited(inner: Statement): Statement {
    const call = async <T>(run: () => Promise<T>) => {
      use(1)
      return run()
    }
    const outer: Statement = {
      bind: (...values) => limited(inner.bind(...values) as Statement),
      raw: () => call(() => inner.raw()),
      run: () => call(() => inner.run()),
      all: () => call(() => inner.all()),
    }
    real.set(outer, inner)
    return outer
  }
  return {
    db: {
      prepare: (sql) => limited(db.prepare(sql) as Statement),
      async batch(statements) {
        use(statements.length)
        return db.batch(statements.map((statement) => real.get(statement)!))
      },
    },
    used: () => used,
  }
}
