// What an e-mail says: the body an event freezes, and the message made of it. Pure, and the same for every attempt.
import type { Delivery } from '../../ports/channel.ts'
import { isOneLine, type Mailbox, parseAddress } from './address.ts'
import { type MailSender, unsubscribeLink } from './mail-sender.ts'

/** The frozen body of an event that goes by e-mail: what a webhook gets, and the rendered mail. */
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
  /** Escaping is the template's business. */
  html: string
}

/** Everything a transport needs, checked. */
export type Mail = {
  key: string
  messageId: string
  /** When the mail was written, in epoch milliseconds: not when an attempt is made. */
  writtenAt: number
  from: Mailbox
  to: Mailbox
  replyTo: Mailbox | null
  subject: string
  text: string
  html: string
  /** Beyond those that every mail has. */
  headers: Readonly<Record<string, string>>
}

export type Composed = { ok: true; mail: Mail } | { ok: false; error: string }

const SUBJECT_MAX = 500

export function composeMail(delivery: Delivery, sender: MailSender): Composed {
  const body = readBody(delivery.body)
  if (body === null) return refuse('NOT_A_MAIL: the event was written for another channel. Replay it.')
  const address = parseAddress(body.to)
  if (address === null) return refuse('INVALID_ADDRESS: no mail can be sent to the address. Correct it.')
  if (!isOneLine(body.toName)) return refuse('INVALID_NAME: the name has control characters. Remove them.')
  if (!isOneLine(body.subject) || body.subject.length > SUBJECT_MAX) {
    return refuse(`INVALID_SUBJECT: give one line of at most ${SUBJECT_MAX} characters.`)
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
      to: { name: body.toName, address },
      replyTo,
      subject: body.subject,
      text: withWireLines(body.text),
      html: withWireLines(body.html),
      headers: {
        'X-Idempotency-Key': key,
        // Asks out-of-office replies to stay away.
        'Auto-Submitted': 'auto-generated',
        ...unsubscribeHeaders(listUnsubscribe, body.userId),
      },
    },
  }
}

function refuse(error: string): Composed {
  return { ok: false, error }
}

/** Of our own making, so only told apart from the body of another channel. */
function readBody(text: string): MailBody | null {
  const body: Partial<MailBody> = JSON.parse(text)
  return typeof body.to === 'string' && typeof body.subject === 'string' ? (body as MailBody) : null
}

/** A lone CR or LF means the end of a line to some servers and not to others, which lets text pass for commands. */
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
