// What a process delivers with: the channels that are set up, that of WEBHOOK_URL, and the inbox while there is neither.
import { randomBytes } from 'node:crypto'
import type { ChannelsDeps } from '../app/channels/channels.ts'
import { keepEnvironmentChannel } from '../app/channels/environment-channel.ts'
import { createWebhook } from '../channels/webhook/webhook.ts'
import type { Ids } from '../domain/events/uuid.ts'
import { createDestinations, type Destination, type Destinations } from '../engine/sending/destinations.ts'
import type { Channel } from '../ports/channel.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import { traceChannel } from '../telemetry/traces.ts'
import { createChannelKit } from './channels.ts'
import type { Config } from './config/config.ts'
import { createVault } from './config/vault.ts'

export const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`

type Deps = { store: Store; clock: Clock; telemetry: Telemetry; ids: Ids }

/** What setting up channels takes. */
export function channelsOf(config: Config, { store, clock, ids }: Omit<Deps, 'telemetry'>): ChannelsDeps {
  const vault = config.secretKey === null ? null : createVault(config.secretKey)
  const kit = createChannelKit(clock, vault, {
    timeoutMs: config.webhookTimeoutMs,
    mailTimeoutMs: config.emailTimeoutMs,
    connections: config.concurrency,
    allowPrivateTargets: config.allowPrivateTargets,
    webhookSecrets: config.webhookSecrets,
  })
  return { store, clock, ids, vault, newSecret, check: kit.check, open: kit.open }
}

/** The built-in inbox: where it is, and what signs deliveries there. */
export type InboxTarget = { url: string; secrets: readonly string[] }

/** Where a worker sends; the inbox is null where there is none. */
export async function openDestinations(
  config: Config,
  deps: Deps,
  inbox: InboxTarget | null,
): Promise<Destinations> {
  const { store, clock, telemetry } = deps
  const { open } = channelsOf(config, deps)
  const url = config.webhookUrl
  await keepEnvironmentChannel(deps, url === null ? null : { url, perSecond: null, concurrency: null })
  return createDestinations({
    store,
    clock,
    telemetry,
    open: (record) => traceChannel(open(record), record.name),
    fallback: inbox === null ? nowhere() : inboxOf(config, clock, inbox),
  })
}

function inboxOf(config: Config, clock: Clock, { url, secrets }: InboxTarget): Destination {
  const { webhookTimeoutMs: timeoutMs, concurrency: connections } = config
  // Ours, wherever it listens: it is known by who it is, not by its address.
  const channel = createWebhook(clock, { url, timeoutMs, connections, secrets, guard: 'any' })
  return fallback('inbox', traceChannel(channel, 'inbox'))
}

/** A worker may start before anybody has set up a channel: its events wait. */
function nowhere(): Destination {
  const error = 'NO_CHANNEL: no channel is the default. Set one up, or set WEBHOOK_URL.'
  return fallback('nowhere', {
    deliver: async () => ({ kind: 'transient', error, statusCode: null }),
    close: async () => {},
  })
}

function fallback(name: string, channel: Channel): Destination {
  const limits = { perSecond: null, concurrency: null }
  return { id: name, name, kind: 'webhook', status: 'ACTIVE', limits, channel }
}
