// The schema of the configured database, for the command line. Reading it applies no migration.

import { readSchemaState as readPostgres } from '../../stores/postgres/migrations/inspect.ts'
import { readSchemaState as readFile, type SchemaState } from '../../stores/sqlite/inspect.ts'
import type { Config } from '../config/config.ts'
import { cannotUse } from './database.ts'

type Settings = Config['database']

export type { SchemaState }

export async function readSchema(settings: Settings): Promise<SchemaState> {
  try {
    return settings.kind === 'sqlite' ? readFile(settings) : await readPostgres(settings)
  } catch (error) {
    throw cannotUse(settings, error)
  }
}
