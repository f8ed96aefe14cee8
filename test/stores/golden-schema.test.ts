import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { openPostgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { migrate } from '../../src/stores/sqlite/migrate.ts'
import { sharedPostgres } from '../support/shared-postgres.ts'
import { dumpSchema } from './postgres/support/schema-dump.ts'

describe('the migrations', () => {
  it('make the SQLite schema that was agreed on', async () => {
    const db = new DatabaseSync(':memory:')
    migrate(db)
    const rows = db
      .prepare(
        "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY type DESC, name",
      )
      .all() as { sql: string }[]
    const dump = rows.map(({ sql }) => `${sql.replaceAll('\t', '  ')};\n`).join('\n')
    await expect(dump).toMatchFileSnapshot('../golden/sqlite-schema.sql')
  })

  it('make the PostgreSQL schema that was agreed on', async () => {
    const server = await sharedPostgres()
    const url = await server.createDatabase()
    await (await openPostgresStore(url)).close()
    await expect(await dumpSchema(url)).toMatchFileSnapshot('../golden/postgres-schema.sql')
    await server.dropDatabase(url)
  })
})
