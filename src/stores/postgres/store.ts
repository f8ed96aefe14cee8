// The store on a connection to PostgreSQL whose schema is up to date. Imports no migration, so that it runs where there are no files.
import { drizzle, type NodePgClient } from 'drizzle-orm/node-postgres'
import type { EnqueueStore } from '../../ports/enqueue.ts'
import type { Store } from '../../ports/store.ts'
import { coldOperations } from '../shared/cold-store.ts'
import { dashboardOperations } from '../shared/dashboard/operations.ts'
import type { DrizzleDatabase, Tables } from '../shared/database.ts'
import { ledgerOperations } from '../shared/ledger.ts'
import { reportOutages } from '../shared/outage.ts'
import * as tables from '../tables/postgres.ts'
import { joinTransaction } from './clients/joined-transaction.ts'
import type { Client } from './clients/naming.ts'
import type { Connection, PooledConnection } from './connection.ts'
import { DASHBOARD } from './dashboard.ts'
import { dialect } from './dialect.ts'
import { enqueueOperations } from './enqueue/enqueued.ts'
import { type ClockOfClaims, claimOperations } from './events/claim.ts'
import { eventSource } from './events/event-source.ts'
import { createMonths } from './events/months.ts'
import { listOpenPlans, listOutdatedPlans } from './events/open-plans.ts'
import { countPrunable, createPrune } from './events/prune.ts'
import { pruneMonths } from './events/prune-months.ts'
import { replay, replayOutlook } from './events/replay.ts'
import { replan } from './events/reschedules.ts'
import { settle } from './events/settle.ts'
import { readClock } from './instant.ts'
import { LEDGER } from './ledger/statements.ts'
import { occasionOperations } from './people/occasions.ts'
import { peopleOperations } from './people/people.ts'
import { readPlans } from './people/plans.ts'
import { saveReplanCursor, saveZones } from './zones.ts'

export type PostgresStore = Store &
  EnqueueStore & {
    /** The database's own clock, epoch milliseconds. */
    readClock(): Promise<number>
    /** How busy the connections are. */
    pool(): { total: number; idle: number; waiting: number }
    /** Notifies all workers that an event is due at that instant. */
    announce(at: number): Promise<void>
  }

/** The NOTIFY channel for new events: channels belong to a database, which may have several installations. */
export const wakeChannel = (schema: string) => `${schema}_wake`
/** The NOTIFY channel for enqueued changes. */
export const enqueuedChannel = (schema: string) => `${schema}_enqueued`
/** The NOTIFY channel for changes of channels and of the state of destinations, which triggers send. */
export const channelsChannel = (schema: string) => `${schema}_channels`

/** Uses the connections of a pool, which stays open. */
export function storeOnPool(connection: PooledConnection, clock: ClockOfClaims = 'database'): PostgresStore {
  const { pool, schema } = connection
  return {
    ...storeOn(connection, clock),
    ...reportOutages(enqueueOperations(connection, (client) => storeInTransaction(client, schema))),
    pool: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
  }
}

type StoreOnConnection = Omit<PostgresStore, 'pool' | keyof EnqueueStore>

/** The store inside a transaction that an application has begun on the client. The schema is up to date. */
export function storeInTransaction(client: Client, schema: string): StoreOnConnection {
  return storeOn(joinTransaction(client, schema))
}

function storeOn(connection: Connection, clock?: ClockOfClaims): StoreOnConnection {
  const db = drizzle(connection.client as NodePgClient)
  const events = eventSource(db)
  // Same builder methods, same row types: see Database.
  const asShared = { reader: db as unknown as DrizzleDatabase, writer: db as unknown as DrizzleDatabase }
  const shared = { ...asShared, tables: tables as unknown as Tables, dialect }
  const read = (text: string, values: (string | number)[]) => connection.query({ text, values })
  return reportOutages({
    ...coldOperations({ shared, events, readPlans: (userIds) => readPlans(db, userIds) }),
    ...peopleOperations(connection),
    ...occasionOperations(connection),
    ...claimOperations(connection, clock),
    ...dashboardOperations(DASHBOARD, read, events),
    ...ledgerOperations(shared, read, LEDGER, (ids) => `{${ids.join()}}`),
    saveZones: (zones, how) => saveZones(connection, zones, how),
    saveReplanCursor: (zone) => saveReplanCursor(connection, zone),
    settle: (settlements) => settle(connection, settlements),
    listOpenPlans: (of) => listOpenPlans(connection, of),
    listOutdatedPlans: (of) => listOutdatedPlans(connection, of),
    replan: (reschedules, at) => replan(connection, reschedules, at),
    replay: (replays) => replay(connection, replays),
    replayOutlook: (eventIds) => replayOutlook(connection, eventIds),
    prune: createPrune(connection),
    pruneMonths: (before, onMonth) => pruneMonths(connection, before, onMonth),
    countPrunable: (before) => countPrunable(connection, before),
    createMonths: () => createMonths(connection),
    readClock: () => readClock(connection),
    announce: async (at) => {
      const values = [wakeChannel(connection.schema), String(at)]
      await connection.query({ text: 'SELECT pg_notify($1, $2)', values })
    },
    check: () => check(connection),
    close: async () => {},
  })
}

/** A committed write: a replica, a read-only server and a full disk can all be read. */
export async function check(connection: Connection): Promise<void> {
  const text =
    'UPDATE terce.schema_migrations SET applied_at = applied_at WHERE name = (SELECT min(name) FROM terce.schema_migrations)'
  await connection.query({ text, values: [] })
}
