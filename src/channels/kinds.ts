// The kinds of channels. Each says which host it sends to, so that the factory can check the host, and sends through a dial only.
import { ChannelUnusableError, type FieldProblem, type Parsed } from '../domain/errors.ts'
import type { ChannelKind, ChannelSettings, MailSettings } from '../domain/settings/channel.ts'
import type { Channel } from '../ports/channel.ts'
import type { Clock } from '../ports/clock.ts'
import { isGuessable, parseSecret, SECRET_REMEDY } from '../receiver/secret.ts'
import type { Dial, Guard } from './dial/dial.ts'
import { isExempt, parseHttpTarget, type Target } from './dial/target.ts'
import { type MailSender, parseMailSender } from './email/mail-sender.ts'
import { createMailApi } from './email/provider.ts'
import { resend } from './email/resend.ts'
import { parseSmtpUrl, type SmtpServer } from './email/smtp-url.ts'
import type { FetchWebhookSettings } from './webhook/fetch-webhook.ts'

type Smtp = MailSender & { server: SmtpServer; timeoutMs: number; connections: number }

/** What differs between the runtimes. */
export type ChannelAdapters<D extends Dial> = {
  dial: (guard: Guard) => D
  webhook: (dial: D, settings: FetchWebhookSettings) => Channel
  /** Null where there are no sockets. */
  smtp: ((dial: D, settings: Smtp) => Channel) | null
}

export type Timeouts = {
  webhookTimeoutMs: number
  /** Longer than for a webhook: a mail aborted after its text was sent may arrive twice. */
  emailTimeoutMs: number
}

export type Kind<S extends ChannelSettings, D extends Dial> = {
  /** The settings in canonical form and the host that the channel sends to; null if the host is in a secret that is not given. */
  parse(settings: S, secret: string | null): Parsed<{ settings: S; target: Target | null }>
  /** Throws if the settings or the secrets cannot be used. */
  open(dial: D, how: { guard: Guard; settings: S; secrets: readonly string[] }): Channel
}

export type Kinds<D extends Dial> = {
  readonly [K in ChannelKind]: Kind<Extract<ChannelSettings, { kind: K }>, D>
}

/** Mail servers limit connections; a few busy ones carry more than many. */
const SMTP_CONNECTIONS = 5

const NO_SMTP = 'This runtime has no SMTP. Use a provider with an HTTP API: a channel of kind resend.'
const SMTP_REMEDY = 'Give smtp://user:password@host:port or smtps://…'
const ENCRYPT_REMEDY = 'Use smtps://, add ?tls=require, or set allowPlaintext to true'

export function createKinds<D extends Dial>(
  { clock, adapters }: { clock: Clock; adapters: ChannelAdapters<D> },
  { webhookTimeoutMs, emailTimeoutMs: timeoutMs }: Timeouts,
): Kinds<D> {
  return {
    webhook: {
      parse(settings, secret) {
        const target = parseHttpTarget('url', settings.url)
        const problems = secret === null ? [] : signingProblems(secret)
        if (!target.ok) return { ok: false, problems: [...target.problems, ...problems] }
        const { url } = target.value
        return parsed(problems, { settings: { ...settings, url: canonical(url) }, target: target.value })
      },
      open: (dial, { settings: { url }, secrets }) =>
        adapters.webhook(dial, { url, timeoutMs: webhookTimeoutMs, secrets }),
    },
    smtp: {
      parse(settings, secret) {
        if (adapters.smtp === null) return invalid({ field: 'kind', code: 'UNSUPPORTED', message: NO_SMTP })
        const sender = parseMailSender(settings)
        const problems = sender.ok ? [] : sender.problems
        if (secret === null) return parsed(problems, { settings, target: null })
        const server = parseSmtpUrl(secret)
        if (server === null)
          return invalid({ field: 'server', code: 'INVALID_SECRET', message: SMTP_REMEDY }, ...problems)
        const encrypted = isEncrypted(server) || settings.allowPlaintext === true
        const target = { field: 'server', host: server.host, encrypted, remedy: ENCRYPT_REMEDY }
        return parsed(problems, { settings, target })
      },
      open(dial, { guard, settings, secrets }) {
        if (adapters.smtp === null) throw new ChannelUnusableError(NO_SMTP)
        const server = parseSmtpUrl(secrets[0] ?? '')
        if (server === null)
          throw new ChannelUnusableError('The address of the SMTP server cannot be read. Give it again.')
        const connections = settings.concurrency ?? SMTP_CONNECTIONS
        const allowed = isExempt(server.host, guard) || settings.allowPlaintext === true
        const sent = { ...senderOf(settings), timeoutMs, connections }
        return adapters.smtp(dial, { ...sent, server: allowed ? server : encrypted(server) })
      },
    },
    resend: {
      parse(settings) {
        const target = parseHttpTarget('baseUrl', settings.baseUrl)
        const sender = parseMailSender(settings)
        const problems = sender.ok ? [] : sender.problems
        if (!target.ok) return { ok: false, problems: [...target.problems, ...problems] }
        const baseUrl = canonical(target.value.url).replace(/\/+$/, '')
        return parsed(problems, { settings: { ...settings, baseUrl }, target: target.value })
      },
      open(dial, { settings, secrets }) {
        const provider = resend({ baseUrl: settings.baseUrl, apiKey: secrets[0] ?? '' })
        return createMailApi({ clock, dial }, provider, { ...senderOf(settings), timeoutMs })
      },
    },
  }
}

function signingProblems(secret: string): FieldProblem[] {
  const key = parseSecret(secret)
  if (key !== null && !isGuessable(key)) return []
  const message =
    key === null ? SECRET_REMEDY : `The secret can be guessed: its bytes repeat or count up. ${SECRET_REMEDY}`
  return [{ field: 'secret', code: 'INVALID_SECRET', message }]
}

/** The URL as it is dialled: without line breaks, a fragment or a second spelling of its host. */
function canonical(url: URL): string {
  const { href } = Object.assign(new URL(url), { hash: '' })
  return href
}

function isEncrypted({ tls }: SmtpServer): boolean {
  return tls === 'always' || tls === 'require'
}

/** A channel may have been saved with ALLOW_PRIVATE_TARGETS=true: where TLS is optional, it becomes required. */
function encrypted(server: SmtpServer): SmtpServer {
  if (server.tls === 'off')
    throw new ChannelUnusableError(`The SMTP server is used without encryption. ${ENCRYPT_REMEDY}.`)
  return server.tls === 'auto' ? { ...server, tls: 'require' } : server
}

function senderOf(settings: MailSettings): MailSender {
  const sender = parseMailSender(settings)
  if (!sender.ok) throw new ChannelUnusableError(sender.problems.map(({ message }) => message).join(' '))
  return sender.value
}

function parsed<T>(problems: FieldProblem[], value: T): Parsed<T> {
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value }
}

function invalid(...problems: FieldProblem[]): { ok: false; problems: FieldProblem[] } {
  return { ok: false, problems }
}
