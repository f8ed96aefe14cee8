// The API of Resend and of compatible providers: its request, and what its responses mean.
import type { DeliveryResult } from '../../ports/channel.ts'
import { formatMailbox } from './address.ts'
import type { MailProvider, ProviderAnswer } from './provider.ts'

export type ResendSettings = {
  /** Such as https://api.resend.com */
  baseUrl: string
  apiKey: string
}

export function resend({ baseUrl, apiKey }: ResendSettings): MailProvider {
  return {
    request: (mail) => ({
      url: `${baseUrl.replace(/\/+$/, '')}/emails`,
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': mail.key,
      },
      body: JSON.stringify({
        from: formatMailbox(mail.from),
        to: [formatMailbox(mail.to)],
        reply_to: mail.replyTo === null ? undefined : formatMailbox(mail.replyTo),
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        headers: mail.headers,
      }),
    }),
    read: readAnswer,
  }
}

/** Timed out, too early, too many; and a key that is not accepted, which is no fault of the mail. */
const TRANSIENT = new Set([401, 403, 408, 425, 429])
/** A 409 while our own earlier attempt is still being worked on. The other kind says that the mail was changed. */
const IN_PROGRESS = 'concurrent_idempotent_requests'

function readAnswer({ statusCode, retryAfterMs, text }: ProviderAnswer): DeliveryResult {
  if (statusCode >= 200 && statusCode < 300) return { kind: 'delivered', statusCode }
  const name = errorName(text)
  const error = name === null ? `HTTP ${statusCode}` : `HTTP ${statusCode} ${name}`
  const inProgress = statusCode === 409 && name === IN_PROGRESS
  if (statusCode < 500 && !TRANSIENT.has(statusCode) && !inProgress)
    return { kind: 'permanent', error, statusCode }
  return retryAfterMs === null
    ? { kind: 'transient', error, statusCode }
    : { kind: 'transient', error, statusCode, retryAfterMs }
}

/** Its name for the error, if it has the form of one. The message beside it quotes addresses and stays where it is. */
function errorName(text: string): string | null {
  try {
    const { name } = JSON.parse(text)
    return typeof name === 'string' && /^[a-z_]{1,50}$/.test(name) ? name : null
  } catch {
    return null
  }
}
