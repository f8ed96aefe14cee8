// Checks whether a URL may be the target of a webhook, before it is saved. Resolves no name: the address is checked on each
// connection.
import { whatIsForbidden } from './address.ts'

/** Top-level names that resolve to this machine or a private network. */
const PRIVATE_ENDINGS = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'arpa',
]

/** Why the URL must not be a target, and the remedy; null if it may be one. */
export function checkTarget(text: string, { allowPrivate }: { allowPrivate: boolean }): string | null {
  if (!URL.canParse(text)) return 'This is not a URL. Give one such as https://example.com/hook.'
  // The parser normalises every spelling of a host: 0x7f.1, 2130706433, full-width digits, %6c, ideographic dots.
  const { protocol, username, password, hostname } = new URL(text)
  if (protocol !== 'https:' && protocol !== 'http:')
    return `${protocol} is not a webhook's scheme. Use https://.`
  if (username !== '' || password !== '')
    return 'The URL holds a user name or a password. Leave them out: deliveries are signed.'
  if (allowPrivate) return null
  const what = whatIsPrivate(hostname)
  if (what !== null) return `${hostname} is ${what}. Use a host on the public internet; ${OPERATOR_REMEDY}`
  if (protocol === 'http:')
    return `http:// sends names over the internet in the clear. Use https://; ${OPERATOR_REMEDY}`
  return null
}

const OPERATOR_REMEDY = 'ALLOW_PRIVATE_TARGETS=true lifts this for development.'

/** Why a host, as normalised by the URL parser, is private; null if its spelling does not show that it is. */
export function whatIsPrivate(hostname: string): string | null {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.+$/, '')
  const forbidden = whatIsForbidden(host)
  if (forbidden === null) return null
  if (forbidden !== undefined) return `${forbidden} address`
  const labels = host.split('.')
  if (labels.length === 1) return 'a name without a domain'
  return PRIVATE_ENDINGS.includes(labels.at(-1)!) ? 'a name of a private network' : null
}
