// Parses and formats mailboxes: an address with the name beside it.
import { type Address, formatAddress, parseAddress } from '../../domain/users/email-address.ts'

/** An address, and the name shown beside it ('' for none). */
export type Mailbox = { name: string; address: Address }

/** Control characters, the two Unicode line breaks, and halves of a surrogate pair. */
const NOT_IN_A_HEADER = /[\p{Cc}\u2028\u2029]|\p{Cs}/u

/** Parses `ada@example.com` or `Ada Lovelace <ada@example.com>`; null for anything else. */
export function parseMailbox(text: string): Mailbox | null {
  const named = /^([^<>]*)<([^<>]*)>$/.exec(text.trim())
  const address = parseAddress(named === null ? text.trim() : named[2]!)
  const name = unquote(named?.[1]?.trim() ?? '')
  return address === null || !isOneLine(name) ? null : { name, address }
}

function unquote(name: string): string {
  return /^".*"$/.test(name) ? name.slice(1, -1).replace(/\\(.)/g, '$1') : name
}

/** Whether a text is safe in a header: no character in it can begin another line. */
export function isOneLine(text: string): boolean {
  return !NOT_IN_A_HEADER.test(text)
}

/**
 * The text with a word joiner in each `=?`, which is not seen. Mail readers would decode `=?utf-8?Q?…?=` in a name or a subject and
 * show another text than was rendered.
 */
export function withoutEncodedWords(text: string): string {
  return text.replaceAll('=?', '=\u2060?')
}

/** For a header or an API. The name is quoted, because it may contain a comma or a bracket. */
export function formatMailbox({ name, address }: Mailbox): string {
  if (name === '') return formatAddress(address)
  return `"${name.replace(/["\\]/g, '\\$&')}" <${formatAddress(address)}>`
}
