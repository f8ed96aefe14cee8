// Counts the queries of a binding: D1 limits those of one call, and counts each statement of a batch.
import type { D1Database } from './binding.ts'

type QueryCount = { db: D1Database; count(): number }

/** Counts statements when they are prepared. The store prepares a statement each time that it runs it. */
export function countQueries(db: D1Database): QueryCount {
  let count = 0
  return {
    db: {
      prepare(sql) {
        count += 1
        return db.prepare(sql)
      },
      batch: (statements) => db.batch(statements),
    },
    count: () => count,
  }
}
