// The channels of a Node process: the stored ones, the channel of WEBHOOK_URL, or the built-in inbox if there is neither.
import type { ChannelsDeps } from '../../app/channels/channels.ts'
import { keepEnvironmentChannel } from '../../app/channels/environment-channel.ts'
import { createNodeDial, type NodeDial, type Resolve } from '../../channels/dial/node-dial.ts'
import { loadNodemailer } from '../../channels/email/nodemailer.ts'
import { createSmtp } from '../../channels/email/smtp.ts'
import { createChannelFactory } from '../../channels/factory.ts'
import type { ChannelAdapters } from '../../channels/kinds.ts'
import { createWebhook } from '../../channels/webhook/webhook.ts'
import type { Ids } from '../../domain/events/uuid.ts'
import { MissingPackageError } from '../../domain/optional-package.ts'
import {
  type ChannelKind,
  type Environment,
  INBOX_CHANNEL,
  NO_LIMITS,
} from '../../domain/settings/channel.ts'
import { createDestinations, type Destination, type Destinations } from '../../engine/deliver/destinations.ts'
import { NO_DESTINATION } from '../../engine/deliver/no-destination.ts'
import type { Clock } from '../../ports/clock.ts'
import type { DestinationStore, SettingsStore } from '../../ports/store.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import { traceChannel } from '../../telemetry/traces.ts'
import type { Config } from '../config/config.ts'
import { createVault, newSecret } from '../config/vault.ts'

type Deps = { store: SettingsStore & DestinationStore; clock: Clock; telemetry: Telemetry; ids: Ids }

export function nodeAdapters(
  clock: Clock,
  { connections, resolve }: { connections: number; resolve?: Resolve },
): ChannelAdapters<NodeDial> {
  return {
    dial: (guard) => createNodeDial(guard, resolve),
    webhook: (dial, settings) => createWebhook({ clock, dial }, { ...settings, connections }),
    smtp: (dial, settings) => createSmtp({ clock, dial }, settings),
  }
}

/** Which optional package channels of this kind need, and how to install it; null if it is installed. */
export async function missingPackage(kind: ChannelKind): Promise<string | null> {
  try {
    if (kind === 'smtp') await loadNodemailer()
    return null
  } catch (error) {
    if (error instanceof MissingPackageError) return error.message
    throw error
  }
}

export function channelsOf(config: Config, { store, clock, ids }: Omit<Deps, 'telemetry'>): ChannelsDeps {
  const vault = config.secretKeys === null ? null : createVault(config.secretKeys)
  const adapters = nodeAdapters(clock, { connections: config.concurrency })
  const factory = createChannelFactory({ clock, vault, adapters }, config)
  return { store, clock, ids, vault, newSecret, ...factory }
}

/** The built-in inbox: its URL, and the secrets that sign deliveries to it. */
export type InboxTarget = { url: string; secrets: readonly string[] }

/** Where events without a channel go: the inbox while no channel is the default, or always the handlers of the process. */
export type OwnTargets = { inbox?: InboxTarget | null; handlers?: Destination | null }

/** Opens the destinations of a worker. */
export async function openDestinations(
  config: Config,
  deps: Deps,
  { inbox = null, handlers = null }: OwnTargets = {},
): Promise<Destinations> {
  const { store, clock, telemetry } = deps
  const { open } = channelsOf(config, deps)
  const environment = environmentOf(config)
  await keepEnvironmentChannel(deps, environment)
  return createDestinations({
    store,
    clock,
    telemetry,
    open: (record) => traceChannel(open(record), record.name),
    environment,
    fallback: inbox === null ? NO_DESTINATION : inboxOf(config, clock, inbox),
    handlers,
  })
}

export function environmentOf({ webhookUrl: url, webhookSecrets: secrets }: Config): Environment | null {
  return url === null ? null : { url, secrets }
}

function inboxOf(config: Config, clock: Clock, { url, secrets }: InboxTarget): Destination {
  const { webhookTimeoutMs: timeoutMs, concurrency: connections } = config
  // The built-in inbox may listen on a private address.
  const dial = createNodeDial('any')
  const channel = createWebhook({ clock, dial }, { url, timeoutMs, connections, secrets })
  return {
    id: INBOX_CHANNEL,
    name: 'inbox',
    kind: 'webhook',
    status: 'ACTIVE',
    limits: NO_LIMITS,
    channel: traceChannel(channel, 'inbox'),
  }
}
