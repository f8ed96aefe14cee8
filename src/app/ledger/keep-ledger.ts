// Keeps the ledger: checks plans, closes days and sends their reports, in parts.
import type { Clock } from '../../ports/clock.ts'
import { checkPlans } from './check-plans.ts'
import { closeDays } from './close-days.ts'
import type { LedgerDeps, MayContinue } from './ledger-deps.ts'
import { type Reporting, reportDays } from './report.ts'

export type KeepingDeps = LedgerDeps & { reporting: Reporting | null }

/** Does what `mayContinue` permits. Never throws: the next run continues. */
export async function keepLedger(deps: KeepingDeps, mayContinue: MayContinue): Promise<void> {
  const { telemetry } = deps
  // A plan that cannot be checked keeps no day from being closed.
  for (const step of [() => checkPlans(deps, { mayContinue }), () => closeDays(deps, mayContinue)])
    await step().catch((error: unknown) =>
      telemetry({ kind: 'error', operation: 'close-day', error, retryInMs: null }),
    )
  await reportDays(deps, deps.reporting).catch((error: unknown) =>
    telemetry({ kind: 'error', operation: 'ledger-report', error, retryInMs: null }),
  )
}

const EACH_MS = 60_000
/** Of each minute: half an hour for a million people. */
const BUDGET_MS = 2_000
/** Of each minute of a pass that takes longer than an hour, so that a hundred million people are checked within six. */
const LATE_BUDGET_MS = 20_000
const LATE_MS = 3_600_000

/** Keeps the ledger beside an engine. `isBusy`: whether the engine has many events to send. Returns a function that stops it. */
export function startLedger(deps: KeepingDeps, isBusy: () => boolean = () => false): () => Promise<void> {
  const { clock } = deps
  let isStopped = false
  let timer: ReturnType<Clock['after']> | null = null
  let running = run()

  async function run(): Promise<void> {
    const until = clock.now() + (await budgetMs(deps))
    await keepLedger(deps, () => !isStopped && !isBusy() && clock.now() < until)
    if (!isStopped)
      timer = clock.after(EACH_MS, () => {
        running = run()
      })
  }

  return async () => {
    isStopped = true
    timer?.cancel()
    await running
  }
}

async function budgetMs({ store, clock }: LedgerDeps): Promise<number> {
  const check = await store.findLedgerCheck().catch(() => null)
  const isLate = check !== null && check.cursor !== null && check.startedAt < clock.now() - LATE_MS
  return isLate ? LATE_BUDGET_MS : BUDGET_MS
}
