// Where the data is, as it may be shown.
import type { Config } from '../../runtimes/config/config.ts'

/** Without the password. */
export function describeDatabase(database: Config['database']): string {
  if (database.kind === 'sqlite') return database.path
  const { host, pathname } = new URL(database.url)
  return `postgres://${host}${pathname}`
}
