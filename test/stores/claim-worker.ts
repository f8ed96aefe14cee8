// A process of its own that claims until nothing is left, then prints the ids it got as JSON.
// node claim-worker.ts <database file> <now> <limit>
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts'

const [file, now, limit] = process.argv.slice(2)
const store = openSqliteStore(file!)
const taken: string[] = []
for (;;) {
  const claims = await store.claimDue({
    now: Number(now),
    limit: Number(limit),
    leaseMs: 3_600_000,
    claimedBy: `process-${process.pid}`,
  })
  if (claims.length === 0) break
  taken.push(...claims.map(({ id }) => id))
  // Gives the others a turn, so that the processes really compete.
  await new Promise((resolve) => setImmediate(resolve))
}
await store.close()
process.stdout.write(JSON.stringify(taken))
