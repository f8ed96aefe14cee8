// The channels that a Worker can open: whatever `fetch` reaches. It has no sockets, and so no SMTP.

import type { ChannelsDeps } from '../../app/channels/channels.ts'
import { ENVIRONMENT_CHANNEL } from '../../app/channels/environment-channel.ts'
import { parseMailSender } from '../../channels/email/mail-sender.ts'
import { createMailApi } from '../../channels/email/provider.ts'
import { resend } from '../../channels/email/resend.ts'
import { createFetchWebhook } from '../../channels/webhook/fetch-webhook.ts'
import { checkTarget } from '../../channels/webhook/target.ts'
import type { FieldProblem } from '../../domain/errors.ts'
import { activeSecrets, type ChannelRecord, type ChannelSettings } from '../../domain/settings/channel.ts'
import type { Destination } from '../../engine/sending/destinations.ts'
import type { Channel } from '../../ports/channel.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Vault } from '../../ports/vault.ts'
import { parseSecret, SECRET_REMEDY } from '../../receiver/secret.ts'
import type { Config } from '../config/config.ts'

type Kit = Pick<ChannelsDeps, 'check' | 'open'>

const NO_SMTP = 'A Worker cannot speak SMTP. Use a provider with an HTTP API: a channel of kind resend.'

export function createWorkerKit(clock: Clock, vault: Vault | null, config: Config): Kit {
  const deps = { clock, fetch: (url: string, init: RequestInit) => fetch(url, init) }
  const allowPrivate = config.allowPrivateTargets

  function open(record: ChannelRecord): Channel {
    const { settings } = record
    const fromEnvironment = record.id === ENVIRONMENT_CHANNEL
    const secrets = fromEnvironment ? config.webhookSecrets : unsealed(record)
    switch (settings.kind) {
      case 'webhook': {
        const { webhookTimeoutMs: timeoutMs } = config
        // Who runs Terce may send where they like; who calls its API may not.
        const guard = fromEnvironment || allowPrivate ? 'any' : 'public'
        return createFetchWebhook(deps, { url: settings.url, timeoutMs, secrets, guard })
      }
      case 'resend': {
        const sender = parseMailSender(settings)
        if (!sender.ok) throw new Error(sender.problems.map(({ message }) => message).join(' '))
        const provider = resend({ baseUrl: settings.baseUrl, apiKey: secrets[0] ?? '' })
        return createMailApi(deps, provider, { ...sender.value, timeoutMs: config.emailTimeoutMs })
      }
      case 'smtp':
        throw new Error(NO_SMTP)
    }
  }

  function unsealed(record: ChannelRecord): string[] {
    const sealed = activeSecrets(record, clock.now())
    if (sealed.length > 0 && vault === null)
      throw new Error('TERCE_SECRET_KEY is missing, and the secrets of this channel were sealed under it.')
    return sealed.map((secret) => vault!.open(secret.sealed))
  }

  function check(settings: ChannelSettings, secret: string | null): FieldProblem[] {
    switch (settings.kind) {
      case 'webhook': {
        const isSecret = secret === null || parseSecret(secret) !== null
        const wrong = { field: 'secret', code: 'INVALID_SECRET', message: SECRET_REMEDY }
        return [...checkUrl('url', settings.url), ...(isSecret ? [] : [wrong])]
      }
      case 'resend': {
        const sender = parseMailSender(settings)
        return [...checkUrl('baseUrl', settings.baseUrl), ...(sender.ok ? [] : sender.problems)]
      }
      case 'smtp':
        return [{ field: 'kind', code: 'UNSUPPORTED', message: NO_SMTP }]
    }
  }

  function checkUrl(field: string, url: string): FieldProblem[] {
    const checked = checkTarget(url, { allowPrivate })
    return checked.kind === 'ok' ? [] : [{ field, code: 'FORBIDDEN_TARGET', message: checked.reason }]
  }

  return { check, open }
}

/** Before anybody has set up a channel, events wait: as with any channel that is paused, nothing is tried. */
export const NOWHERE: Destination = {
  id: 'nowhere',
  name: 'nowhere',
  kind: 'webhook',
  status: 'PAUSED',
  limits: { perSecond: null, concurrency: null },
  channel: {
    deliver: async () => ({
      kind: 'transient',
      error: 'NO_CHANNEL: no channel is the default',
      statusCode: null,
    }),
    close: async () => {},
  },
}
