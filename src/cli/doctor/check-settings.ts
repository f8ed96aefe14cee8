// Looks at settings against the database that they are for: who is let in, and whether secrets can be used.

import { createIds } from '../../domain/events/uuid.ts'
import { activeSecrets, type ChannelRecord } from '../../domain/settings/channel.ts'
import { isLoopback } from '../../http/server/auth.ts'
import type { Config } from '../../runtimes/config/config.ts'
import { channelsOf } from '../../runtimes/deliveries.ts'
import type { Database } from '../../runtimes/node/database.ts'
import { type Check, fail, ok, warn } from './check.ts'

export async function checkSettings(config: Config, { store, clock }: Database): Promise<Check[]> {
  const { open } = channelsOf(config, { store, clock, ids: createIds(Math.random) })
  const channels = await store.listChannels()
  const sealed = channels.filter((channel) => activeSecrets(channel, clock.now()).length > 0)
  const broken = await Promise.all(sealed.map((channel) => checkSecrets(channel, open)))
  return [
    await checkKeys(config, { store }),
    ...checkSigning(config),
    ...broken.filter((check) => check !== null),
  ]
}

async function checkKeys(config: Config, { store }: Pick<Database, 'store'>): Promise<Check> {
  const stored = await store.listApiKeys()
  const inForce = stored.filter(({ revokedAt }) => revokedAt === null).length + config.apiKeys.length
  const { host } = config
  if (stored.length + config.apiKeys.length > 0)
    return inForce > 0
      ? ok('access', `${inForce} ${inForce === 1 ? 'key is' : 'keys are'} in force.`)
      : warn('access', 'All keys are revoked: nobody can call.', 'Make one with terce keys create.')
  if (isLoopback(host)) return ok('access', 'There is no API key: only this machine may call.')
  const remedy =
    'Run terce keys create --name first --scope admin, or set TERCE_API_KEYS. It does not start without.'
  return fail('access', `HOST=${host} would let anybody in: there is no API key.`, remedy)
}

function checkSigning({ webhookUrl, webhookSecrets }: Config): Check[] {
  if (webhookUrl === null) return []
  if (webhookSecrets.length > 0) return [ok('signing', 'What goes to WEBHOOK_URL is signed.')]
  const text = 'What goes to WEBHOOK_URL is not signed: its receiver cannot tell it from what others post.'
  return [warn('signing', text, 'Set WEBHOOK_SECRET, there and here. docs/webhooks.md tells how.')]
}

/** Null if all is well. */
async function checkSecrets(
  channel: ChannelRecord,
  open: ReturnType<typeof channelsOf>['open'],
): Promise<Check | null> {
  try {
    await open(channel).close()
    return null
  } catch (error) {
    const text = `Nothing can be sent to "${channel.name}": ${(error as Error).message}`
    return fail('secrets', text, 'Set TERCE_SECRET_KEY to the key that its secrets were sealed under.')
  }
}
