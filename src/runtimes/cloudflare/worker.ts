// The Cloudflare Worker: serves the API, queues due events every minute, and delivers queued events. D1 holds all state.
import { createKeyring, type Keyring } from '../../app/access/api-keys.ts'
import { createAudit, pruneAudit } from '../../app/access/audit.ts'
import { removeExpired } from '../../app/access/expiry.ts'
import { createSessions, type Sessions } from '../../app/access/sessions.ts'
import { keepEnvironmentChannel } from '../../app/channels/environment-channel.ts'
import { createReadiness } from '../../app/readiness.ts'
import { replan } from '../../app/timezones/replan.ts'
import { foldUsers } from '../../app/users/fold-users.ts'
import { createQueueConsumer, type QueueConsumer } from '../../engine/queue/consumer.ts'
import { dispatchUntil } from '../../engine/queue/dispatcher.ts'
import { createApp } from '../../http/app.ts'
import { createGuessLimiter } from '../../http/server/caller/guess-limit.ts'
import { createRateLimiter } from '../../http/server/rate-limit.ts'
import { type CloudflareMessage, consumeCloudflare } from '../../queues/cloudflare.ts'
import { ConfigError } from '../config/config.ts'
import { keysOf, randomToken } from '../node/access.ts'
import { consumerSettingsOf, dispatchSettingsOf, reportRun } from '../serverless.ts'
import { type Env, makeParts, type Parts } from './parts.ts'
import { bundledWebFiles } from './web-files.ts'

/** Defined by scripts/build-cloudflare.ts. */
declare const TERCE_VERSION: string | undefined
const VERSION = typeof TERCE_VERSION === 'undefined' ? 'unbuilt' : TERCE_VERSION

/** A run of the scheduler ends before the next begins. */
const RUN_MS = 50_000
/** Of users in each run, after an upgrade only. */
const FOLDED_BATCHES = 10
/** The time for a batch of a hundred, six at a time. Events not started by then are released. */
const CONSUME_MS = 120_000
/** The platform makes further calls wait, while their deadline runs. */
const MOST_CONNECTIONS = 6

let parts: Parts | null = null
let app: ReturnType<typeof createApp> | null = null
let isPrepared = false
const idle: QueueConsumer[] = []

function partsOf(env: Env): Parts {
  parts ??= makeParts(env)
  return parts
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    try {
      app ??= makeApp(partsOf(env))
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      // biome-ignore lint/suspicious/noConsole: there is no logger yet
      console.error(error.message)
      return new Response('Terce is not set up. Its log says what is missing.\n', { status: 500 })
    }
    const response = await app.fetch(request, env)
    partsOf(env).flushLog()
    return response
  },

  /** Called every minute: queues events that are due, and events that fall due until the run ends. */
  async scheduled({ scheduledTime }: { scheduledTime: number }, env: Env): Promise<void> {
    const home = partsOf(env)
    const { clock, logger, telemetry } = home
    try {
      await prepare(home)
      const run = { claimedBy: `cron-${crypto.randomUUID()}`, until: clock.now() + RUN_MS }
      const { handedOver } = await reportRun(home, { of: 'scheduler', runId: run.claimedBy }, () =>
        dispatchUntil(home.flow, dispatchSettingsOf(home, run)),
      )
      if (handedOver > 0) logger.info({ count: handedOver }, 'Events handed to the queue')
      let batches = FOLDED_BATCHES
      await foldUsers(home.store, () => batches-- === 0)
      await prune(home, scheduledTime)
    } catch (error) {
      telemetry({ kind: 'error', operation: 'schedule', error, retryInMs: 60_000 })
      throw error
    } finally {
      home.flushLog()
    }
  },

  /** Delivers a batch, or fails the events of dead letters. */
  async queue(batch: { queue: string; messages: readonly CloudflareMessage[] }, env: Env): Promise<void> {
    const home = partsOf(env)
    const worker = idle.pop() ?? makeWorker(home)
    const consume = batch.queue.endsWith('-dead') ? worker.deadLetter : worker.work
    const until = home.clock.now() + CONSUME_MS
    const { unreadable } = await consumeCloudflare(batch.messages, (messages) => consume(messages, until))
    if (unreadable > 0) home.logger.error({ count: unreadable }, 'Dropped messages that do not name an event')
    idle.push(worker)
    home.flushLog()
  },
}

/** Works on one batch at a time; several run at once. Kept between batches because it knows which destinations are down. */
function makeWorker(home: Parts): QueueConsumer {
  const settings = consumerSettingsOf(home)
  const concurrency = Math.min(settings.concurrency, MOST_CONNECTIONS)
  return createQueueConsumer(home.flow, { ...settings, concurrency })
}

/** Runs once in an isolate, before its first claim. An error does not stop the run; the next run retries. */
async function prepare(home: Parts): Promise<void> {
  if (isPrepared) return
  const { config, store, clock, telemetry } = home
  const { webhookUrl: url, webhookSecrets: secrets } = config
  try {
    await keepEnvironmentChannel({ store, clock, telemetry }, url === null ? null : { url, secrets })
    await replan({ ...home, onPlanned: () => {} }, { dryRun: false, recheckMs: RECHECK_MS })
    isPrepared = true
  } catch (error) {
    telemetry({ kind: 'error', operation: 'prepare', error, retryInMs: 60_000 })
  }
}

/**
 * Shorter than on Node: isolates start all day, so a month would mean a check every minute. After an hour no isolate of the
 * previous release is left.
 */
const RECHECK_MS = 3_600_000

/** Removes what has expired, and a part of the old history, once an hour. */
async function prune(
  { store, clock, telemetry, keepMs, config }: Parts,
  scheduledTime: number,
): Promise<void> {
  if (new Date(scheduledTime).getUTCMinutes() !== PRUNE_MINUTE) return
  await removeExpired({ store, clock })
  await pruneAudit({ store, clock, telemetry }, scheduledTime - config.auditRetentionMs, null)
  if (keepMs === null) return
  await store.prune({ before: scheduledTime - keepMs, limit: PRUNE_LIMIT })
}

const PRUNE_MINUTE = 30
const PRUNE_LIMIT = 5_000

function makeApp({ config, store, clock, planner, telemetry, channels }: Parts) {
  const { deliverAt, notAfter, quietHours, rateLimit, publicUrl, trustedProxies } = config
  const keyring = freshKeyring(() => createKeyring({ store, clock, telemetry }, config.apiKeys))
  const sessionsDeps = { store, clock, telemetry, keyring, ids: planner.ids, newToken: randomToken }
  return createApp({
    // The next run finds events planned for the next minute.
    users: {
      store,
      planner,
      clock,
      telemetry,
      deliverAt,
      notAfter,
      quietHours,
      onDemand: true,
      onPlanned: () => {},
    },
    inbox: null,
    keys: keysOf({ store, clock }),
    audit: createAudit({ store, clock, telemetry }, { sharesWrites: false }),
    access: {
      keyring,
      sessions: freshSessions(() => createSessions(sessionsDeps)),
      publicUrl,
      limiter: rateLimit === null ? null : createRateLimiter(clock, rateLimit),
      guesses: createGuessLimiter(clock),
      trustedProxies,
      // A Worker is on the internet: a key is always required.
      local: false,
      remoteAddress: (c) => c.req.header('cf-connecting-ip') ?? null,
    },
    web: bundledWebFiles(),
    retries: config.retryPolicy.delaysMs,
    allowSendNow: config.allowSendNow,
    settings: config.settings,
    version: VERSION,
    metrics: null,
    channels,
    ready: createReadiness(clock, () => store.check(), { sharesChecks: false }),
    onError: (error) => telemetry({ kind: 'error', operation: 'request', error, retryInMs: null }),
  })
}

/**
 * Reads the keys for each request. Requests must not share a query: the runtime cancels the query together with the request
 * that started it, and the other requests would wait for ever.
 */
function freshKeyring(make: () => Keyring): Keyring {
  return {
    check: (key) => make().check(key),
    keyOfSession: (sessionKey) => make().keyOfSession(sessionKey),
    forget() {},
  }
}

/** Reads the sessions for each request with a cookie, for the same reason. */
function freshSessions(make: () => Sessions): Sessions {
  return {
    check: (token) => make().check(token),
    open: (key, userAgent) => make().open(key, userAgent),
    list: () => make().list(),
    revoke: (id) => make().revoke(id),
  }
}
