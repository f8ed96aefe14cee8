// Rejects migrations that hold up a running fleet or break the release before.
import type { Migration } from '../../../../../src/stores/migrations/files.ts'
import { stepsOf } from '../../../../../src/stores/migrations/files.ts'
import { isAtLeast } from '../../../../../src/stores/migrations/release.ts'
import { effectOf, splitStep } from '../../../../../src/stores/postgres/migrations/statements.ts'

const REMOVES = /^(?:DROP (?:TABLE|VIEW)|ALTER (?:TABLE|VIEW) \S+ (?:DROP (?:COLUMN|CONSTRAINT)|RENAME|SET SCHEMA))/i

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
      if (REMOVES.test(statement) && !isReplaced(statement, step) && isAtLeast(last, migration.oldestRelease))
        return isAddedBy(migration, statement) ? [] : [`removes what ${migration.oldestRelease} uses: ${statement}`]
      return []
    })
  })
}

/** A table that leaves a view of its name behind, or becomes a partition of a table of its name, can be used by that name. */
function isReplaced(statement: string, step: string): boolean {
  const moved = /^ALTER \w+ (\S+) SET SCHEMA/i.exec(statement)?.[1]
  const [, renamed, partition] = /^ALTER TABLE (\w+\.\w+) RENAME TO (\w+)$/i.exec(statement) ?? []
  if (renamed !== undefined) return step.includes(`ALTER TABLE ${renamed} ATTACH PARTITION terce.${partition} `)
  return moved !== undefined && step.includes(`CREATE VIEW ${moved} AS SELECT * FROM`)
}

/** A constraint that the migration itself adds is used by no release. */
function isAddedBy({ text }: Migration, statement: string): boolean {
  const dropped = /^ALTER TABLE \S+ DROP CONSTRAINT (\w+)$/i.exec(statement)?.[1]
  return dropped !== undefined && text.includes(`ADD CONSTRAINT ${dropped} `)
}
