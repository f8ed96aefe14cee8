// Closes days in the background of a process that stays alive.
import { type LatenessPolicy, latenessOf } from '../../domain/events/lateness.ts'
import type { LatenessLimits } from '../../domain/ledger/journal.ts'
import type { Clock } from '../../ports/clock.ts'
import { closeDays } from './close-days.ts'
import type { LedgerDeps, ReportDeps } from './ledger-deps.ts'
import { reportDays } from './report.ts'

const CHECK_MS = 10 * 60_000
/** How long a page waits for a busy engine: longer than most spikes. An engine that is always busy delays an account, and does not stop it. */
const GIVE_WAY_MS = 2_000

/**
 * Records the limits of lateness, then closes each day when it has ended, and reports it. `isBusy`: whether the engine of
 * this process has many events to send. Returns a function that stops it.
 */
export function startClosing(
  deps: LedgerDeps & ReportDeps,
  lateness: LatenessPolicy,
  isBusy: () => boolean = () => false,
): () => Promise<void> {
  const { store, clock, telemetry } = deps
  let isStopped = false
  let timer: ReturnType<Clock['after']> | null = null
  let endWait = () => {}
  let running = run()

  async function run(): Promise<void> {
    const mayContinue = () => !isStopped
    try {
      await store.recordLimits(limitsOf(lateness), clock.now())
      await closeDays(deps, { mayContinue: giveWay })
    } catch (error) {
      telemetry({ kind: 'error', operation: 'close-day', error, retryInMs: CHECK_MS })
    }
    await reportDays(deps, mayContinue)
    if (!isStopped)
      timer = clock.after(CHECK_MS, () => {
        running = run()
      })
  }

  async function giveWay(): Promise<boolean> {
    if (!isStopped && isBusy())
      await new Promise<void>((resolve) => {
        const { cancel } = clock.after(GIVE_WAY_MS, resolve)
        endWait = () => {
          cancel()
          resolve()
        }
      })
    return !isStopped
  }

  return async () => {
    isStopped = true
    timer?.cancel()
    endWait()
    await running
  }
}

/** As the journal has them. */
export function limitsOf(lateness: LatenessPolicy): LatenessLimits {
  const types = new Set(['*', ...lateness.keys()])
  return Object.fromEntries([...types].map((type) => [type, latenessOf(lateness, type).missedAfterMs]))
}
