// What tests with processes stand on: for each test a database of its own, processes and receivers that are gone when it ends.
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { Store } from '../../../../src/ports/store.ts'
import { openPostgresStore, type PostgresStore } from '../../../../src/stores/postgres/postgres-store.ts'
import { type Sink, startSink } from '../../../runtimes/support/sink.ts'
import { type PostgresServer, startPostgres } from '../../../support/postgres-server.ts'
import { type SharedPostgres, sharedPostgres } from '../../../support/shared-postgres.ts'
import { query } from './audit.ts'
import { type Role, startTerce, type Terce } from './processes.ts'

export type Stage<Server = SharedPostgres> = {
  server(): Server
  /** The address of the test's own database. */
  database(): string
  /** A store on it, closed with the test. */
  open(options?: { connections?: number; schema?: string }): Promise<PostgresStore>
  /** Creates a role that can log in, under a name that no other test uses. Roles belong to the whole server. */
  createRole(purpose: string, attributes?: string): Promise<string>
  terce(role: Role, env: Record<string, string>): Promise<Terce>
  sink(answer?: Parameters<typeof startSink>[0]): Promise<Sink>
  /** Runs when the test ends, last one first. */
  atEnd(cleanup: () => Promise<unknown>): void
}

/** `database`: with the tables of Terce, unless the test is about migrations. */
export type StageOptions = { database?: 'migrated' | 'empty' }

/** On the server that all test files share. */
export function useStage(options: StageOptions = {}): Stage {
  return stageOn({ start: sharedPostgres, stop: async () => {} }, options)
}

/** On a server of the file, for tests that crash it, configure it or read its log. */
export function useOwnServer(options: StageOptions & { settings?: string[] } = {}): Stage<PostgresServer> {
  const { settings = [] } = options
  return stageOn(
    { start: () => startPostgres({ fast: true, settings }), stop: (server) => server.stop() },
    options,
  )
}

type Life<Server> = { start(): Promise<Server>; stop(server: Server): Promise<void> }

function stageOn<Server extends SharedPostgres>(life: Life<Server>, options: StageOptions): Stage<Server> {
  let server: Server
  let database: string
  /** Of the test before. Dropped after all hooks of the test, some of which close connections to it. */
  let former: string | null = null
  let roles = 0
  const cleanups: (() => Promise<unknown>)[] = []
  const atEnd = (cleanup: () => Promise<unknown>) => void cleanups.push(cleanup)

  beforeAll(async () => {
    server = await life.start()
  })
  async function dropFormer(): Promise<void> {
    if (former !== null) await server.dropDatabase(former)
    former = null
  }
  beforeEach(async () => {
    await dropFormer()
    database = await (options.database === 'empty'
      ? server.createDatabase()
      : server.createMigratedDatabase())
  })
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
    former = database
  })
  afterAll(async () => {
    // A server that a failed test left stopped has no database to drop.
    await dropFormer().finally(() => life.stop(server))
  })

  const closing = <T extends Pick<Store, 'close'>>(opened: T): T => {
    atEnd(() => opened.close())
    return opened
  }
  return {
    server: () => server,
    database: () => database,
    open: async (options) => closing(await openPostgresStore(database, options)),
    createRole: async (purpose, attributes = '') => {
      roles += 1
      const name = `${purpose}_${new URL(database).pathname.slice(1)}_${roles}`
      await query(database, `CREATE ROLE ${name} LOGIN ${attributes}`)
      return name
    },
    terce: async (role, env) => {
      const started = await startTerce(role, { DATABASE_URL: database, ...env })
      atEnd(() => started.end('SIGKILL'))
      return started
    },
    sink: async (answer) => closing(await startSink(answer)),
    atEnd,
  }
}
