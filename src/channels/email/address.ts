// Parses and formats e-mail addresses. Pure: does not check that a mailbox exists.

/** The domain is in lower case and in ASCII, as SMTP requires. */
export type Address = { local: string; domain: string }

/** An address, and the name shown beside it ('' for none). */
export type Mailbox = { name: string; address: Address }

const LOCAL_MAX = 64
const ADDRESS_MAX = 254

/** Letters, digits and these signs, separated by single dots. Quoted forms are rejected: hardly any server accepts them. */
const LOCAL = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/
/** Checked before the URL parser, which would accept ports, escapes and numbers too. */
const DOMAIN_AS_WRITTEN = /^[\p{L}\p{M}\p{N}.-]+$/u
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** Control characters, the two Unicode line breaks, and halves of a surrogate pair. */
const NOT_IN_A_HEADER = /[\p{Cc}\u2028\u2029]|\p{Cs}/u

/** `ada@example.com`, `ada@bücher.example`; null for anything else. The domain must have a dot. */
export function parseAddress(text: string): Address | null {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, Math.max(at, 0))
  const domain = parseDomain(text.slice(at + 1))
  if (domain === null || local.length > LOCAL_MAX || !LOCAL.test(local)) return null
  return local.length + 1 + domain.length > ADDRESS_MAX ? null : { local, domain }
}

function parseDomain(text: string): string | null {
  if (!DOMAIN_AS_WRITTEN.test(text)) return null
  // An IP address such as 192.0.2.1 is a host in a URL, but not a mail domain.
  if (/(?:^|\.)\p{N}+$/u.test(text) || !URL.canParse(`http://${text}`)) return null
  const domain = new URL(`http://${text}`).hostname
  const labels = domain.split('.')
  return labels.length > 1 && labels.every((label) => LABEL.test(label)) ? domain : null
}

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

export function formatAddress({ local, domain }: Address): string {
  return `${local}@${domain}`
}

/** For a header or an API. The name is quoted, because it may contain a comma or a bracket. */
export function formatMailbox({ name, address }: Mailbox): string {
  if (name === '') return formatAddress(address)
  return `"${name.replace(/["\\]/g, '\\$&')}" <${formatAddress(address)}>`
}
