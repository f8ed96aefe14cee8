// The API of Resend and of compatible providers: its request, and what its responses mean.
import type { DeliveryResult } from '../../ports/channel.ts'
import { formatMailbox } from './address.ts'
import type { MailProvider, ProviderResponse } from './provider.ts'

type ResendSettings = {
  /** Such as https://api.resend.com */
  baseUrl: string
  apiKey: string
}

export function resend({ baseUrl, apiKey }: ResendSettings): MailProvider {
  return {
    url: `${baseUrl.replace(/\/+$/, '')}/emails`,
    request: (mail) => ({
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
    read: readResponse,
  }
}

/** Timed out, too early, too many; and 401 and 403, because a wrong API key is not the mail's fault. */
const TRANSIENT = new Set([401, 403, 408, 425, 429])
/** A 409 with this name: an earlier attempt is still in progress. Any other 409: the mail differs from the first attempt. */
const IN_PROGRESS = 'concurrent_idempotent_requests'

function readResponse({ statusCode, retryAfterMs, text }: ProviderResponse): DeliveryResult {
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

/** The error name in Resend's response, if there is one. The message is not used: it quotes addresses. */
function errorName(text: string): string | null {
  try {
    const { name } = JSON.parse(text)
    return typeof name === 'string' && /^[a-z_]{1,50}$/.test(name) ? name : null
  } catch {
    return null
  }
}
