// Checks the target of a channel before it is saved. Resolves no name: the address is checked on each connection.

import { isLoopback } from '../../domain/access/ip-address.ts'
import type { FieldProblem, Parsed } from '../../domain/errors.ts'
import { whatIsForbidden } from './address.ts'
import type { Guard } from './dial.ts'

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

/** The host that a channel sends to, and whether the way to it is encrypted. */
export type Target = {
  /** The field that names the host. */
  field: string
  /** As normalised by the URL parser of the web. */
  host: string
  encrypted: boolean
  /** What to do if it is not encrypted. */
  remedy: string
}

/** The target in a URL of HTTP. */
export function parseHttpTarget(field: string, text: string): Parsed<Target & { url: URL }> {
  const invalid = (message: string): Parsed<never> => ({
    ok: false,
    problems: [{ field, code: 'INVALID_URL', message }],
  })
  if (!URL.canParse(text)) return invalid('This is not a URL. Give one such as https://example.com/hook.')
  // The parser normalises every spelling of a host: 0x7f.1, 2130706433, full-width digits, %6c, ideographic dots.
  const url = new URL(text)
  const { protocol, username, password, hostname: host } = url
  if (protocol !== 'https:' && protocol !== 'http:')
    return invalid(`${protocol} is not a webhook's scheme. Use https://.`)
  if (username !== '' || password !== '')
    return invalid('The URL holds a user name or a password. Leave them out: deliveries are signed.')
  const encrypted = protocol === 'https:'
  return { ok: true, value: { field, host, encrypted, remedy: 'Use https://', url } }
}

/** Why a channel must not send to a target, and the remedy. */
export function checkTarget(target: Target, guard: Guard): FieldProblem[] {
  const { field, host, encrypted, remedy } = target
  if (isExempt(host, guard)) return []
  const what = whatIsPrivate(host)
  if (what !== null) {
    const message = `${host} is ${what}. Use a host on the public internet; ${OPERATOR_REMEDY}`
    return [forbiddenTarget(field, message)]
  }
  if (encrypted) return []
  const message = `This sends names over the internet in the clear. ${remedy}; ${OPERATOR_REMEDY}`
  return [forbiddenTarget(field, message)]
}

function forbiddenTarget(field: string, message: string): FieldProblem {
  return { field, code: 'FORBIDDEN_TARGET', message }
}

const OPERATOR_REMEDY = 'ALLOW_PRIVATE_TARGETS=true lifts this for development.'

/** Whether the guard allows a host by its name, also without encryption. */
export function isExempt(host: string, guard: Guard): boolean {
  return guard === 'any' || (guard === 'loopback' && isLoopback(host.replace(/\.+$/, '')))
}

/** Why the guard forbids a host, as normalised by the URL parser; null if its spelling shows no reason. */
export function whatIsBlocked(host: string, guard: Guard): string | null {
  return isExempt(host, guard) ? null : whatIsPrivate(host)
}

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
