// Whether a SQLite file is frozen: it was copied to another database, and triggers reject every write.
import type { DatabaseSync } from 'node:sqlite'

/** The text with which the file rejects writes; null if it is not frozen. */
export function readFrozenText(db: DatabaseSync, prefix: string): string | null {
  const [trigger] = db
    .prepare(`SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name GLOB ? LIMIT 1`)
    .all(`${prefix}frozen_*`) as { sql: string }[]
  const quoted = /RAISE\(ABORT, '((?:[^']|'')*)'\)/.exec(trigger?.sql ?? '')?.[1]
  return quoted?.replaceAll("''", "'") ?? null
}

/** Every process stops at its start instead of at its first write. */
export function rejectFrozen(db: DatabaseSync, prefix: string): void {
  const text = readFrozenText(db, prefix)
  if (text !== null) throw new Error(text)
}
