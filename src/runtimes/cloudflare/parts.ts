// Builds the dependencies of an isolate at its first call: outside of a call a Worker has neither a clock nor randomness.
import { waitUntil } from 'cloudflare:workers'
import type { ChannelsDeps } from '../../app/channels/channels.ts'
import type { Dial } from '../../channels/dial/dial.ts'
import { createFetchDial } from '../../channels/dial/fetch-dial.ts'
import { createChannelFactory } from '../../channels/factory.ts'
import type { ChannelAdapters } from '../../channels/kinds.ts'
import { createFetchWebhook } from '../../channels/webhook/fetch-webhook.ts'
import { createIds } from '../../domain/events/uuid.ts'
import { createDestinations } from '../../engine/deliver/destinations.ts'
import { NO_DESTINATION } from '../../engine/deliver/no-destination.ts'
import { createCloudflareQueue, type QueueBinding } from '../../queues/cloudflare.ts'
import type { D1Database } from '../../stores/d1/binding.ts'
import { openD1Store } from '../../stores/d1/d1-store.ts'
import { countQueries } from '../../stores/d1/query-count.ts'
import { missingColumns } from '../../stores/d1/schema-check.ts'
import { combine } from '../../telemetry/combine.ts'
import { createDataPoints, type Dataset } from '../../telemetry/data-points.ts'
import { limitLines } from '../../telemetry/limit-lines.ts'
import { logTelemetry } from '../../telemetry/log.ts'
import { ConfigError, readConfig } from '../config/config.ts'
import { createVault, newSecret } from '../config/vault.ts'
import { trackBackground } from '../shared/background.ts'
import { createPing } from '../shared/heartbeat.ts'
import { reportingOf } from '../shared/reporting.ts'
import { engineDepsOf, QUEUE_LEASE_MS, type Runtime, readKeep } from '../shared/serverless.ts'
import { systemClock as clock } from '../shared/system-clock.ts'
import { createLineLogger } from './log.ts'
import type { SchedulerParts } from './schedule.ts'

/** The bindings of deploy/cloudflare/wrangler.jsonc, and the settings as text. */
export type Env = { DB: D1Database; DUE: QueueBinding; METRICS?: Dataset } & Readonly<Record<string, unknown>>

/** The dependencies that do not depend on where the events are. */
export type CloudflareRuntime = Runtime & {
  logger: ReturnType<typeof createLineLogger>
  channels: ChannelsDeps
  /** How long settled events are kept; null for ever. */
  keepMs: number | null
}

export type CloudflareParts = CloudflareRuntime &
  SchedulerParts & {
    /** Throws if the tables are not those of this release. Once they are, it does not look again. */
    checkSchema(): Promise<void>
    /** Applies changes that were enqueued by SQL. */
    drain?(): Promise<void>
  }

/** The most that a D1 database can hold. */
const MOST_BYTES = 10_000_000_000

const DEFAULTS = { LEASE_MS: String(QUEUE_LEASE_MS) }

export function makeParts(env: Env): CloudflareParts {
  requireBindings(env, ['DB', 'DUE'], 'wrangler.jsonc')
  let bytes: number | null = null
  const open = (db: D1Database) =>
    openD1Store(db, (size) => {
      bytes = size
    })
  const databaseSize = () => (bytes === null ? null : { bytes, limitBytes: MOST_BYTES })
  const runtime = makeHome(env, { store: open(env.DB), databaseSize })
  return {
    ...runtime,
    flow: { ...engineDepsOf(runtime), queue: createCloudflareQueue(env.DUE, clock) },
    openCounted() {
      const { db, count } = countQueries(env.DB)
      return { store: trackBackground(open(db), waitUntil), queries: count }
    },
    checkSchema: createSchemaCheck(() => missingColumns(env.DB), MIGRATE, runtime.logger),
  }
}

export function requireBindings(
  env: Readonly<Record<string, unknown>>,
  names: readonly string[],
  file: string,
): void {
  for (const name of names)
    if (env[name] === undefined)
      throw new ConfigError([`The binding ${name} is missing. deploy/cloudflare/${file} has it.`])
}

/** Throws a ConfigError that names every setting that is not usable. */
function readSettings(env: Readonly<Record<string, unknown>>) {
  const texts = Object.entries(env).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  const settings: Readonly<Record<string, string>> = Object.fromEntries(texts)
  return { settings, config: readConfig(settings, DEFAULTS) }
}

export function makeHome(
  env: { METRICS?: Dataset } & Readonly<Record<string, unknown>>,
  own: Pick<Runtime, 'store' | 'databaseSize'> & { keepAlive?: (call: Promise<unknown>) => void },
): CloudflareRuntime {
  const { settings, config } = readSettings(env)
  // biome-ignore lint/suspicious/noConsole: the log of a Worker is its console
  const logger = createLineLogger(config.logLevel, (line) => console.log(line))
  const { logAttempts: attempts } = config
  const lines = limitLines(logTelemetry(logger), { clock, attempts })
  const points = env.METRICS === undefined ? null : createDataPoints(env.METRICS)
  const telemetry = points === null ? lines : combine(lines, points.telemetry)
  // Without waitUntil, the runtime cancels these calls when the event that started them ends.
  const store = trackBackground(own.store, own.keepAlive ?? waitUntil)
  const planner = { ids: createIds(Math.random), table: config.timezoneTable }
  const vault = config.secretKeys === null ? null : createVault(config.secretKeys)
  const factory = createChannelFactory({ clock, vault, adapters }, config)
  const destinations = createDestinations({
    store,
    clock,
    telemetry,
    open: factory.open,
    environment:
      config.webhookUrl === null ? null : { url: config.webhookUrl, secrets: config.webhookSecrets },
    fallback: NO_DESTINATION,
  })
  const dice = Math.random
  // The operator chose the addresses: they may be private ones.
  const dial = adapters.dial('any')
  const runtime: Runtime = {
    config,
    store,
    clock,
    dice,
    planner,
    telemetry,
    flushMetrics: () => points?.flush(),
    ping: createPing(dial, config.heartbeatUrl),
    reporting: reportingOf(config, { store, open: factory.open }),
    databaseSize: own.databaseSize,
    destinations,
  }
  return {
    ...runtime,
    logger,
    channels: { store, clock, ids: planner.ids, vault, newSecret, ...factory },
    keepMs: readKeep(settings.PRUNE_AFTER),
  }
}

const MIGRATE = 'npx wrangler d1 migrations apply terce --remote -c deploy/cloudflare/wrangler.jsonc'

/** `migrate` is the command that applies migrations. */
export function createSchemaCheck(
  missing: () => Promise<string[]>,
  migrate: string,
  logger: CloudflareParts['logger'],
): () => Promise<void> {
  let fits = false
  return async () => {
    if (fits) return
    const [first, ...others] = await missing()
    fits = first === undefined
    if (fits) return
    const more = others.length === 0 ? '' : ` and ${others.length} more columns`
    const message = `The database lacks ${first}${more}. Apply the migrations of this release: ${migrate}`
    logger.error(message)
    throw new ConfigError([message])
  }
}

/** A Worker sends with `fetch` only. It has no sockets, and so no SMTP. */
const adapters: ChannelAdapters<Dial> = {
  dial: (guard) => createFetchDial((url, init) => fetch(url, init), guard),
  webhook: (dial, settings) => createFetchWebhook({ clock, dial }, settings),
  smtp: null,
}
