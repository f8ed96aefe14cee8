// The migration files of a database, the releases that work after each of them, and which of them are pending. Applies none.
import { readdirSync, readFileSync } from 'node:fs'
import { isAtLeast, RELEASE } from './release.ts'

export type Migration = {
  name: string
  text: string
  /** The oldest release that works on a database with this migration. */
  oldestRelease: string
  /** False if each statement is committed by itself. */
  inTransaction: boolean
}

/** A migration that a database has, perhaps of a newer release. */
export type Applied = Pick<Migration, 'name' | 'oldestRelease'>

/** Defined by scripts/bundle-library.ts, by the names of the folders: an application may bundle the library. */
declare const TERCE_MIGRATIONS: Readonly<Record<string, Record<string, string>>> | undefined

/** In the order in which they are applied. */
export function readMigrations(folder: URL): Migration[] {
  if (typeof TERCE_MIGRATIONS !== 'undefined')
    return Object.entries(TERCE_MIGRATIONS[folder.pathname.split('/').at(-2)!]!).map(([name, text]) =>
      parseMigration(name, text),
    )
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  return names.sort().map((name) => parseMigration(name, readFileSync(new URL(name, folder), 'utf8')))
}

const OLDEST_RELEASE = /^-- oldest release: (\d+\.\d+\.\d+)$/m
const NO_TRANSACTION = /^-- transaction: none$/m

/** Throws if a file does not state the oldest release that works with it. */
export function parseMigration(name: string, text: string): Migration {
  const oldestRelease = OLDEST_RELEASE.exec(text)?.[1]
  if (oldestRelease === undefined) throw new Error(`${name} has no line "-- oldest release: X.Y.Z"`)
  return { name, text, oldestRelease, inTransaction: !NO_TRANSACTION.test(text) }
}

/** The parts between breakpoints, as drizzle-kit writes them and wrangler reads them. Without comments. */
export function stepsOf({ text }: Pick<Migration, 'text'>): string[] {
  return text
    .split('--> statement-breakpoint')
    .map((step) => step.replace(/^\s*--.*$/gm, '').trim())
    .filter((step) => step !== '')
}

/** The first migration of releases before 0.2.0, from which no migration leads to this one. */
const BEFORE_BASELINE = '0000_start.sql'

/** Throws if the database was made by a release before 0.2.0. */
export function rejectOld(applied: readonly Applied[]): void {
  if (applied.some(({ name }) => name === BEFORE_BASELINE))
    throw new Error(
      'it was made by a release before 0.2.0. Export its people with that release, and import them into a new database',
    )
}

/** Throws for a database that `rejectOld` rejects, and if a newer release has applied a migration that excludes this one. */
export function pendingOf(files: readonly Migration[], applied: readonly Applied[]): Migration[] {
  rejectOld(applied)
  const needed = neededRelease(files, applied)
  if (needed !== null) throw new Error(`its schema needs Terce ${needed} or newer, and this is ${RELEASE}`)
  return files.filter(({ name }) => applied.every((other) => other.name !== name))
}

/** The release that a database needs because of migrations that are not in `files`. Null if this release works. */
export function neededRelease(files: readonly Migration[], applied: readonly Applied[]): string | null {
  const unknown = applied.filter(({ name }) => files.every((file) => file.name !== name))
  const tooNew = unknown
    .map(({ oldestRelease }) => oldestRelease)
    .filter((oldest) => !isAtLeast(RELEASE, oldest))
  return tooNew.reduce<string | null>(
    (newest, oldest) => (newest === null || isAtLeast(oldest, newest) ? oldest : newest),
    null,
  )
}
