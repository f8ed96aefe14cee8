// Creates databases for tests, empty or migrated, and drops them. A migrated one is a copy of a template.
import { createHash, randomBytes } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

export type Databases = {
  /** The URL of a database on this server. */
  url(database: string): string
  /** Creates an empty database and returns its URL. */
  createDatabase(): Promise<string>
  /** Creates a database with the tables of Terce and returns its URL. */
  createMigratedDatabase(): Promise<string>
  /** Ends sessions that do not end by themselves within a second. */
  dropDatabase(url: string): Promise<void>
}

export function databasesOn(port: number): Databases {
  const url = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`
  const pool = new pg.Pool({ connectionString: url('postgres'), max: 1, allowExitOnIdle: true })
  // A crash of the server ends idle sessions.
  pool.on('error', () => {})
  let template: Promise<string> | null = null

  /** Names are unique among the processes that use the server. */
  const newName = () => `terce_${randomBytes(6).toString('hex')}`

  async function createDatabase(): Promise<string> {
    const name = newName()
    // Copies the files: 27 ms, against 72 ms if the copy is logged, on a file system in memory.
    await pool.query(`CREATE DATABASE ${name} STRATEGY file_copy`)
    return url(name)
  }

  return {
    url,
    createDatabase,
    async createMigratedDatabase() {
      template ??= prepareTemplate(pool, createDatabase)
      const name = newName()
      await pool.query(`CREATE DATABASE ${name} TEMPLATE ${await template} STRATEGY file_copy`)
      return url(name)
    },
    async dropDatabase(address) {
      const name = nameOf(address)
      const sessions = async () =>
        (await pool.query('SELECT FROM pg_stat_activity WHERE datname = $1', [name])).rowCount !== 0
      // A client that was closed is connected for some milliseconds more, and reports an error if its session is ended.
      const patience = Date.now() + 1_000
      while ((await sessions()) && Date.now() < patience) await sleep(2)
      await pool.query(`DROP DATABASE ${name} WITH (FORCE)`)
    },
  }
}

const nameOf = (url: string) => new URL(url).pathname.slice(1)

/** One of the processes that share the server migrates a database; it gets the name of the template when it is complete. */
async function prepareTemplate(pool: pg.Pool, createDatabase: () => Promise<string>): Promise<string> {
  const template = `template_${versionOfSchema()}`
  const exists = async () =>
    (await pool.query('SELECT FROM pg_database WHERE datname = $1', [template])).rowCount === 1
  if (await exists()) return template
  const { openPostgresStore } = await import('../../src/stores/postgres/postgres-store.ts')
  const url = await createDatabase()
  await (await openPostgresStore(url, { connections: 1 })).close()
  try {
    await pool.query(`ALTER DATABASE ${nameOf(url)} RENAME TO ${template}`)
  } catch (error) {
    // Another process was first.
    if (!(await exists())) throw error
    await pool.query(`DROP DATABASE ${nameOf(url)}`)
  }
  return template
}

/** Changes with the migrations and the code that applies them: a server may outlive a change of them in watch mode. */
function versionOfSchema(): string {
  const cwd = fileURLToPath(new URL('../../', import.meta.url))
  const hash = createHash('sha256')
  for (const file of globSync(['src/stores/**/*.ts', 'migrations/postgres/*.sql'], { cwd }).sort())
    hash.update(file).update(readFileSync(`${cwd}/${file}`))
  return hash.digest('hex').slice(0, 12)
}
