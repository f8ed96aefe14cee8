// Brings a schema up to date, forward only. Reads first: a role that may not change the schema can start on a migrated database.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Migration, pendingOf, readMigrations } from '../../migrations/files.ts'
import type { PooledConnection } from '../connection.ts'
import { createRecord, readApplied, record } from './applied.ts'
import { runSteps } from './concurrent.ts'
import { exclusively } from './exclusive.ts'
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
    const applied = await readApplied(connection)
    if (pendingOf(files, applied ?? []).length === 0) return []
    const names = await exclusively(connection, () => applyPending(connection, files))
    if (names !== null) return names
    await sleep(POLL_MS)
  }
}

async function applyPending(connection: PooledConnection, files: readonly Migration[]): Promise<string[]> {
  const applied = await readApplied(connection)
  if (applied === null) await createRecord(connection)
  const pending = pendingOf(files, applied ?? [])
  for (const migration of pending) {
    if (migration.inTransaction) await patiently(connection, () => applyInTransaction(connection, migration))
    else {
      await runSteps(connection, migration)
      await record(connection.query, migration)
    }
  }
  return pending.map(({ name }) => name)
}

async function applyInTransaction({ transaction }: PooledConnection, migration: Migration): Promise<void> {
  await transaction(async (run) => {
    await run({ text: `SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}; ${migration.text}`, values: [] })
    await record(run, migration)
  })
}
