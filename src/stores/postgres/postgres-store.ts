// The store for many processes: one PostgreSQL, any number of workers on it.
import { drizzle } from 'drizzle-orm/node-postgres'
import type { Store } from '../../ports/store.ts'
import { claimOperations } from './claims.ts'
import { connect } from './connection.ts'
import { countFailures } from './failures.ts'
import { feedOperations } from './feeds.ts'
import { migrate } from './migrate.ts'
import { occasionOperations } from './occasions.ts'
import { overviewOperations } from './overview.ts'
import { peopleOperations } from './people.ts'
import { planOperations } from './plans.ts'
import { countPrunable, prune } from './prune.ts'
import { readOperations } from './reads.ts'
import { registryOperations } from './registry.ts'
import { replay, replayOutlook } from './replay.ts'
import { replan } from './reschedules.ts'
import { settle } from './settle.ts'
import { taskOperations } from './tasks.ts'
import { zoneOperations } from './zones.ts'

export type PostgresStore = Store & {
  /** The database's own clock, epoch milliseconds. */
  readClock(): Promise<number>
  /** How busy the connections are. */
  pool(): { total: number; idle: number; waiting: number }
  /** Tells all workers that something is due at that instant. */
  announce(at: number): Promise<void>
}

/** The channel on which workers hear of new events. */
export const WAKE_CHANNEL = 'terce_wake'

/** Connects and brings the schema up to date. Needs no more than this many connections. */
export async function openPostgresStore(
  url: string,
  options: { connections?: number } = {},
): Promise<PostgresStore> {
  const connection = connect(url, options.connections ?? 10)
  try {
    await migrate(connection)
  } catch (error) {
    await connection.pool.end()
    throw error
  }
  const one = async (text: string, values: (string | number)[]) =>
    (await connection.query({ text, values }))[0]
  const db = drizzle(connection.pool)
  return {
    ...peopleOperations(connection),
    ...occasionOperations(connection),
    ...claimOperations(connection),
    ...readOperations(db),
    ...planOperations(db),
    ...overviewOperations(connection, db),
    ...taskOperations(db),
    ...registryOperations(db),
    ...zoneOperations(connection, db),
    ...feedOperations(connection, db),
    settle: (settlements) => settle(connection, settlements),
    replan: (reschedules, at) => replan(connection, reschedules, at),
    replay: (replays) => replay(connection, replays),
    replayOutlook: (eventIds) => replayOutlook(connection, eventIds),
    countFailures: (of) => countFailures(connection, of),
    prune: (what) => prune(connection, what),
    countPrunable: (before) => countPrunable(connection, before),
    readClock: async () =>
      (await one('SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8', []))![0] as number,
    pool: () => {
      const { totalCount, idleCount, waitingCount } = connection.pool
      return { total: totalCount, idle: idleCount, waiting: waitingCount }
    },
    announce: async (at) => {
      await one('SELECT pg_notify($1, $2)', [WAKE_CHANNEL, String(at)])
    },
    check: async () => {
      await one('SELECT 1', [])
    },
    close: () => connection.pool.end(),
  }
}
