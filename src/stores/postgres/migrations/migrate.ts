// Brings a schema up to date, forward only. Reads first: a role that may not change the schema can start on a migrated database.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { isOfFirstRelease, type Migration, pendingOf, readMigrations } from '../../migrations/files.ts'
import type { PooledConnection } from '../connection.ts'
import { runSteps } from './concurrent.ts'
import { exclusively } from './exclusive.ts'
import { createLedger, readLedger, record } from './ledger.ts'
import { MOVE, moveTables } from './move.ts'
import { PARTITION, partitionHistory } from './partition.ts'
import { LOCK_TIMEOUT_MS, patiently } from './patiently.ts'

export const MIGRATIONS = new URL('../../../../migrations/postgres/', import.meta.url)

/** How often a process looks whether the process that migrates has finished. */
const POLL_MS = 100

/** Returns the names of the migrations that this process applied. */
export async function migrate(
  connection: PooledConnection,
  files: readonly Migration[] = readMigrations(MIGRATIONS),
): Promise<string[]> {
  for (;;) {
    const { applied } = await readLedger(connection)
    if (pendingOf(files, applied).length === 0) return []
    const names = await exclusively(connection, () => applyPending(connection, files))
    if (names !== null) return names
    await sleep(POLL_MS)
  }
}

async function applyPending(connection: PooledConnection, files: readonly Migration[]): Promise<string[]> {
  const ledger = await readLedger(connection)
  if (!ledger.exists) await createLedger(connection, ledger)
  const pending = pendingOf(files, ledger.applied)
  const first = pending.filter(isOfFirstRelease)
  if (first.length > 0) await createTables(connection, first, ledger.movesFrom)
  for (const migration of pending.slice(first.length)) {
    if (migration.inTransaction) {
      await patiently(connection, () => applyInTransaction(connection, migration))
      continue
    }
    if (migration.name === PARTITION) await partitionHistory(connection, migration)
    else if (migration.name !== MOVE) await runSteps(connection, migration)
    else if (ledger.movesFrom !== null) await moveTables(connection, migration, ledger.movesFrom)
    await record(connection.query, migration)
  }
  return pending.map(({ name }) => name)
}

/** The migrations of 0.1.0. Their names resolve in the schema that has the tables, or that is to have them. */
async function createTables(
  { transaction, schema }: PooledConnection,
  migrations: readonly Migration[],
  movesFrom: string | null,
): Promise<void> {
  await transaction(async (run) => {
    // Ends with the transaction, as a pooler needs it.
    const path = movesFrom ?? pg.escapeIdentifier(schema)
    await run({ text: `SET LOCAL search_path = ${path}`, values: [] })
    for (const migration of migrations) {
      await run({ text: migration.text.replaceAll('"public".', ''), values: [] })
      await record(run, migration)
    }
  })
}

async function applyInTransaction({ transaction }: PooledConnection, migration: Migration): Promise<void> {
  await transaction(async (run) => {
    await run({ text: `SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}; ${migration.text}`, values: [] })
    await record(run, migration)
  })
}
