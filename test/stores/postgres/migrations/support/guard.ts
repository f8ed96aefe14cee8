// Rejects migrations that hold up a running fleet or break the release before.
import type { Migration } from '../../../../../src/stores/migrations/files.ts'
import { stepsOf } from '../../../../../src/stores/migrations/files.ts'
import { isAtLeast } from '../../../../../src/stores/migrations/release.ts'
import { effectOf, splitStep } from '../../../../../src/stores/postgres/migrations/statements.ts'

const REMOVES =
  /^(?:DROP (?:TABLE|VIEW)|ALTER (?:TABLE|VIEW) \S+ (?:DROP (?:COLUMN|CONSTRAINT)|RENAME|SET SCHEMA))/i

/** `last`: the newest release that was published. It runs beside the one that has the migration. */
export function violationsOf(migration: Migration, last: string): string[] {
  let created = new Set<string | null>()
  return stepsOf(migration).flatMap((step) => {
    if (!migration.inTransaction) created = new Set()
    return splitStep(step).flatMap((statement) => {
      const { work, table } = effectOf(statement)
      // No other process has rows in a table that the migration creates.
      if (work === 'new') created.add(table)
      if (created.has(table)) return []
      if (work === 'unknown') return [`has a statement with unknown locks: ${statement}`]
      if (work === 'rewrite') return [`locks a table while it reads or writes all of it: ${statement}`]
      if (work === 'build' && migration.inTransaction)
        return [`needs the header "-- transaction: none": ${statement}`]
      if (REMOVES.test(statement) && isAtLeast(last, migration.oldestRelease))
        return [`removes what ${migration.oldestRelease} uses: ${statement}`]
      return []
    })
  })
}
