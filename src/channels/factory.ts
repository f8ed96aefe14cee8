// Opens the configured channels, and checks their settings before they are saved. Every runtime passes its own adapters.
import type { FieldProblem } from '../domain/errors.ts'
import {
  activeSecrets,
  type ChannelRecord,
  type ChannelSettings,
  ENVIRONMENT_CHANNEL,
  type MailSettings,
} from '../domain/settings/channel.ts'
import type { Channel } from '../ports/channel.ts'
import type { Clock } from '../ports/clock.ts'
import type { Vault } from '../ports/vault.ts'
import { parseSecret, SECRET_REMEDY } from '../receiver/secret.ts'
import { checkTarget } from './dial/target.ts'
import { type MailSender, parseMailSender } from './email/mail-sender.ts'
import { createMailApi } from './email/provider.ts'
import { resend } from './email/resend.ts'
import { parseSmtpUrl, type SmtpServer } from './email/smtp-url.ts'
import type { Fetch, FetchWebhookSettings } from './webhook/fetch-webhook.ts'

type Smtp = MailSender & { server: SmtpServer; timeoutMs: number; connections: number }

/** What differs between the runtimes. */
export type ChannelAdapters = {
  webhook: (settings: FetchWebhookSettings) => Channel
  /** Null where there are no sockets. */
  smtp: ((settings: Smtp) => Channel) | null
  /** Calls the HTTP APIs of mail providers. */
  fetch: Fetch
}

export type ChannelFactory = {
  /** What is wrong with the settings of a channel, or with a new secret. */
  check: (settings: ChannelSettings, secret: string | null) => FieldProblem[]
  /** Throws if the settings or the secrets cannot be used. */
  open: (record: ChannelRecord) => Channel
}

export type ChannelFactorySettings = {
  webhookTimeoutMs: number
  /** Longer than for a webhook: a mail aborted after its text was sent may arrive twice. */
  emailTimeoutMs: number
  allowPrivateTargets: boolean
  /** Sign deliveries to WEBHOOK_URL. */
  webhookSecrets: readonly string[]
}

/** Mail servers limit connections; a few busy ones carry more than many. */
const SMTP_CONNECTIONS = 5

const NO_SMTP = 'This runtime has no SMTP. Use a provider with an HTTP API: a channel of kind resend.'
const SMTP_REMEDY = 'Give smtp://user:password@host:port or smtps://…'

export function createChannelFactory(
  deps: { clock: Clock; vault: Vault | null; adapters: ChannelAdapters },
  config: ChannelFactorySettings,
): ChannelFactory {
  const { clock, vault, adapters } = deps
  const { emailTimeoutMs: timeoutMs, allowPrivateTargets: allowPrivate } = config

  function open(record: ChannelRecord): Channel {
    const { settings } = record
    const fromEnvironment = record.id === ENVIRONMENT_CHANNEL
    const secrets = fromEnvironment ? config.webhookSecrets : unsealed(record)
    switch (settings.kind) {
      case 'webhook':
        return adapters.webhook({
          url: settings.url,
          timeoutMs: config.webhookTimeoutMs,
          secrets,
          // An operator may send to any host, a caller of the API only to public ones.
          guard: fromEnvironment || allowPrivate ? 'any' : 'public',
        })
      case 'smtp': {
        if (adapters.smtp === null) throw new Error(NO_SMTP)
        const server = parseSmtpUrl(secrets[0] ?? '')
        if (server === null) throw new Error('The address of the SMTP server cannot be read.')
        const connections = settings.concurrency ?? SMTP_CONNECTIONS
        return adapters.smtp({ ...senderOf(settings), server, timeoutMs, connections })
      }
      case 'resend': {
        const provider = resend({ baseUrl: settings.baseUrl, apiKey: secrets[0] ?? '' })
        const sender = { ...senderOf(settings), timeoutMs }
        return createMailApi({ clock, fetch: adapters.fetch }, provider, sender)
      }
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
        const wrong = { field: 'secret', code: 'INVALID_SECRET', message: SECRET_REMEDY } as const
        return [...checkUrl('url', settings.url), ...(isSecret ? [] : [wrong])]
      }
      case 'smtp': {
        if (adapters.smtp === null) return [{ field: 'kind', code: 'UNSUPPORTED', message: NO_SMTP }]
        const isServer = secret === null || parseSmtpUrl(secret) !== null
        const wrong = { field: 'server', code: 'INVALID_SECRET', message: SMTP_REMEDY } as const
        return [...(isServer ? [] : [wrong]), ...checkMail(settings)]
      }
      case 'resend':
        return [...checkUrl('baseUrl', settings.baseUrl), ...checkMail(settings)]
    }
  }

  function checkUrl(field: string, url: string): FieldProblem[] {
    const message = checkTarget(url, { allowPrivate })
    return message === null ? [] : [{ field, code: 'FORBIDDEN_TARGET', message }]
  }

  return { check, open }
}

function senderOf(settings: MailSettings): MailSender {
  const sender = parseMailSender(settings)
  if (!sender.ok) throw new Error(sender.problems.map(({ message }) => message).join(' '))
  return sender.value
}

function checkMail(settings: MailSettings): FieldProblem[] {
  const sender = parseMailSender(settings)
  return sender.ok ? [] : sender.problems
}
