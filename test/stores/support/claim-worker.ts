// A process of its own that claims until nothing is left, then prints the ids it got as JSON.
// node claim-worker.ts <database file or postgres URL> <now> <limit> <schema or prefix>
import { openPostgresStore } from '../../../src/stores/postgres/postgres-store.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'

const [database, now, limit, schema] = process.argv.slice(2)
const store = database!.startsWith('postgres:')
  ? await openPostgresStore(database!, { schema: schema! })
  : openSqliteStore(database!, schema)
const taken: string[] = []
for (;;) {
  const claims = await store.claimDue({
    now: Number(now),
    limit: Number(limit),
    leaseMs: 3_600_000,
    claimedBy: `process-${process.pid}`,
    render: ({ id }) => `body of ${id}`,
  })
  if (claims.length === 0) break
  taken.push(...claims.map(({ id }) => id))
  // Gives the others a turn, so that the processes really compete.
  await new Promise((resolve) => setImmediate(resolve))
}
await store.close()
process.stdout.write(JSON.stringify(taken))
