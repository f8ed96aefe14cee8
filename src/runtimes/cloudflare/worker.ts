// The Cloudflare Worker: serves the API, queues due events every minute, and delivers queued events. D1 holds all state.
import { pruneAudit } from '../../app/access/audit.ts'
import { removeExpired } from '../../app/access/expiry.ts'
import { keepEnvironmentChannel } from '../../app/channels/environment-channel.ts'
import { replan } from '../../app/timezones/replan.ts'
import { foldUsers } from '../../app/users/fold-users.ts'
import { dispatchUntil } from '../../engine/queue/dispatcher.ts'
import { dispatchSettingsOf, guarded, reportRun } from '../serverless.ts'
import { type CloudflareApp, makeApp } from './app.ts'
import { type Batch, consumeBatch, retryLater } from './consume.ts'
import { type Env, makeParts, type Parts } from './parts.ts'
import { ifSetUp, NOT_SET_UP, respondNotSetUp } from './set-up.ts'

/** A run of the scheduler ends before the next begins. */
const RUN_MS = 50_000
/** Of users in each run, after an upgrade only. */
const FOLDED_BATCHES = 10

let parts: Parts | null = null
let app: CloudflareApp | null = null
let isPrepared = false

function partsOf(env: Env): Parts {
  parts ??= makeParts(env)
  return parts
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    app ??= ifSetUp(() => openApp(partsOf(env)))
    if (app === null) return respondNotSetUp()
    const response = await app.fetch(request, env)
    partsOf(env).flushLog()
    return response
  },

  /** Called every minute: queues events that are due, and events that fall due until the run ends. */
  async scheduled({ scheduledTime }: { scheduledTime: number }, env: Env): Promise<void> {
    const home = ifSetUp(() => partsOf(env))
    if (home === null) throw new Error(NOT_SET_UP)
    const { clock, logger } = home
    await guarded(home, 'schedule', async () => {
      await home.checkSchema()
      await prepare(home)
      const run = { claimedBy: `cron-${crypto.randomUUID()}`, until: clock.now() + RUN_MS }
      const { handedOver } = await reportRun(home, { of: 'scheduler', runId: run.claimedBy }, () =>
        dispatchUntil(home.flow, dispatchSettingsOf(home, run)),
      )
      if (handedOver > 0) logger.info({ count: handedOver }, 'Events handed to the queue')
      let batches = FOLDED_BATCHES
      await foldUsers(home.store, () => batches-- === 0)
      await prune(home, scheduledTime)
    })
  },

  async queue(batch: Batch, env: Env): Promise<void> {
    const home = ifSetUp(() => partsOf(env))
    if (home === null) retryLater(batch)
    else await consumeBatch(home, batch)
  },
}

function openApp(home: Parts): CloudflareApp {
  return makeApp(home, async () => {
    await home.checkSchema()
    await home.store.check()
  })
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
