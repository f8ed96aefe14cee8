// One claim of up to 100 events with 50 due, while all other events are pending.
import { personDueAt } from '../engines/people.ts'
import { settleDelivered } from '../engines/terce-database.ts'
import { percentile } from '../figures.ts'
import type { ScaleHome } from './scale-home.ts'

const [DUE, LIMIT, WARM_UP] = [50, 100, 5]

export async function claim({ home: { store }, sizes }: ScaleHome) {
  const took: number[] = []
  for (let i = 0; i < WARM_UP + sizes.claims; i++) {
    const dueAt = Date.now() - 1_000
    await store.createUsers(Array.from({ length: DUE }, () => personDueAt(store, dueAt)))
    const started = performance.now()
    const claims = await store.claimDue({
      now: Date.now(),
      limit: LIMIT,
      leaseMs: 60_000,
      claimedBy: 'bench',
      render: ({ id }) => id,
    })
    if (i >= WARM_UP) took.push(performance.now() - started)
    if (claims.length !== DUE) throw new Error(`${claims.length} events were claimed; ${DUE} were due.`)
    await settleDelivered(store, claims)
  }
  return { claimP50Ms: percentile(took, 50), claimP99Ms: percentile(took, 99) }
}
