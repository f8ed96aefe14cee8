// Watches the calls of an engine, and resolves when it has nothing left to do for a while.
import type { Clock } from '../../../ports/clock.ts'
import type { Store } from '../../../ports/store.ts'

export type Activity = {
  /** The store for the engine. */
  store: Store
  /** Resolves when no event is claimed and none falls due within `stayMs`, at the latest after `mostMs`. */
  whenIdle(how: { stayMs: number; mostMs: number }): Promise<void>
}

export function watchActivity(store: Store, clock: Clock): Activity {
  /** Claimed by the engine, and not settled yet. */
  const open = new Set<string>()
  let onCall = () => {}
  return {
    store: {
      ...store,
      async claimDue(claim) {
        const claims = await store.claimDue(claim)
        for (const { id } of claims) open.add(id)
        return claims
      },
      async settle(settlements) {
        const result = await store.settle(settlements)
        for (const id of [...result.settled, ...result.stale]) open.delete(id)
        onCall()
        return result
      },
      // The engine calls it when a claim has found all that was due.
      async nextWakeAt() {
        onCall()
        return store.nextWakeAt()
      },
    },
    whenIdle: ({ stayMs, mostMs }) =>
      new Promise((resolve) => {
        const end = () => {
          limit.cancel()
          onCall = () => {}
          open.clear()
          resolve()
        }
        const limit = clock.after(mostMs, end)
        onCall = () => {
          if (open.size > 0) return
          store.nextWakeAt().then(
            (next) => {
              if (open.size === 0 && (next === null || next > clock.now() + stayMs)) end()
            },
            () => {},
          )
        }
      }),
  }
}
