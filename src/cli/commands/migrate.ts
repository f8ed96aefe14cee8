// `terce migrate`: brings the database to the newest schema.
import { readConfig } from '../../runtimes/config/config.ts'
import type { AddCommand } from '../entry.ts'
import { describeDatabase } from '../output/describe-database.ts'

type Options = { dryRun?: boolean; json?: true }

const HELP = '\nExit codes: 0 done, 1 failed, 2 a setting is wrong.'

export const addMigrate: AddCommand = (program, { env }) => {
  program
    .command('migrate')
    .description('bring the database to the newest schema, and stop')
    .option('--dry-run', 'only say what is to be applied')
    .option('--json', 'one JSON object')
    .addHelpText('after', HELP)
    .action(async ({ dryRun = false, json }: Options) => {
      const { database } = readConfig(env)
      const { migrateDatabase } = await import('../../runtimes/node/database.ts')
      const { readSchema } = await import('../doctor/database-schema.ts')
      const where = describeDatabase(database)
      const missing = dryRun || json ? (await readSchema(database)).missing : []
      if (!dryRun) await migrateDatabase(database)
      if (json) return console.log(JSON.stringify({ database: where, migrations: missing, dryRun }))
      if (!dryRun || missing.length === 0) return console.error(`${where} has the newest schema.`)
      for (const name of missing) console.log(name)
      console.error(
        `${where} lacks ${missing.length === 1 ? 'a migration' : `${missing.length} migrations`}.`,
      )
    })
}
