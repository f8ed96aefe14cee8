// `terce migrate`: applies pending migrations to the database of DATABASE_URL, or shows what they would do.
import { readConfig } from '../../runtimes/config/config.ts'
import type { AddCommand } from '../entry.ts'
import { reportWait } from '../open-database.ts'
import { describePlan } from '../output/migration-plan.ts'
import { describeDatabase } from '../output/words.ts'

const NOTHING = { pending: [], unfinished: [] }

type Options = { plan?: boolean; dryRun?: boolean; finish?: boolean; json?: true }

const HELP = `
--plan lists each statement, the lock it needs and on which table, whether claims wait for it, and a rough duration.
--finish drops the views in the former schema through which processes of 0.1.0 use a PostgreSQL database that was
migrated. Run it when no such process is left and you will not go back to 0.1.0.

Exit codes: 0 success, 1 failure, 2 wrong usage.`

export const addMigrate: AddCommand = (program, { env }) => {
  program
    .command('migrate')
    .description('apply pending database migrations and exit')
    .option('--plan', 'only show the pending migrations and what they lock')
    .option('--dry-run', 'another name for --plan')
    .option('--finish', 'drop what only processes of 0.1.0 need')
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP)
    .action(async ({ dryRun, plan = dryRun ?? false, finish = false, json }: Options) => {
      const { database } = readConfig(env)
      const { migrateDatabase } = await import('../../runtimes/node/database.ts')
      const { finishSchema, readSchema } = await import('../../runtimes/node/schema.ts')
      const where = describeDatabase(database)
      // Only a plan reads first: applying waits for a database that starts at the same time.
      const { pending, unfinished } = plan || json ? await readSchema(database) : NOTHING
      if (!plan) await migrateDatabase(database, { attempts: 5, onWait: reportWait(database) })
      const dropped = finish && !plan ? await finishSchema(database) : []
      if (json) {
        const migrations = pending.map(({ name }) => name)
        const shown = plan ? { plan: pending, unfinished } : finish ? { dropped } : {}
        return console.log(JSON.stringify({ database: where, migrations, dryRun: plan, ...shown }))
      }
      for (const line of plan ? describePlan(pending, unfinished) : dropped) console.log(line)
      if (!plan || pending.length === 0) return console.error(`${where} is up to date.`)
      const count = `${pending.length} pending ${pending.length === 1 ? 'migration' : 'migrations'}`
      console.error(`${count} for ${where}.`)
    })
}
