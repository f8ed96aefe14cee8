// The heartbeat of a worker process, by which the dashboard counts the live ones. Claims and leases do not depend on it.
import type { Clock } from '../../ports/clock.ts'
import type { WorkerStore } from '../../ports/store.ts'
import type { Telemetry } from '../../ports/telemetry.ts'

const BEAT_MS = 10_000
/** A worker counts as alive for three heartbeats. */
export const ALIVE_MS = 3 * BEAT_MS

type Heartbeat = {
  /** Removes the worker from the live ones. */
  stop(): Promise<void>
}

type HeartbeatDeps = { store: WorkerStore; clock: Clock; telemetry: Telemetry }

export function startHeartbeat({ store, clock, telemetry }: HeartbeatDeps, workerId: string): Heartbeat {
  let stopped = false
  let beating = beat()

  async function beat(): Promise<void> {
    const seenAt = clock.now()
    await report(store.recordWorker({ id: workerId, seenAt }, seenAt - ALIVE_MS), BEAT_MS)
  }

  function report(work: Promise<void>, retryInMs: number | null): Promise<void> {
    return work.catch((error) => telemetry({ kind: 'error', operation: 'heartbeat', error, retryInMs }))
  }

  let timer = clock.after(BEAT_MS, next)
  function next(): void {
    beating = beat().then(() => {
      if (!stopped) timer = clock.after(BEAT_MS, next)
    })
  }

  return {
    async stop() {
      stopped = true
      timer.cancel()
      await beating
      await report(store.removeWorker(workerId), null)
    },
  }
}
