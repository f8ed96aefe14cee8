// What counts as an e-mail address. Pure: whether anybody reads it is for the mail system to say.

/** One person's address: the domain in lower case and in ASCII, as the wire wants it. */
export type Address = { local: string; domain: string }

/** An address, and the name shown beside it ('' for none). */
export type Mailbox = { name: string; address: Address }

const LOCAL_MAX = 64
const ADDRESS_MAX = 254

/** Letters, digits and these signs, in runs parted by single dots. Quoted forms are refused: hardly a server takes them. */
const LOCAL = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/
/** Checked before URL sees it: a URL's host would take ports, escapes and numbers too. */
const DOMAIN_AS_WRITTEN = /^[\p{L}\p{M}\p{N}.-]+$/u
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** Control characters, the two Unicode line breaks, and halves of a surrogate pair. */
const NOT_IN_A_HEADER = /[\p{Cc}\u2028\u2029]|\p{Cs}/u

/** `ada@example.com`, `ada@bücher.example`; null for anything else. A dot in the domain is asked for. */
export function parseAddress(text: string): Address | null {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, Math.max(at, 0))
  const domain = parseDomain(text.slice(at + 1))
  if (domain === null || local.length > LOCAL_MAX || !LOCAL.test(local)) return null
  return local.length + 1 + domain.length > ADDRESS_MAX ? null : { local, domain }
}

function parseDomain(text: string): string | null {
  if (!DOMAIN_AS_WRITTEN.test(text)) return null
  // An address of the network such as 192.0.2.1 is a host for URL, but not a domain of mail.
  if (/(?:^|\.)\p{N}+$/u.test(text) || !URL.canParse(`http://${text}`)) return null
  const domain = new URL(`http://${text}`).hostname
  const labels = domain.split('.')
  return labels.length > 1 && labels.every((label) => LABEL.test(label)) ? domain : null
}

/** `ada@example.com` or `Ada Lovelace <ada@example.com>`, as an operator writes a sender; null for anything else. */
export function parseMailbox(text: string): Mailbox | null {
  const named = /^([^<>]*)<([^<>]*)>$/.exec(text.trim())
  const address = parseAddress(named === null ? text.trim() : named[2]!)
  const name = unquote(named?.[1]?.trim() ?? '')
  return address === null || !isOneLine(name) ? null : { name, address }
}

function unquote(name: string): string {
  return /^".*"$/.test(name) ? name.slice(1, -1).replace(/\\(.)/g, '$1') : name
}

/** Whether a text may stand in a header: nothing in it can begin another line. */
export function isOneLine(text: string): boolean {
  return !NOT_IN_A_HEADER.test(text)
}

export function formatAddress({ local, domain }: Address): string {
  return `${local}@${domain}`
}

/** As a header or an API takes it. The name is quoted, so that a comma or a bracket in it stays part of it. */
export function formatMailbox({ name, address }: Mailbox): string {
  if (name === '') return formatAddress(address)
  return `"${name.replace(/["\\]/g, '\\$&')}" <${formatAddress(address)}>`
}
