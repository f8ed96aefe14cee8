// A run of the cron trigger: hands due events to the queue, then replans timezones whose rules changed, keeps the ledger
// and removes old rows. All of it stays below the queries that D1 allows in one call.
import { pruneAudit } from '../../app/access/audit.ts'
import { removeExpired } from '../../app/access/expiry.ts'
import { keepEnvironmentChannel } from '../../app/channels/environment-channel.ts'
import { keepLedger } from '../../app/ledger/keep-ledger.ts'
import { replan, replanSoonest } from '../../app/timezones/replan.ts'
import { isReplanDue } from '../../app/timezones/replan-due.ts'
import type { EngineDeps } from '../../engine/engine-deps.ts'
import { dispatchUntil } from '../../engine/queue/dispatcher.ts'
import type { Queue } from '../../ports/queue.ts'
import type { Store } from '../../ports/store.ts'
import { dispatchSettingsOf, type Runtime, reportRun } from '../shared/serverless.ts'

export type SchedulerParts = Runtime & {
  logger: { info(fields: object, message: string): void }
  flow: EngineDeps & { queue: Queue }
  /** How long settled events are kept; null for ever. */
  keepMs: number | null
  /** A store for one run, and how many queries it has made. */
  openCounted(): { store: Store; queries(): number }
}

/** Of D1 in one call, on the paid plan. */
const MOST_QUERIES = 1_000
/** Kept for the end of the run: pruning and timezone records; and for channels and templates, which are not counted. */
const LAST_QUERIES = 100
/** The most that a batch of events or a page of people takes: six or four, and more after conflicts and rejections. */
const STEP_QUERIES = 50
/** No batch and no page begins after so many. */
export const WORK_QUERIES = MOST_QUERIES - LAST_QUERIES - STEP_QUERIES
/** People or events in a page of a replan: also a small page takes four queries. */
export const PAGE = 1_000
/** Of the replan before the first claim: 20 pages of 1,000 events. */
const FIRST_QUERIES = 80

/** The dispatcher ends before the next run begins. */
const RUN_MS = 50_000
const INTERVAL_MS = 60_000
/** The time of the replan after the dispatcher. */
const REPLAN_MS = 50_000
/** Of the ledger in each run. */
const LEDGER_MS = 20_000
/** A request, or an isolate with an older table, may have begun a check after this isolate saw the last one end. */
const LOOK_AGAIN_MINUTES = 5

/** The runs of one isolate. */
export function createSchedule(
  parts: SchedulerParts,
  { pageSize = PAGE }: { pageSize?: number } = {},
): (scheduledTime: number) => Promise<void> {
  const { clock, logger, telemetry } = parts
  let isPrepared = false
  let isReplanned = false

  /** An error does not stop the run; the next run tries again. */
  async function attempt(operation: 'prepare' | 'replan', work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      telemetry({ kind: 'error', operation, error, retryInMs: INTERVAL_MS })
    }
  }

  async function prepare({ store, config }: SchedulerParts): Promise<void> {
    const { webhookUrl: url, webhookSecrets: secrets } = config
    await keepEnvironmentChannel({ store, clock, telemetry }, url === null ? null : { url, secrets })
    isPrepared = true
  }

  return async (scheduledTime) => {
    const { store, queries } = parts.openCounted()
    const runtime = { ...parts, store }
    const beganAt = clock.now()
    const runId = `cron-${crypto.randomUUID()}`
    const replanDeps = { ...runtime, onPlanned: () => {} }

    if (!isPrepared) await attempt('prepare', () => prepare(runtime))
    if (!isReplanned)
      await attempt('replan', async () => {
        // Events that this run, or the next one before its own replan, would claim at an hour of the old rules.
        const before = beganAt + INTERVAL_MS + RUN_MS
        await replanSoonest(replanDeps, { before, pageSize, mayContinue: () => queries() < FIRST_QUERIES })
      })

    const mayContinue = () => queries() < WORK_QUERIES
    const settings = { claimedBy: runId, until: clock.now() + RUN_MS, mayContinue }
    const { handedOver } = await reportRun(runtime, { of: 'scheduler', runId }, () =>
      dispatchUntil({ ...runtime.flow, store }, dispatchSettingsOf(runtime, settings)),
    )
    if (handedOver > 0) logger.info({ count: handedOver }, 'Events handed to the queue')

    if (isReplanned && minuteOf(scheduledTime) % LOOK_AGAIN_MINUTES === 0)
      await attempt('replan', async () => {
        isReplanned = !(await isReplanDue(replanDeps))
      })
    if (!isReplanned)
      await attempt('replan', async () => {
        const until = clock.now() + REPLAN_MS
        const inTime = () => mayContinue() && clock.now() < until
        isReplanned = (await replan(replanDeps, { check: 'rest', pageSize, mayContinue: inTime })).complete
      })
    const ledgerUntil = clock.now() + LEDGER_MS
    await keepLedger(runtime, () => mayContinue() && clock.now() < ledgerUntil)
    await prune(runtime, scheduledTime)
  }
}

/** Removes what has expired, and a part of the old history, once an hour. */
async function prune(
  { store, clock, telemetry, keepMs, config }: SchedulerParts,
  scheduledTime: number,
): Promise<void> {
  if (minuteOf(scheduledTime) !== PRUNE_MINUTE) return
  await removeExpired({ store, clock })
  await pruneAudit({ store, clock, telemetry }, scheduledTime - config.auditRetentionMs, null)
  if (keepMs === null) return
  await store.prune({ before: scheduledTime - keepMs, limit: PRUNE_LIMIT })
}

const minuteOf = (at: number) => new Date(at).getUTCMinutes()
const PRUNE_MINUTE = 30
const PRUNE_LIMIT = 5_000
