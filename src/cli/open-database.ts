// Opens the database of DATABASE_URL for a command that runs and exits.
import type { Config } from '../runtimes/config/config.ts'
import type { Database, DatabaseWait } from '../runtimes/node/database.ts'
import { describeDatabase } from './output/words.ts'

export async function openForCommand(settings: Config['database']): Promise<Database> {
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
