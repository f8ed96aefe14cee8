// Closes days in the background of a process that stays alive.
import { type LatenessPolicy, latenessOf } from '../../domain/events/lateness.ts'
import type { LatenessLimits } from '../../domain/ledger/journal.ts'
import type { Clock } from '../../ports/clock.ts'
import { type AlarmDeps, raiseAlarms } from './alarm.ts'
import { closeDays } from './close-days.ts'
import type { LedgerDeps } from './ledger-deps.ts'

const CHECK_MS = 10 * 60_000

/** Records the limits of lateness, then closes each day when it has ended, and raises its alarm. Returns a function that stops it. */
export function startClosing(deps: LedgerDeps & AlarmDeps, lateness: LatenessPolicy): () => Promise<void> {
  const { store, clock, telemetry } = deps
  let isStopped = false
  let timer: ReturnType<Clock['after']> | null = null
  let running = run()

  async function run(): Promise<void> {
    const mayContinue = () => !isStopped
    try {
      await store.recordLimits(limitsOf(lateness), clock.now())
      await closeDays(deps, { mayContinue })
    } catch (error) {
      telemetry({ kind: 'error', operation: 'close-day', error, retryInMs: CHECK_MS })
    }
    await raiseAlarms(deps, mayContinue)
    if (!isStopped)
      timer = clock.after(CHECK_MS, () => {
        running = run()
      })
  }

  return async () => {
    isStopped = true
    timer?.cancel()
    await running
  }
}

/** As the journal has them. */
export function limitsOf(lateness: LatenessPolicy): LatenessLimits {
  const types = new Set(['*', ...lateness.keys()])
  return Object.fromEntries([...types].map((type) => [type, latenessOf(lateness, type).missedAfterMs]))
}
