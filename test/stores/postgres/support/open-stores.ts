// A process of its own that opens several stores at the same time and prints how many of them work.
// node open-stores.ts <postgres URL> <how many>
import { openPostgresStore } from '../../../../src/stores/postgres/postgres-store.ts'

const [url, count] = process.argv.slice(2)
const stores = await Promise.all(
  Array.from({ length: Number(count) }, () => openPostgresStore(url!, { connections: 2 })),
)
for (const store of stores) await store.check()
for (const store of stores) await store.close()
process.stdout.write(String(stores.length))
