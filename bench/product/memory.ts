// The memory of `terce all` on SQLite: idle after the start, and under a steady load.
import { setTimeout as sleep } from 'node:timers/promises'
import { personDueAt } from '../engines/people.ts'
import type { MemorySizes } from '../workloads.ts'
import { createByHttp } from './create-by-http.ts'
import type { ProductDeps } from './home.ts'
import { type Home, openHome } from './home.ts'
import { memoryOf } from './process.ts'

const BATCH = 1_000
/** From the last insert until the first event is due. */
const LEAD_MS = 2_000
/** The process looks for events that others have inserted at least this often. */
const POLL_MS = 10_000

export async function measureMemory({ command, postgres, sink }: ProductDeps, sizes: MemorySizes) {
  const home = await openHome('terce-sqlite', command, postgres)
  try {
    const { url, worker, stop } = await home.start({
      WEBHOOK_URL: sink.url,
      ALLOW_PRIVATE_TARGETS: 'true',
    })
    await sleep(sizes.idleMs)
    const idle = memoryOf(worker.pid)
    await steadyLoad(home, url, sizes)
    const loaded = memoryOf(worker.pid)
    await stop()
    const due = Math.floor((sizes.loadMs / 1_000) * sizes.duePerSecond)
    const { posts } = await sink.readAndReset()
    if (posts !== due) throw new Error(`The sink received ${posts} messages; ${due} were due.`)
    return { idleMB: mb(idle.resident), loadedMB: mb(loaded.resident), peakMB: mb(loaded.peak) }
  } finally {
    await home.remove()
  }
}

/** Events become due and people are created, both at a constant rate. */
async function steadyLoad(home: Home, url: string, sizes: MemorySizes): Promise<void> {
  const due = Math.floor((sizes.loadMs / 1_000) * sizes.duePerSecond)
  const start = Date.now() + POLL_MS + LEAD_MS + due / 5
  for (let from = 0; from < due; from += BATCH) {
    const count = Math.min(BATCH, due - from)
    const at = (i: number) => start + Math.floor(((from + i) * sizes.loadMs) / due)
    await home.store.createUsers(Array.from({ length: count }, (_, i) => personDueAt(home.store, at(i))))
  }
  await sleep(Math.max(0, start - Date.now()))
  const tomorrow = new Date(Date.now() + 36 * 3_600_000).toISOString()
  const seconds = sizes.loadMs / 1_000
  for (let second = 0; second < seconds; second++) {
    await createByHttp(url, sizes.createdPerSecond, `1992-${tomorrow.slice(5, 10)}`)
    await sleep(Math.max(0, start + (second + 1) * 1_000 - Date.now()))
  }
  while ((await home.store.countOverdue(Date.now() + 3_600_000)).count > 0) await sleep(100)
}

const mb = (bytes: number) => bytes / 1e6
