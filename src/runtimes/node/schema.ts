// The schema of the configured database, for the command line. Reading it applies no migration.
import { finishMigration, readSchemaState as readPostgres } from '../../stores/postgres/migrations/inspect.ts'
import { readSchemaState as readFile } from '../../stores/sqlite/inspect.ts'
import type { Config } from '../config/config.ts'
import { cannotUse } from './database.ts'

type Settings = Config['database']
export type SchemaState = ReturnType<typeof readFile>

export async function readSchema(settings: Settings): Promise<SchemaState> {
  return settings.kind === 'sqlite' ? readFile(settings) : reaching(settings, readPostgres)
}

/** Drops what only processes of 0.1.0 need. Returns the statements; a SQLite file has nothing of that kind. */
export async function finishSchema(settings: Settings): Promise<string[]> {
  return settings.kind === 'sqlite' ? [] : reaching(settings, finishMigration)
}

async function reaching<S extends Settings & { kind: 'postgres' }, T>(
  settings: S,
  work: (settings: S) => Promise<T>,
): Promise<T> {
  try {
    return await work(settings)
  } catch (error) {
    throw cannotUse(settings, error)
  }
}
