// Checks the settings against the database: API keys, signing, and whether channel secrets can be decrypted.

import { createIds } from '../../domain/events/uuid.ts'
import {
  activeSecrets,
  type ChannelRecord,
  ENVIRONMENT_CHANNEL,
  environmentDifference,
  placeOfSecrets,
  withoutQuery,
} from '../../domain/settings/channel.ts'
import { isLoopback } from '../../http/server/auth.ts'
import type { Config } from '../../runtimes/config/config.ts'
import { channelsOf, environmentOf } from '../../runtimes/node/channels.ts'
import type { Database } from '../../runtimes/node/database.ts'
import { type Check, fail, ok, warn } from './check.ts'

type Channels = ReturnType<typeof channelsOf>

export async function checkSettings(config: Config, { store, clock }: Database): Promise<Check[]> {
  const { open, vault } = channelsOf(config, { store, clock, ids: createIds(Math.random) })
  const channels = await store.listChannels()
  const sealed = channels.filter((channel) => activeSecrets(channel, clock.now()).length > 0)
  const broken = await Promise.all(sealed.map((channel) => checkSecrets(channel, open)))
  return [
    await checkKeys(config, { store }),
    ...checkSigning(config),
    ...checkEnvironment(config, channels),
    ...broken.filter((check) => check !== null),
    ...checkSealing(sealed, vault, clock.now()),
  ]
}

async function checkKeys(config: Config, { store }: Pick<Database, 'store'>): Promise<Check> {
  const stored = await store.listApiKeys()
  const active = stored.filter(({ revokedAt }) => revokedAt === null).length + config.apiKeys.length
  const { host } = config
  if (stored.length + config.apiKeys.length > 0)
    return active > 0
      ? ok('access', `${active} active API ${active === 1 ? 'key' : 'keys'}.`)
      : warn('access', 'All API keys are revoked: every call is rejected.', 'Run terce keys create.')
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

const AGES = [
  [
    'previous-key',
    'with the previous key',
    'Run terce keys reseal, then remove the previous key from TERCE_SECRET_KEY.',
  ],
  [
    'earlier-form',
    'in the form of an earlier release',
    'Run terce keys reseal, which binds each secret to its channel.',
  ],
] as const

/** A warning for each kind of secret that should be encrypted anew. */
function checkSealing(channels: readonly ChannelRecord[], vault: Channels['vault'], now: number): Check[] {
  if (vault === null) return []
  const readable = channels.filter(
    (channel) => channel.id !== ENVIRONMENT_CHANNEL && canOpen(channel, vault, now),
  )
  return AGES.flatMap(([age, how, remedy]) => {
    const names = readable
      .filter((channel) => activeSecrets(channel, now).some(({ sealed }) => vault.ageOf(sealed) === age))
      .map(({ name }) => name)
    if (names.length === 0) return []
    const channels = names.length === 1 ? '1 channel' : `${names.length} channels`
    return [warn('secrets', `The secrets of ${channels} are encrypted ${how}: ${names.join(', ')}.`, remedy)]
  })
}

/** Another check reports secrets that no key opens. */
function canOpen(channel: ChannelRecord, vault: NonNullable<Channels['vault']>, now: number): boolean {
  try {
    for (const { sealed } of activeSecrets(channel, now)) vault.open(sealed, placeOfSecrets(channel))
    return true
  } catch {
    return false
  }
}

/** Null if the secrets can be decrypted. */
async function checkSecrets(channel: ChannelRecord, open: Channels['open']): Promise<Check | null> {
  try {
    await open(channel).close()
    return null
  } catch (error) {
    const text = `Cannot send to "${channel.name}": ${(error as Error).message}`
    return fail('secrets', text, 'Set TERCE_SECRET_KEY to the key that its secrets were encrypted with.')
  }
}
