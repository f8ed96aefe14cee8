// Pending migrations in plain lines: each statement with its lock, and whether claims wait for it.
import type { SchemaState } from '../../runtimes/node/schema.ts'
import { grouped, shortDuration } from './words.ts'

type Migration = SchemaState['pending'][number]
type Statement = Migration['statements'][number]

/** Statements of a new database are not listed: nothing waits for them. */
export function describePlan(pending: readonly Migration[]): string[] {
  return pending.flatMap((migration) => [headline(migration), ...migration.statements.flatMap(describe)])
}

function headline({ name, oldestRelease, inTransaction, statements }: Migration): string {
  if (statements.length === 0) return `${name}: nothing to change.`
  const how = inTransaction ? 'in one transaction' : 'each step by itself'
  const locking = statements.filter(({ lock }) => lock !== null).length
  return `${name}: ${statements.length} statements ${how}, ${locking} with a lock; works with ${oldestRelease} and newer.`
}

function describe({ statement, table, lock, blocksClaims, rows, roughMs }: Statement): string[] {
  if (lock === null) return []
  const about = rows === null || rows === 0 ? '' : `, about ${grouped(rows)} ${rows === 1 ? 'row' : 'rows'}`
  const takes =
    roughMs === null
      ? 'unknown duration'
      : roughMs < 1_000
        ? 'milliseconds'
        : `about ${shortDuration(roughMs)}`
  const waits = blocksClaims ? 'claims wait' : 'claims go on'
  return [
    `  ${statement.replaceAll(/\s+/g, ' ')};`,
    `    ${lock} lock on ${table ?? 'unknown tables'}${about}: ${takes}, ${waits}.`,
  ]
}
