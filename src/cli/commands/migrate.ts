// `terce migrate`: applies pending migrations to the database of DATABASE_URL.
import { readConfig } from '../../runtimes/config/config.ts'
import type { AddCommand } from '../entry.ts'
import { reportWait } from '../open-database.ts'
import { describeDatabase } from '../output/words.ts'

type Options = { dryRun?: boolean; json?: true }

const HELP = '\nExit codes: 0 success, 1 failure, 2 wrong usage.'

export const addMigrate: AddCommand = (program, { env }) => {
  program
    .command('migrate')
    .description('apply pending database migrations and exit')
    .option('--dry-run', 'only list the pending migrations')
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP)
    .action(async ({ dryRun = false, json }: Options) => {
      const { database } = readConfig(env)
      const { migrateDatabase } = await import('../../runtimes/node/database.ts')
      const { readSchema } = await import('../doctor/database-schema.ts')
      const where = describeDatabase(database)
      const missing = dryRun || json ? (await readSchema(database)).missing : []
      if (!dryRun) await migrateDatabase(database, { attempts: 5, onWait: reportWait(database) })
      if (json) return console.log(JSON.stringify({ database: where, migrations: missing, dryRun }))
      if (!dryRun || missing.length === 0) return console.error(`${where} is up to date.`)
      for (const name of missing) console.log(name)
      console.error(
        `${missing.length} pending ${missing.length === 1 ? 'migration' : 'migrations'} for ${where}.`,
      )
    })
}
