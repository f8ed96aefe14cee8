// Checks the settings against the database: API keys, signing, and the stored channels.

import { isActive } from '../../domain/access/api-key.ts'
import { isLoopback } from '../../domain/access/ip-address.ts'
import { createIds } from '../../domain/events/uuid.ts'
import {
  type ChannelRecord,
  ENVIRONMENT_CHANNEL,
  environmentDifference,
  withoutQuery,
} from '../../domain/settings/channel.ts'
import type { Config } from '../../runtimes/config/config.ts'
import type { Database } from '../../runtimes/node/database.ts'
import { isKeyFileDenied } from '../../runtimes/node/server-config.ts'
import { channelsOf, environmentOf } from '../../runtimes/shared/channels.ts'
import { type Check, fail, ok, warn } from './check.ts'
import { checkChannels } from './check-channels.ts'

export async function checkSettings(config: Config, { store, clock }: Database): Promise<Check[]> {
  const deps = channelsOf(config, { store, clock, ids: createIds(Math.random) })
  const channels = await store.listChannels()
  return [
    await checkKeys(config, { store, clock }),
    ...checkSigning(config),
    ...checkEnvironment(config, channels),
    ...(isKeyFileDenied(config) ? [KEY_FILE_DENIED] : await checkChannels(deps, channels)),
  ]
}

const KEY_FILE_DENIED = warn(
  'secrets',
  'This user cannot read the key file beside the SQLite file: the channels were not checked.',
  'Run terce doctor as the user of the server.',
)

async function checkKeys(
  config: Config,
  { store, clock }: Pick<Database, 'store' | 'clock'>,
): Promise<Check> {
  const stored = await store.listApiKeys()
  const active = stored.filter((key) => isActive(key, clock.now())).length + config.apiKeys.length
  const { host } = config
  if (stored.length + config.apiKeys.length > 0)
    return active > 0
      ? ok('access', `${active} active API ${active === 1 ? 'key' : 'keys'}.`)
      : warn(
          'access',
          'All API keys are revoked or expired: every call is rejected.',
          'Run terce keys create.',
        )
  if (isLoopback(host)) return ok('access', 'No API key: this machine only.')
  const remedy =
    'Run terce keys create --name first --scope admin, or set TERCE_API_KEYS. Terce does not start without a key.'
  return fail('access', `HOST=${host} is open to the network and there is no API key.`, remedy)
}

function checkSigning({ webhookUrl, webhookSecrets }: Config): Check[] {
  if (webhookUrl === null) return []
  if (webhookSecrets.length > 0) return [ok('signing', 'Messages to WEBHOOK_URL are signed.')]
  const text = 'Messages to WEBHOOK_URL are not signed: the receiver cannot verify where they come from.'
  return [warn('signing', text, 'Set WEBHOOK_SECRET here and at the receiver. See docs/webhooks.md.')]
}

/** The process that starts last decides about the channel of WEBHOOK_URL. */
function checkEnvironment(config: Config, channels: readonly ChannelRecord[]): Check[] {
  const environment = environmentOf(config)
  const stored = channels.find(({ id }) => id === ENVIRONMENT_CHANNEL)
  if (environment === null || stored?.settings.kind !== 'webhook') return []
  const what = environmentDifference(stored, environment)
  if (what === null) return []
  const remedy = 'Give every process one WEBHOOK_URL and one WEBHOOK_SECRET, and restart them.'
  const text =
    what === 'url'
      ? `WEBHOOK_URL here is ${withoutQuery(environment.url)}, but the process that started last delivers to ${withoutQuery(stored.settings.url)}, and so do all others.`
      : 'WEBHOOK_SECRET here differs from the one of the process that started last.'
  return [warn('environment', text, remedy)]
}
