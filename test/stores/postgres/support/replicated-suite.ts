// A primary for the file, and for each test an empty database, a standby that streams, and an address that leads to either.
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { openPostgresStore, type PostgresStore } from '../../../../src/stores/postgres/postgres-store.ts'
import { type DatabaseProxy, startDatabaseProxy } from '../../../chaos/support/database-proxy.ts'
import { type PostgresServer, startPostgres } from '../../../support/postgres-server.ts'
import { forgetStandby, REPLICATED, startStandby } from '../../../support/postgres-standby.ts'

export type Replicated = {
  primary(): PostgresServer
  standby(): PostgresServer
  /** The test's database on that server. */
  databaseOn(server: PostgresServer): string
  /** The test's database at the address. */
  address(): string
  /** New connections to the address reach this server; open ones stay where they are. */
  point(server: PostgresServer): void
  /** Resets all connections to the address. */
  reset(): void
  proxy(): DatabaseProxy
  /** A store at the address, or at another URL; closed with the test. */
  open(url?: string): Promise<PostgresStore>
  atEnd(cleanup: () => Promise<unknown>): void
}

export function useReplication(): Replicated {
  let primary: PostgresServer
  let standby: PostgresServer
  let database: string
  let proxy: DatabaseProxy
  const target = { port: 0 }
  const cleanups: (() => Promise<unknown>)[] = []
  const atEnd = (cleanup: () => Promise<unknown>) => void cleanups.push(cleanup)

  beforeAll(async () => {
    primary = await startPostgres({ fast: true, settings: REPLICATED })
  })
  beforeEach(async () => {
    database = new URL(await primary.createDatabase()).pathname.slice(1)
    standby = await startStandby(primary, { fast: true })
    atEnd(standby.stop)
    atEnd(() => forgetStandby(primary))
    target.port = primary.port
    proxy = await startDatabaseProxy(target)
    atEnd(proxy.close)
  })
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  })
  afterAll(() => primary.stop())

  const address = () => primary.url(database).replace(`:${primary.port}/`, `:${proxy.port}/`)
  return {
    primary: () => primary,
    standby: () => standby,
    databaseOn: (server) => server.url(database),
    address,
    point: ({ port }) => {
      target.port = port
    },
    reset: () => void proxy.cut(1, () => 0),
    proxy: () => proxy,
    open: async (url = address()) => {
      const store = await openPostgresStore(url, { connections: 2 })
      atEnd(() => store.close())
      return store
    },
    atEnd,
  }
}
