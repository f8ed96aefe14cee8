// Loads node:sqlite at its first use: Node 22 prints a warning then, and an older Node cannot import it.
import { createRequire } from 'node:module'
import type { DatabaseSync, DatabaseSyncOptions } from 'node:sqlite'

const require = createRequire(import.meta.url)

/** A connection to the file, or to an empty database if the path is `:memory:`. */
export function openSqlite(path: string, options: DatabaseSyncOptions = {}): DatabaseSync {
  const sqlite: typeof import('node:sqlite') = require('node:sqlite')
  return new sqlite.DatabaseSync(path, options)
}
