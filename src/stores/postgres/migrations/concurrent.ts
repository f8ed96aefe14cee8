// Runs a migration that cannot be in a transaction, such as CREATE INDEX CONCURRENTLY. It can be repeated after a kill.
import { type Migration, stepsOf } from '../../migrations/files.ts'
import { queryLong } from '../clients/long-query.ts'
import type { PooledConnection } from '../connection.ts'

export async function runSteps(connection: PooledConnection, migration: Migration): Promise<void> {
  for (const step of stepsOf(migration)) {
    const index = INDEX.exec(step)?.[1]
    if (index === undefined || !(await isBuilt(connection, index)))
      await queryLong(connection, { text: step, values: [] })
  }
}

const INDEX = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY "?(\w+)"?/i

/** Drops the index that a build left behind which was killed or failed: it is invalid, yet every write keeps it. */
async function isBuilt({ query }: PooledConnection, index: string): Promise<boolean> {
  const [found] = await query({ text: IS_VALID, values: [`terce.${index}`] })
  if (found === undefined) return false
  if (found[0] === true) return true
  await query({ text: `DROP INDEX CONCURRENTLY terce.${index}`, values: [] })
  return false
}

const IS_VALID = 'SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1)'
