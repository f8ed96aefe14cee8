// Composes the mail of an event from its frozen body. Pure: every attempt composes the same mail.

import { parseAddress } from '../../domain/users/email-address.ts'
import type { Delivery } from '../../ports/channel.ts'
import { isOneLine, type Mailbox, withoutEncodedWords } from './address.ts'
import { type MailSender, unsubscribeLink } from './mail-sender.ts'

/** The frozen body of an e-mail event: the fields of a webhook body, and the rendered mail. */
export type MailBody = {
  eventId: string
  type: string
  message: string
  userId: string
  occurrence: string
  targetTimestampUTC: string
  targetTimestampLocal: string
  timezone: string
  lateBySeconds: number
  to: string
  /** Shown beside the address; '' for none. */
  toName: string
  subject: string
  text: string
  /** Escaped by the template. */
  html: string
}

/** Everything a transport needs, checked. */
export type Mail = {
  key: string
  messageId: string
  /** When the body was frozen, in epoch milliseconds; the same for every attempt. */
  writtenAt: number
  from: Mailbox
  to: Mailbox
  replyTo: Mailbox | null
  subject: string
  text: string
  html: string
  /** Additional headers. */
  headers: Readonly<Record<string, string>>
}

type Composed = { ok: true; mail: Mail } | { ok: false; error: string }

const SUBJECT_MAX = 500

export function composeMail(delivery: Delivery, sender: MailSender): Composed {
  const body = readBody(delivery.body)
  if (body === null) return invalid('NOT_A_MAIL: the event was written for another channel. Replay it.')
  const address = parseAddress(body.to)
  if (address === null) return invalid('INVALID_ADDRESS: no mail can be sent to the address. Correct it.')
  if (!isOneLine(body.toName)) return invalid('INVALID_NAME: the name has control characters. Remove them.')
  if (!isOneLine(body.subject) || body.subject.length > SUBJECT_MAX) {
    return invalid(`INVALID_SUBJECT: give one line of at most ${SUBJECT_MAX} characters.`)
  }
  const { from, replyTo, listUnsubscribe } = sender
  const key = delivery.idempotencyKey
  return {
    ok: true,
    mail: {
      key,
      messageId: `<${key}@${from.address.domain}>`,
      writtenAt: Date.parse(body.targetTimestampUTC) + body.lateBySeconds * 1000,
      from,
      to: { name: withoutEncodedWords(body.toName), address },
      replyTo,
      subject: withoutEncodedWords(body.subject),
      text: withWireLines(body.text),
      html: withWireLines(body.html),
      headers: {
        'X-Idempotency-Key': key,
        // Suppresses out-of-office replies.
        'Auto-Submitted': 'auto-generated',
        ...unsubscribeHeaders(listUnsubscribe, body.userId),
      },
    },
  }
}

function invalid(error: string): Composed {
  return { ok: false, error }
}

/** Terce wrote the body, so this only distinguishes it from the body of another channel. */
function readBody(text: string): MailBody | null {
  const body: Partial<MailBody> = JSON.parse(text)
  return typeof body.to === 'string' && typeof body.subject === 'string' ? (body as MailBody) : null
}

/** A lone CR or LF ends a line on some servers and not on others, which makes SMTP smuggling possible. */
function withWireLines(text: string): string {
  return text.replace(/\r\n|\r|\n/g, '\r\n')
}

function unsubscribeHeaders(template: string | null, userId: string): Record<string, string> {
  if (template === null) return {}
  const link = { 'List-Unsubscribe': `<${unsubscribeLink(template, userId)}>` }
  return template.startsWith('https:')
    ? { ...link, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
    : link
}
