// A worker process that a test kills: it drains small batches, slowly. Started with the URL of the database and a mistake, or none.
import { setTimeout as sleep } from 'node:timers/promises'
import { applyEnqueued } from '../../../../src/api/enqueue.ts'
import { startDraining } from '../../../../src/app/enqueue/start-draining.ts'
import type { EnqueuedOutcome, EnqueueStore } from '../../../../src/ports/enqueue.ts'
import { openPostgresStore } from '../../../../src/stores/postgres/postgres-store.ts'
import { drainDeps } from './draining.ts'

const [url, mistake] = process.argv.slice(2)
const store = await openPostgresStore(url!)

const deps = drainDeps(store, async (app, changes) => {
  // The mistake: the write and the removal of a change are not in one transaction.
  const own = mistake === 'apart' ? { ...app, store } : app
  const outcomes: EnqueuedOutcome[] = []
  for (const change of changes) {
    outcomes.push(...(await applyEnqueued(own, [change])))
    await sleep(3)
  }
  // A kill shows the mistake only between its two transactions: the process reports there, and waits until it is killed.
  if (own !== app) {
    process.send!('written')
    await new Promise(() => {})
  }
  return outcomes
})

const enqueued: EnqueueStore = {
  ...store,
  applyEnqueued: (claim, apply) => store.applyEnqueued({ ...claim, limit: Math.min(claim.limit, 10) }, apply),
}
startDraining({ ...deps, enqueued })
if (mistake !== 'apart') process.send!('started')
