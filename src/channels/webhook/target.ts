// Says whether a URL may be a webhook's target, before it is saved. Pure: looks up no name; what a name means is checked
// again each time it is dialled.
import { whatIsForbidden } from './address.ts'

export type TargetCheck =
  | { kind: 'ok' }
  | {
      kind: 'refused'
      code: 'TARGET_URL' | 'TARGET_SCHEME' | 'TARGET_CREDENTIALS' | 'TARGET_PRIVATE'
      reason: string
    }

/** Names that lead into the machine or its own network, wherever they are looked up. */
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

export function checkTarget(text: string, { allowPrivate }: { allowPrivate: boolean }): TargetCheck {
  if (!URL.canParse(text))
    return refused('TARGET_URL', 'This is not a URL. Give one such as https://example.com/hook.')
  // The parser has undone every odd spelling of a host: 0x7f.1, 2130706433, full-width digits, %6c, ideographic dots.
  const { protocol, username, password, hostname } = new URL(text)
  if (protocol !== 'https:' && protocol !== 'http:')
    return refused('TARGET_SCHEME', `${protocol} is not a webhook's scheme. Use https://.`)
  if (username !== '' || password !== '')
    return refused(
      'TARGET_CREDENTIALS',
      'The URL holds a user name or a password. Leave them out: deliveries are signed.',
    )
  if (allowPrivate) return { kind: 'ok' }
  const what = whatIsPrivate(hostname)
  if (what !== null)
    return refused(
      'TARGET_PRIVATE',
      `${hostname} is ${what}. Use a host on the public internet; ${OPERATOR_REMEDY}`,
    )
  if (protocol === 'http:')
    return refused(
      'TARGET_SCHEME',
      `http:// sends names over the internet in the clear. Use https://; ${OPERATOR_REMEDY}`,
    )
  return { kind: 'ok' }
}

const OPERATOR_REMEDY = 'ALLOW_PRIVATE_TARGETS=true lifts this for development.'

/** What makes a host, as the URL parser writes it, private; null where nothing in its spelling does. */
export function whatIsPrivate(hostname: string): string | null {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.+$/, '')
  const forbidden = whatIsForbidden(host)
  if (forbidden === null) return null
  if (forbidden !== undefined) return `${forbidden} address`
  const labels = host.split('.')
  if (labels.length === 1) return 'a name without a domain'
  return PRIVATE_ENDINGS.includes(labels.at(-1)!) ? 'a name of a private network' : null
}

function refused(code: (TargetCheck & { kind: 'refused' })['code'], reason: string): TargetCheck {
  return { kind: 'refused', code, reason }
}
