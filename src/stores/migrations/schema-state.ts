// The state of a schema without changing it: what is applied, pending, or from a newer release.
import { type Applied, type Migration, neededRelease, rejectOld } from './files.ts'

export type SchemaState = {
  applied: string[]
  pending: PlannedMigration[]
  /** Applied by a newer release. */
  unknown: string[]
  /** The release that the schema needs; null if this release works. */
  needed: string | null
}

export type PlannedMigration = Pick<Migration, 'name' | 'oldestRelease' | 'inTransaction'> & {
  statements: PlannedStatement[]
}

export type PlannedStatement = {
  statement: string
  table: string | null
  /** The lock on the table; null if no other process waits for it. */
  lock: string | null
  /** Whether claims wait for the statement. */
  blocksClaims: boolean
  /** Estimated; null if the statement has no table, or a new one. */
  rows: number | null
  /** Null if unknown. */
  roughMs: number | null
}

type Compared = Omit<SchemaState, 'pending'> & { missing: Migration[] }

/** Throws for a database from which no migration leads to this release. */
export function compare(files: readonly Migration[], applied: readonly Applied[]): Compared {
  rejectOld(applied)
  const [known, names] = [files.map(({ name }) => name), applied.map(({ name }) => name)]
  return {
    applied: names,
    unknown: names.filter((name) => !known.includes(name)),
    needed: neededRelease(files, applied),
    missing: files.filter(({ name }) => !names.includes(name)),
  }
}
