// The handlers for AWS Lambda: the API, the scheduler, the SQS workers, dead letters and recovery. Wiring only.
import { Hono } from 'hono'
import { handle, type LambdaContext, type LambdaEvent } from 'hono/aws-lambda'
import { createAudit, pruneAudit } from '../../app/access/audit.ts'
import { removeExpired } from '../../app/access/expiry.ts'
import { pruneHistory } from '../../app/events/prune.ts'
import { createReadiness } from '../../app/readiness.ts'
import { replanIfNewer } from '../../app/timezones/replan.ts'
import { foldUsers } from '../../app/users/fold-users.ts'
import { StoreUnavailableError } from '../../domain/errors.ts'
import { reportOverdue } from '../../engine/engine.ts'
import { createQueueConsumer, type QueueConsumer, retryAfter } from '../../engine/queue/consumer.ts'
import {
  type Dispatched,
  type DispatchSettings,
  dispatch,
  dispatchUntil,
} from '../../engine/queue/dispatcher.ts'
import { createApp } from '../../http/app.ts'
import { databaseUnavailable, problemResponse } from '../../http/server/problem.ts'
import type { Overdue } from '../../ports/store.ts'
import { consumeSqs, createSqsQueue, type Received, type SqsRecord } from '../../queues/sqs.ts'
import { logTelemetry } from '../../telemetry/log.ts'
import { createLogger } from '../../telemetry/logger.ts'
import { VERSION } from '../config/version.ts'
import { accessOf, keysOf } from '../node/access.ts'
import { channelsOf } from '../node/channels.ts'
import { readWebFiles } from '../node/web-files.ts'
import {
  appDepsOf,
  consumerSettingsOf,
  dispatchDepsOf,
  dispatchSettingsOf,
  engineDepsOf,
  guarded,
  reportRun,
} from '../serverless.ts'
import { type AwsHome, awsHome, awsHomeIfUp, databaseAddress, readAwsConfig, sqsOf } from './home.ts'

/** A function stops its work this long before its timeout. */
const MARGIN_MS = 2_000
type Call = Pick<LambdaContext, 'getRemainingTimeInMillis' | 'awsRequestId'>

/** What is read of Lambda's event for a batch of SQS. Written out, so that the types of this module need no other package. */
type SQSEvent = { Records: SQSMessage[] }
type SQSMessage = {
  messageId: string
  receiptHandle: string
  body: string
  attributes: { ApproximateReceiveCount: string }
}
type SQSBatchResponse = { batchItemFailures: { itemIdentifier: string }[] }

/** Caches a value for each home: `make` runs again only after the home was reopened. */
function keptFor<T>(make: (home: AwsHome) => T): (home: AwsHome) => T {
  let kept: { home: AwsHome; value: T } | null = null
  return (home) => {
    if (kept?.home !== home) kept = { home, value: make(home) }
    return kept.value
  }
}

function untilOf({ clock }: AwsHome, call: Call): number {
  return clock.now() + call.getRemainingTimeInMillis() - MARGIN_MS
}

/** Serves requests from API Gateway, a function URL or a load balancer. */
export async function api(event: LambdaEvent, context: LambdaContext): Promise<unknown> {
  const home = await awsHomeIfUp()
  if (home instanceof StoreUnavailableError) return unavailable(event, context)
  const response = await serve(home)(event, context)
  await home.rest()
  return response
}

/** The response to every request while the database cannot be opened: 503, not the error of a function that failed. */
const unavailable = /* @__PURE__ */ handle(
  /* @__PURE__ */ new Hono().all('*', () => problemResponse(databaseUnavailable())),
)

const serve = /* @__PURE__ */ keptFor((home) => {
  const { config, store, clock, telemetry, planner, database } = home
  const app = createApp({
    users: appDepsOf(home),
    inbox: null,
    web: readWebFiles(),
    compresses: true,
    retries: config.retryPolicy.delaysMs,
    allowSendNow: config.allowSendNow,
    settings: config.settings,
    keys: keysOf(home),
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

/** The address that the gateway saw. Headers are ignored, because a client can set them. */
function addressOf(c: { env: unknown }): string | null {
  const { event } = c.env as { event?: { requestContext?: object } }
  const { http, identity } = (event?.requestContext ?? {}) as Partial<Record<string, { sourceIp?: string }>>
  return http?.sourceIp ?? identity?.sourceIp ?? null
}

/** Called every minute: queues events that are due, and events that fall due until the function's time is up. */
export async function scheduler(_event: unknown, context: Call): Promise<Dispatched> {
  const home = await awsHome()
  return guarded(home, 'schedule', async () => {
    // Once for each process: overdue events are only expected after an outage.
    if (reportedFor !== home) await reportOverdue(home)
    reportedFor = home
    return reportRun(home, { of: 'scheduler', runId: context.awsRequestId }, async () => {
      await home.drain(untilOf(home, context))
      return logDispatched(home, await dispatchUntil(await dispatcher(home), runOf(home, context)))
    })
  })
}

let reportedFor: AwsHome | null = null

const dispatcher = /* @__PURE__ */ keptFor(async (home) =>
  dispatchDepsOf(home, createSqsQueue(await sqsOf(process.env))),
)

function runOf(home: AwsHome, context: Call): DispatchSettings {
  return dispatchSettingsOf(home, { claimedBy: context.awsRequestId, until: untilOf(home, context) })
}

function logDispatched({ logger }: AwsHome, dispatched: Dispatched): Dispatched {
  if (dispatched.handedOver > 0) logger.info({ count: dispatched.handedOver }, 'Events handed to the queue')
  return dispatched
}

/** Delivers a batch from the queue. SQS redelivers the messages listed in the response. */
export async function worker(event: SQSEvent, context: Call): Promise<SQSBatchResponse> {
  const { home, received } = await consume(event, context, 'work')
  const error = new Error('The message does not name an event.')
  for (const messageId of received.unreadable)
    home?.telemetry({ kind: 'error', operation: 'read-message', error, retryInMs: null, messageId })
  return { batchItemFailures: [...received.again, ...received.unreadable].map(asFailure) }
}

/** Fails the events of dead letters. A message that does not name an event was logged by `worker`, and is dropped. */
export async function deadLetters(event: SQSEvent, context: Call): Promise<SQSBatchResponse> {
  const { received } = await consume(event, context, 'deadLetter')
  return { batchItemFailures: received.again.map(asFailure) }
}

async function consume(
  { Records }: SQSEvent,
  context: Call,
  how: keyof QueueConsumer,
): Promise<{ home: AwsHome | null; received: Received }> {
  const records = Records.map(({ messageId, receiptHandle, body, attributes }) => {
    return { messageId, receiptHandle, body, receives: Number(attributes.ApproximateReceiveCount) }
  })
  const home = await awsHomeIfUp()
  if (home instanceof StoreUnavailableError) return { home: null, received: await retryLater(records, home) }
  const until = untilOf(home, context)
  const received = await consumeSqs(await sqsOf(process.env), records, (messages) =>
    queueWorker(home)[how](messages, until),
  )
  await home.rest()
  return { home, received }
}

/**
 * The batch of a function that cannot open the database. A call that throws would come back after the visibility timeout, and
 * use up all receives before the lease expires: the events would fail because of the outage.
 */
async function retryLater(records: readonly SqsRecord[], error: StoreUnavailableError): Promise<Received> {
  const { leaseMs, logLevel } = readAwsConfig(process.env)
  const retryMs = retryAfter(leaseMs)
  const attempt = Math.max(...records.map(({ receives }) => receives))
  const log = logTelemetry(createLogger(logLevel))
  log({ kind: 'waiting', database: databaseAddress(), attempt, retryInMs: retryMs(attempt), error })
  return consumeSqs(await sqsOf(process.env), records, async (messages) =>
    messages.map(({ receives }) => ({ kind: 'retry', delayMs: retryMs(receives) })),
  )
}

const queueWorker = /* @__PURE__ */ keptFor((home) =>
  createQueueConsumer(engineDepsOf(home), consumerSettingsOf(home)),
)

function asFailure(itemIdentifier: string): { itemIdentifier: string } {
  return { itemIdentifier }
}

export type Recovered = Overdue & { handedOver: number; pruned: number }

/**
 * Run it after a deployment, after an outage, or every hour. Replans timezones whose rules changed, reports and queues
 * overdue events, and removes history older than PRUNE_AFTER.
 */
export async function recovery(_event: unknown, context: Call): Promise<Recovered> {
  const home = await awsHome()
  return guarded(home, 'recover', async () => {
    return reportRun(home, { of: 'recovery', runId: context.awsRequestId }, async () => {
      await replanIfNewer({ ...home, onPlanned: () => {} })
      const overdue = await reportOverdue(home)
      const { handedOver } = logDispatched(home, await dispatch(await dispatcher(home), runOf(home, context)))
      return { ...overdue, handedOver, pruned: await prune(home, untilOf(home, context)) }
    })
  })
}

/** Stops when the time is up; the next call continues. */
async function prune({ store, clock, telemetry, keepMs, config }: AwsHome, until: number): Promise<number> {
  await foldUsers(store, () => clock.now() >= until)
  await removeExpired({ store, clock })
  await pruneAudit({ store, clock, telemetry }, clock.now() - config.auditRetentionMs, null)
  if (keepMs === null) return 0
  return pruneHistory(store, clock.now() - keepMs, { isTimeUp: () => clock.now() >= until })
}
