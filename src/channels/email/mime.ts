// Writes a mail as MIME. Deterministic: the same mail gives the same bytes.
import { sha256Hex } from '../../domain/formats/sha256.ts'
import { formatAddress } from '../../domain/users/email-address.ts'
import type { Mailbox } from './address.ts'
import type { Mail } from './mail.ts'
import { loadNodemailer } from './nodemailer.ts'

export async function writeMime(mail: Mail): Promise<Buffer> {
  const { MailComposer } = await loadNodemailer()
  const { from, to, replyTo, subject, text, html, messageId, headers } = mail
  const composer = new MailComposer({
    from: mailbox(from),
    to: mailbox(to),
    ...(replyTo === null ? {} : { replyTo: mailbox(replyTo) }),
    subject,
    text,
    html,
    // Set here, because nodemailer would generate a new date, Message-ID and boundary for each attempt.
    date: new Date(mail.writtenAt),
    messageId,
    // A hash of the parts: no text can contain its own boundary.
    baseBoundary: sha256Hex(`${mail.key}\n${text}\n${html}`).slice(0, 32),
    headers,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return composer.compile().build()
}

function mailbox({ name, address }: Mailbox): { name: string; address: string } {
  return { name, address: formatAddress(address) }
}
