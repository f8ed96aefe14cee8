// The database of Terce for the benchmark.
import pg from 'pg'
import type { Claim, Settlement } from '../../src/ports/claim.ts'
import type { Store } from '../../src/ports/store.ts'
import { openPostgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { type Place, YEAR_MS } from '../engine.ts'
import { personDueAt, planner, seedPeople } from './people.ts'

/** As for the peers with the same work. */
const BATCH = 5_000

export function createDatabase() {
  let store: Store
  let pool: pg.Pool
  return {
    store: () => store,

    async setUp({ postgresUrl }: Place) {
      store = await openPostgresStore(postgresUrl)
      pool = new pg.Pool({ connectionString: postgresUrl, max: 1 })
    },

    async schedule(instants: readonly number[]) {
      const keys: string[] = []
      let next = 0
      // Two batches in flight, as for every peer.
      const loop = async () => {
        while (next < instants.length) {
          const from = next
          next = Math.min(from + BATCH, instants.length)
          const people = instants.slice(from, next).map((at) => personDueAt(store, at))
          people.forEach(({ events }, i) => {
            keys[from + i] = events[0]!.id
          })
          await store.createUsers(people)
        }
      }
      await Promise.all([loop(), loop()])
      return keys
    },

    async seed(count: number) {
      const client = await pool.connect()
      await seedPeople(client, count)
      // With the connection: seeding changes a setting of the session.
      client.release(true)
    },

    async prepare() {
      await pool.query('VACUUM ANALYZE')
    },

    async count() {
      const { rows } = await pool.query(
        `SELECT count(*) FILTER (WHERE target_at <= now())::int AS due, count(*) FILTER (WHERE target_at > now())::int AS future FROM terce.events`,
      )
      return rows[0] as { due: number; future: number }
    },

    async tearDown() {
      await store.close()
      await pool.end()
    },
  }
}

/** Settles the claims as delivered, each with a successor one year later. */
export async function settleDelivered(store: Store, claims: readonly Claim[]): Promise<void> {
  const at = Date.now()
  const settlements = claims.map(
    (claim): Settlement => ({
      kind: 'terminal',
      eventId: claim.id,
      version: claim.version,
      at,
      status: 'COMPLETED',
      failure: null,
      statusCode: 200,
      planRevision: claim.planRevision,
      successor: {
        id: planner.ids(claim.targetAt + YEAR_MS),
        occasionId: claim.occasionId,
        occurrence: String(Number(claim.occurrence) + 1),
        targetAt: claim.targetAt + YEAR_MS,
        offsetSeconds: claim.offsetSeconds,
        timezone: claim.timezone,
        tzVersion: claim.tzVersion,
      },
    }),
  )
  const { settled } = await store.settle(settlements)
  if (settled.length !== claims.length)
    throw new Error(`${claims.length - settled.length} events were not settled.`)
}
