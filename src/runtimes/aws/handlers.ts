// The handlers for AWS Lambda: the API, the scheduler and recovery; those of SQS are in queue-handlers.ts. Wiring only.
import { type Context, Hono } from 'hono'
import { handle, type LambdaContext, type LambdaEvent } from 'hono/aws-lambda'
import { databaseUnavailable, notReady, problemResponse } from '../../api/problem.ts'
import { createAudit, pruneAudit } from '../../app/access/audit.ts'
import { removeExpired } from '../../app/access/expiry.ts'
import { pruneHistory } from '../../app/events/prune.ts'
import { keepLedger } from '../../app/ledger/keep-ledger.ts'
import { createReadiness } from '../../app/readiness.ts'
import { replan, replanSoonest } from '../../app/timezones/replan.ts'
import { isReplanDue } from '../../app/timezones/replan-due.ts'
import { StoreUnavailableError } from '../../domain/errors.ts'
import { reportOverdue } from '../../engine/engine.ts'
import {
  type Dispatched,
  type DispatchSettings,
  dispatch,
  dispatchUntil,
} from '../../engine/queue/dispatcher.ts'
import { createApp } from '../../http/app.ts'
import type { Overdue } from '../../ports/store.ts'
import { createSqsQueue } from '../../queues/sqs.ts'
import { VERSION } from '../config/version.ts'
import { readWebFiles } from '../node/web-files.ts'
import { accessOf, keysOf } from '../shared/access.ts'
import { channelsOf } from '../shared/channels.ts'
import { appDepsOf, dispatchDepsOf, dispatchSettingsOf, guarded, reportRun } from '../shared/serverless.ts'
import type { LambdaCall } from './call.ts'
import { type AwsRuntime, awsRuntime, keptFor, outageOf, sqsOf, untilOf } from './runtime.ts'

export { deadLetters, worker } from './queue-handlers.ts'

/** Serves requests from API Gateway, a function URL or a load balancer. */
export async function api(event: LambdaEvent, context: LambdaContext): Promise<unknown> {
  const runtime = await awsRuntime().catch((error: Error) => {
    const outage = outageOf(error)
    if (outage === null) throw error
    return outage
  })
  if (runtime instanceof StoreUnavailableError) return unavailable(runtime)(event, context)
  const response = await serve(runtime)(event, context)
  await runtime.rest()
  return response
}

/** The responses while the database cannot be opened: 503, not the error of a function that failed. */
function unavailable(outage: StoreUnavailableError) {
  const app = new Hono()
    .get('/healthz', (c) => c.json({ status: 'ok', version: VERSION }))
    .get('/readyz', () => problemResponse(notReady(outage)))
    .all('*', () => problemResponse(databaseUnavailable()))
  return handle(app)
}

const serve = /* @__PURE__ */ keptFor((runtime) => {
  const { config, store, clock, telemetry, planner, database } = runtime
  const app = createApp({
    app: appDepsOf(runtime),
    inbox: null,
    web: readWebFiles(),
    compresses: true,
    retries: config.retryPolicy.delaysMs,
    settings: config.settings,
    keys: keysOf(runtime),
    audit: createAudit({ store, clock, telemetry }),
    access: {
      ...accessOf(config, { ...database, store }, telemetry),
      local: false,
      remoteAddress: addressOf,
    },
    version: VERSION,
    metrics: null,
    channels: channelsOf(config, { store, clock, ids: planner.ids }),
    ready: createReadiness(clock, () => store.check()),
    onError: (error) => telemetry({ kind: 'error', operation: 'request', error, retryInMs: null }),
  })
  return handle(app)
})

/**
 * The address that the gateway saw. A load balancer appends it to X-Forwarded-For; the rest of the header is ignored, because a
 * client can set it.
 */
function addressOf(c: Context): string | null {
  const { event } = c.env as { event?: { requestContext?: object } }
  const context = (event?.requestContext ?? {}) as Partial<Record<string, { sourceIp?: string }>>
  if (context.elb !== undefined) return c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim() ?? null
  return context.http?.sourceIp ?? context.identity?.sourceIp ?? null
}

/**
 * Called every minute: queues events that are due, and events that fall due until the function's time is up. Moves events of
 * timezones whose rules changed: before the first claim those that this run or the next one can claim, then the others.
 */
export async function scheduler(_event: unknown, context: LambdaCall): Promise<Dispatched> {
  const runtime = await awsRuntime()
  return guarded(runtime, 'schedule', async () => {
    // Once for each process: overdue events are only expected after an outage.
    if (reportedFor !== runtime) await reportOverdue(runtime)
    reportedFor = runtime
    return reportRun(runtime, { of: 'scheduler', runId: context.awsRequestId }, async () => {
      const until = untilOf(runtime, context)
      await runtime.drain(until)
      const isChecked = replannedFor === runtime
      const isDue = !isChecked && (await moveSoonest(runtime, until))
      // A run that replans leaves a third of its time for it.
      const run = {
        ...runOf(runtime, context),
        until: isDue ? until - (until - runtime.clock.now()) / 3 : until,
      }
      const dispatched = logDispatched(runtime, await dispatchUntil(await dispatcher(runtime), run))
      if (!isChecked) await replanUntil(runtime, until)
      return dispatched
    })
  })
}

let reportedFor: AwsRuntime | null = null
let replannedFor: AwsRuntime | null = null

const INTERVAL_MS = 60_000

/** Moves events that this run or the next one can claim by old rules, in a sixth of its time. True if more have to move. */
async function moveSoonest(runtime: AwsRuntime, until: number): Promise<boolean> {
  const began = runtime.clock.now()
  const deps = { ...runtime, onPlanned: () => {} }
  return attempt(runtime, false, async () => {
    if (!(await isReplanDue(deps))) return false
    const mayContinue = () => runtime.clock.now() < began + (until - began) / 6
    await replanSoonest(deps, { mayContinue, before: began + 2 * INTERVAL_MS })
    return true
  })
}

/** The next call continues. A process whose rules are those of all events does not look again. */
function replanUntil(runtime: AwsRuntime, until: number): Promise<void> {
  const deps = { ...runtime, onPlanned: () => {} }
  return attempt(runtime, undefined, async () => {
    const { complete } = await replan(deps, { check: 'rest', mayContinue: () => runtime.clock.now() < until })
    if (complete) replannedFor = runtime
  })
}

/** An error of the replan does not stop the run; the next run tries again. */
async function attempt<T>({ telemetry }: AwsRuntime, otherwise: T, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    telemetry({ kind: 'error', operation: 'replan', error, retryInMs: INTERVAL_MS })
    return otherwise
  }
}

const dispatcher = /* @__PURE__ */ keptFor(async (runtime) =>
  dispatchDepsOf(runtime, createSqsQueue(await sqsOf(process.env))),
)

function runOf(runtime: AwsRuntime, context: LambdaCall): DispatchSettings {
  return dispatchSettingsOf(runtime, { claimedBy: context.awsRequestId, until: untilOf(runtime, context) })
}

function logDispatched({ logger }: AwsRuntime, dispatched: Dispatched): Dispatched {
  if (dispatched.handedOver > 0) logger.info({ count: dispatched.handedOver }, 'Events handed to the queue')
  return dispatched
}

/** Of a recovery run for what follows the replan. */
const RESERVED_MS = 120_000

export type Recovered = Overdue & { handedOver: number; pruned: number }

/**
 * Runs every hour, and may be run by hand. Replans timezones whose rules changed, reports and queues
 * overdue events, keeps the ledger, and removes history older than PRUNE_AFTER.
 */
export async function recovery(_event: unknown, context: LambdaCall): Promise<Recovered> {
  const runtime = await awsRuntime()
  return guarded(runtime, 'recover', async () => {
    return reportRun(runtime, { of: 'recovery', runId: context.awsRequestId }, async () => {
      const until = untilOf(runtime, context)
      await replanUntil(runtime, until - RESERVED_MS)
      const overdue = await reportOverdue(runtime)
      const { handedOver } = logDispatched(
        runtime,
        await dispatch(await dispatcher(runtime), runOf(runtime, context)),
      )
      // Before pruning: the account of a day needs its history.
      await keepLedger(runtime, () => runtime.clock.now() < until - RESERVED_MS / 4)
      return { ...overdue, handedOver, pruned: await prune(runtime, until) }
    })
  })
}

/** Stops when the time is up; the next call continues. */
async function prune(
  { store, clock, telemetry, keepMs, config }: AwsRuntime,
  until: number,
): Promise<number> {
  await removeExpired({ store, clock })
  await pruneAudit({ store, clock, telemetry }, clock.now() - config.auditRetentionMs, null)
  if (keepMs === null) return 0
  const isTimeUp = () => clock.now() >= until
  return pruneHistory(store, clock.now() - keepMs, { isTimeUp })
}
