// What tests with processes stand on: one PostgreSQL for the file, and for each test an empty database, processes and
// receivers that are gone when it ends.
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { Store } from '../../../../src/ports/store.ts'
import { openPostgresStore, type PostgresStore } from '../../../../src/stores/postgres/postgres-store.ts'
import { type Sink, startSink } from '../../../runtimes/support/sink.ts'
import { type PostgresServer, startPostgres } from '../../../support/postgres-server.ts'
import { type Role, startTerce, type Terce } from './processes.ts'

export type Stage = {
  server(): PostgresServer
  /** The address of the test's own database. */
  database(): string
  /** A store on it, closed with the test. */
  open(options?: { connections?: number; schema?: string }): Promise<PostgresStore>
  terce(role: Role, env: Record<string, string>): Promise<Terce>
  sink(answer?: Parameters<typeof startSink>[0]): Promise<Sink>
  /** Runs when the test ends, last one first. */
  atEnd(cleanup: () => Promise<unknown>): void
}

export function useStage(settings: string[] = []): Stage {
  let server: PostgresServer
  let database: string
  const cleanups: (() => Promise<unknown>)[] = []
  const atEnd = (cleanup: () => Promise<unknown>) => void cleanups.push(cleanup)

  beforeAll(async () => {
    server = await startPostgres({ fast: true, settings })
  })
  beforeEach(async () => {
    database = await server.createDatabase()
  })
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  })
  afterAll(() => server.stop())

  const closing = <T extends Pick<Store, 'close'>>(opened: T): T => {
    atEnd(() => opened.close())
    return opened
  }
  return {
    server: () => server,
    database: () => database,
    open: async (options) => closing(await openPostgresStore(database, options)),
    terce: async (role, env) => {
      const started = await startTerce(role, { DATABASE_URL: database, ...env })
      atEnd(() => started.end('SIGKILL'))
      return started
    },
    sink: async (answer) => closing(await startSink(answer)),
    atEnd,
  }
}
