// The process of an application with Terce in it: its handler writes one row for each event. Killed and started again by the test.
// node application.ts <postgres URL, or SQLite file>
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { createTerce } from '../../../../src/runtimes/embedded/terce.ts'
import type { PgTransaction } from '../../../../src/runtimes/embedded/transactions.ts'

type Transaction = PgTransaction | DatabaseSync

const [database] = process.argv.slice(2)
const isPostgres = database!.startsWith('postgres:')
const pool = isPostgres ? new pg.Pool({ connectionString: database!, max: 8 }) : null
const terce = createTerce<Transaction>({
  database: pool ?? database!,
  settings: { LEASE_MS: '1000', CONCURRENCY: '16', LOG_LEVEL: 'fatal' },
})

async function insert(tx: Transaction, eventId: string): Promise<void> {
  if (tx instanceof DatabaseSync) tx.prepare('INSERT INTO effects VALUES (?)').run(eventId)
  else await tx.query('INSERT INTO effects VALUES ($1)', [eventId])
}

terce.on('BIRTHDAY', async (event, { tx }) => {
  await insert(tx, event.eventId)
  // Time for a kill between the effect and the settlement.
  await new Promise((resolve) => setTimeout(resolve, 5))
})
await terce.start()
process.send!('started')
