// Parses and formats e-mail addresses, for people who are saved and for mails that are sent. Does not check that a mailbox exists.

/** The domain is in lower case and in ASCII, as SMTP requires. */
export type Address = { local: string; domain: string }

const LOCAL_MAX = 64
const ADDRESS_MAX = 254

/** Letters, digits and these signs, separated by single dots. Quoted forms are rejected: hardly any server accepts them. */
const LOCAL = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/
/** Checked before the URL parser, which would accept ports, escapes and numbers too. */
const DOMAIN_AS_WRITTEN = /^[\p{L}\p{M}\p{N}.-]+$/u
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** `ada@example.com`, `ada@bücher.example`; null for anything else. The domain must have a dot. */
export function parseAddress(text: string): Address | null {
  if (text.length > ADDRESS_MAX) return null
  const at = text.lastIndexOf('@')
  const local = text.slice(0, Math.max(at, 0))
  const domain = knownDomain(text.slice(at + 1))
  if (domain === null || local.length > LOCAL_MAX || !LOCAL.test(local)) return null
  return local.length + 1 + domain.length > ADDRESS_MAX ? null : { local, domain }
}

/** Many addresses share a domain, and the URL parser takes 3 µs. Bounded: callers choose the keys. */
const KEPT_DOMAINS = 200
const domains = new Map<string, string | null>()

function knownDomain(text: string): string | null {
  let domain = domains.get(text)
  if (domain === undefined) {
    domain = parseDomain(text)
    if (domains.size === KEPT_DOMAINS) domains.clear()
    domains.set(text, domain)
  }
  return domain
}

function parseDomain(text: string): string | null {
  if (!DOMAIN_AS_WRITTEN.test(text)) return null
  // An IP address such as 192.0.2.1 is a host in a URL, but not a mail domain.
  if (/(?:^|\.)\p{N}+$/u.test(text) || !URL.canParse(`http://${text}`)) return null
  const domain = new URL(`http://${text}`).hostname
  const labels = domain.split('.')
  return labels.length > 1 && labels.every((label) => LABEL.test(label)) ? domain : null
}

export function formatAddress({ local, domain }: Address): string {
  return `${local}@${domain}`
}
