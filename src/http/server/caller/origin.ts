// Where a request comes from: a page of Terce itself, a page of another origin, or a proxy.
import type { Context } from 'hono'
import { Problem } from '../../../api/problem.ts'
import { isLoopback } from '../../../domain/access/ip-address.ts'

/** False for pages of other origins. Programs that are not browsers send neither header. */
export function isSameOrigin(c: Context): boolean {
  const site = c.req.header('Sec-Fetch-Site')
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const origin = c.req.header('Origin')
  return origin === undefined || isOwn(c, origin)
}

/** Host and port: another program on this computer serves its pages from another port. */
function isOwn(c: Context, origin: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === new URL(c.req.url).host
}

/** Proxies add these. */
const FORWARDING = [
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'X-Forwarded-Proto',
  'X-Real-IP',
  'Forwarded',
  'Via',
]

/**
 * Without keys, only programs on this computer have access. A foreign web page in a local browser does not: its request
 * has another host name (DNS rebinding) or a foreign origin. Nor does a caller behind a proxy on this computer.
 */
export function foreignOrigin(c: Context): Problem | null {
  const host = new URL(c.req.url).hostname
  if (!isLoopback(host)) {
    return new Problem('FORBIDDEN_ORIGIN', `The host is "${host}". Use localhost, or create an API key.`)
  }
  const origin = c.req.header('Origin')
  if (!isSameOrigin(c) || (origin !== undefined && !isOwn(c, origin))) {
    return new Problem('FORBIDDEN_ORIGIN', 'Pages of other origins have no access. Create an API key.')
  }
  const forwarding = FORWARDING.find((name) => c.req.header(name) !== undefined)
  return forwarding === undefined
    ? null
    : new Problem('FORBIDDEN_ORIGIN', `A proxy sent it (${forwarding}). Create an API key.`)
}
