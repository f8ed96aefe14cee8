// `terce migrate`: applies pending migrations to the database of DATABASE_URL, or shows what they would do.
import { readConfig } from '../../runtimes/config/config.ts'
import type { AddCommand } from '../entry.ts'
import { reportWait } from '../open-database.ts'
import { describePlan } from '../output/migration-plan.ts'
import { describeDatabase } from '../output/words.ts'

type Options = { plan?: boolean; dryRun?: boolean; json?: true }

const HELP = `
--plan lists each statement, the lock it needs and on which table, whether claims wait for it, and a rough duration.

Exit codes: 0 success, 1 failure, 2 wrong usage.`

export const addMigrate: AddCommand = (program, { env }) => {
  program
    .command('migrate')
    .description('apply pending database migrations and exit')
    .option('--plan', 'only show the pending migrations and what they lock')
    .option('--dry-run', 'another name for --plan')
    .option('--json', 'print one JSON object')
    .addHelpText('after', HELP)
    .action(async ({ dryRun = false, plan = dryRun, json }: Options) => {
      const { database } = readConfig(env)
      const { migrateDatabase } = await import('../../runtimes/node/database.ts')
      const { readSchema } = await import('../../runtimes/node/schema.ts')
      const where = describeDatabase(database)
      // Only a plan reads first: applying waits for a database that starts at the same time.
      const pending = plan || json ? (await readSchema(database)).pending : []
      if (!plan) await migrateDatabase(database, { attempts: 5, onWait: reportWait(database) })
      if (json) {
        const migrations = pending.map(({ name }) => name)
        const shown = plan ? { plan: pending } : {}
        return console.log(JSON.stringify({ database: where, migrations, ...shown, dryRun: plan }))
      }
      for (const line of describePlan(pending)) console.log(line)
      if (pending.length === 0) return console.error(`${where} is up to date.`)
      const count = `${pending.length} pending ${pending.length === 1 ? 'migration' : 'migrations'}`
      console.error(`${count} for ${where}.`)
    })
}
