// The sender of a channel's mails and its unsubscribe link. Pure: also checks settings before they are saved.
import type { FieldProblem, Parsed } from '../../domain/errors.ts'
import { type Mailbox, parseMailbox } from './address.ts'

export type MailSender = {
  from: Mailbox
  replyTo: Mailbox | null
  /** A link in which `{userId}` stands for the user. */
  listUnsubscribe: string | null
}

/** A sender before parsing, as an operator writes it. */
type MailSenderInput = { from: string; replyTo: string | null; listUnsubscribe: string | null }

export function parseMailSender(input: MailSenderInput): Parsed<MailSender> {
  const problems: FieldProblem[] = []
  const from = parseMailbox(input.from)
  const replyTo = input.replyTo === null ? null : parseMailbox(input.replyTo)
  const { listUnsubscribe } = input
  if (from === null) problems.push(invalidMailbox('from'))
  if (input.replyTo !== null && replyTo === null) problems.push(invalidMailbox('replyTo'))
  if (listUnsubscribe !== null && !isUnsubscribeLink(listUnsubscribe)) {
    problems.push({
      field: 'listUnsubscribe',
      code: 'INVALID_LINK',
      message: `Give a link of at most ${LINK_MAX} characters, such as https://example.com/stop?user={userId}.`,
    })
  }
  if (from === null || problems.length > 0) return { ok: false, problems }
  return { ok: true, value: { from, replyTo, listUnsubscribe } }
}

function invalidMailbox(field: string): FieldProblem {
  const message = 'Give an address such as hello@example.com or Terce <hello@example.com>.'
  return { field, code: 'INVALID_EMAIL', message }
}

const LINK_MAX = 400

function isUnsubscribeLink(template: string): boolean {
  const link = unsubscribeLink(template, 'u')
  // ASCII without angle brackets: the header encloses the link in them.
  const fits = /^(?:https?:\/\/|mailto:)[!-;=?-z|~]+$/.test(link) && template.length <= LINK_MAX
  return fits && URL.canParse(link)
}

export function unsubscribeLink(template: string, userId: string): string {
  return template.replaceAll('{userId}', encodeURIComponent(userId))
}
