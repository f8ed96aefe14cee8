// `terce migrate`: brings the database to the newest schema.
import { readConfig } from '../runtimes/config.ts'
import { describeDatabase } from './describe-database.ts'
import type { AddCommand } from './entry.ts'

export const addMigrate: AddCommand = (program, { env }) => {
  program
    .command('migrate')
    .description('bring the database to the newest schema, and stop')
    .action(async () => {
      const { database } = readConfig(env)
      const { migrateDatabase } = await import('../runtimes/database.ts')
      await migrateDatabase(database)
      console.error(`${describeDatabase(database)} has the newest schema.`)
    })
}
