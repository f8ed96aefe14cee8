// Opens the channels that are set up with the adapters at hand, and checks settings before they are kept.

import { ENVIRONMENT_CHANNEL } from '../app/channels/environment-channel.ts'
import { type MailSender, parseMailSender } from '../channels/email/mail-sender.ts'
import { createMailApi } from '../channels/email/provider.ts'
import { resend } from '../channels/email/resend.ts'
import { createSmtp } from '../channels/email/smtp.ts'
import { parseSmtpUrl } from '../channels/email/smtp-url.ts'
import { fetchPublic } from '../channels/webhook/dial.ts'
import { checkTarget } from '../channels/webhook/target.ts'
import { createWebhook } from '../channels/webhook/webhook.ts'
import type { FieldProblem } from '../domain/errors.ts'
import {
  activeSecrets,
  type ChannelRecord,
  type ChannelSettings,
  type MailSettings,
} from '../domain/settings/channel.ts'
import type { Channel } from '../ports/channel.ts'
import type { Clock } from '../ports/clock.ts'
import type { Vault } from '../ports/vault.ts'
import { parseSecret, SECRET_REMEDY } from '../receiver/secret.ts'

export type ChannelKit = {
  check: (settings: ChannelSettings, secret: string | null) => FieldProblem[]
  open: (record: ChannelRecord) => Channel
}

export type KitSettings = {
  timeoutMs: number
  /** Longer than for a webhook: a mail given up after its text was sent may come twice. */
  mailTimeoutMs: number
  /** Kept open to one destination at most. */
  connections: number
  allowPrivateTargets: boolean
  /** What signs deliveries to WEBHOOK_URL. */
  webhookSecrets: readonly string[]
}

export function createChannelKit(clock: Clock, vault: Vault | null, kit: KitSettings): ChannelKit {
  const { timeoutMs, mailTimeoutMs, allowPrivateTargets: allowPrivate } = kit
  const fetchMail = allowPrivate ? fetch : fetchPublic()

  function open(record: ChannelRecord): Channel {
    const { settings } = record
    const fromEnvironment = record.id === ENVIRONMENT_CHANNEL
    const secrets = fromEnvironment ? kit.webhookSecrets : unsealed(record)
    switch (settings.kind) {
      case 'webhook':
        // Who runs Terce may send where they like; who calls its API may not.
        return createWebhook(clock, {
          url: settings.url,
          timeoutMs,
          connections: kit.connections,
          secrets,
          guard: fromEnvironment || allowPrivate ? 'any' : 'public',
        })
      case 'smtp': {
        const server = parseSmtpUrl(secrets[0] ?? '')
        if (server === null) throw new Error('The address of the SMTP server cannot be read.')
        const connections = settings.concurrency ?? SMTP_CONNECTIONS
        return createSmtp(clock, { ...senderOf(settings), server, timeoutMs: mailTimeoutMs, connections })
      }
      case 'resend': {
        const provider = resend({ baseUrl: settings.baseUrl, apiKey: secrets[0] ?? '' })
        const sender = { ...senderOf(settings), timeoutMs: mailTimeoutMs }
        return createMailApi({ clock, fetch: fetchMail }, provider, sender)
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
      case 'webhook':
        return [
          ...checkUrl('url', settings.url, allowPrivate),
          ...problemIf(
            secret !== null && parseSecret(secret) === null,
            'secret',
            'INVALID_SECRET',
            SECRET_REMEDY,
          ),
        ]
      case 'smtp':
        return [
          ...problemIf(
            secret !== null && parseSmtpUrl(secret) === null,
            'server',
            'INVALID_SECRET',
            SMTP_REMEDY,
          ),
          ...checkMail(settings),
        ]
      case 'resend':
        return [...checkUrl('baseUrl', settings.baseUrl, allowPrivate), ...checkMail(settings)]
    }
  }

  return { check, open }
}

/** Mail servers count connections; a few, kept busy, carry more than many. */
const SMTP_CONNECTIONS = 5

const SMTP_REMEDY = 'Give smtp://user:password@host:port or smtps://…'

function senderOf(settings: MailSettings): MailSender {
  const sender = parseMailSender(settings)
  if (!sender.ok) throw new Error(sender.problems.map(({ message }) => message).join(' '))
  return sender.value
}

function checkUrl(field: string, url: string, allowPrivate: boolean): FieldProblem[] {
  const checked = checkTarget(url, { allowPrivate })
  return checked.kind === 'ok' ? [] : [{ field, code: 'FORBIDDEN_TARGET', message: checked.reason }]
}

function checkMail(settings: MailSettings): FieldProblem[] {
  const sender = parseMailSender(settings)
  return sender.ok ? [] : sender.problems
}

function problemIf(wrong: boolean, field: string, code: string, message: string): FieldProblem[] {
  return wrong ? [{ field, code, message }] : []
}
