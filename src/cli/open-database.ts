// Opens the database of DATABASE_URL for a command that runs and exits.
import { existsSync } from 'node:fs'
import { type Config, ConfigError } from '../runtimes/config/config.ts'
import type { Database, DatabaseWait } from '../runtimes/node/database.ts'
import { describeDatabase } from './output/words.ts'

/** A missing SQLite file is created only if `creates` is set: a result from an empty database would be wrong. */
export async function openForCommand(
  settings: Config['database'],
  { creates = false, instead = '' }: { creates?: boolean; instead?: string } = {},
): Promise<Database> {
  if (!creates && settings.kind === 'sqlite' && !existsSync(settings.path))
    throw new ConfigError([
      `No database at ${settings.path}. Set DATABASE_URL${instead && `, or ${instead}`}.`,
    ])
  // Imported late: --help and a wrong option need not wait for the drivers to load.
  const { openDatabase } = await import('../runtimes/node/database.ts')
  const onDeath = (error: Error) => {
    throw error
  }
  return openDatabase(settings, onDeath, { attempts: 5, onWait: reportWait(settings) })
}

/** Prints a line for each attempt that failed: the attempts take 15 s. */
export function reportWait(settings: Config['database']): (wait: DatabaseWait) => void {
  const where = describeDatabase(settings)
  return ({ attempt, attempts, retryInMs }) =>
    console.error(
      `Waiting for ${where}: attempt ${attempt} of ${attempts} failed, next in ${retryInMs / 1000} s.`,
    )
}
