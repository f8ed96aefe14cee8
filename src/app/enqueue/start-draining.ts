// Drains enqueued changes in the background: at each notification, and now and then without one.
import { backoffMs, createAlarm } from '../../engine/timing.ts'
import { type DrainDeps, drainEnqueued } from './drain.ts'

export type Draining = {
  /** A change was enqueued. */
  wake(): void
  /** Resolves when the batch in progress is committed. */
  stop(): Promise<void>
}

/** Covers lost notifications, and a pooler between, through which none arrives. */
const POLL_MS = 30_000
/** Another worker has claimed the pending changes, and may die before it commits. */
const BUSY_MS = 1_000

export function startDraining(deps: DrainDeps): Draining {
  const { enqueued, app } = deps
  const alarm = createAlarm(app.clock)
  let isStopped = false

  async function loop(): Promise<void> {
    let failures = 0
    while (!isStopped) {
      try {
        await drainEnqueued(deps, () => isStopped)
        const { isPending, retryAt } = await enqueued.enqueuedState()
        failures = 0
        const atLeast = app.clock.now() + BUSY_MS
        const until = retryAt === null ? undefined : Math.max(retryAt, atLeast)
        if (!isStopped) await alarm.sleep(isPending ? BUSY_MS : POLL_MS, until)
      } catch (error) {
        failures += 1
        const retryInMs = backoffMs(failures)
        app.telemetry({ kind: 'error', operation: 'drain-enqueued', error, retryInMs })
        if (!isStopped) await alarm.sleep(retryInMs)
      }
    }
  }

  const wake = () => alarm.ring(app.clock.now())
  const looping = loop()
  return {
    wake,
    stop: async () => {
      isStopped = true
      wake()
      await looping
    },
  }
}
