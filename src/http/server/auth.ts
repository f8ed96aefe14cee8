// Authenticates callers and checks their scope. While no key exists, only this computer has access, with full rights.
import type { Context, MiddlewareHandler } from 'hono'
import { Problem } from '../../api/problem.ts'
import type { Checked, Keyring, KnownKey } from '../../app/access/api-keys.ts'
import type { KnownSession, Sessions } from '../../app/access/sessions.ts'
import { allows, type Scope } from '../../domain/access/api-key.ts'
import { type IpRange, isInRanges } from '../../domain/access/ip-address.ts'
import { callerAddress, callerOf } from './caller/address.ts'
import type { GuessLimiter } from './caller/guess-limit.ts'
import { type Authenticate, identifyByHost } from './caller/host-caller.ts'
import { foreignOrigin, isSameOrigin } from './caller/origin.ts'
import { readSessionCookie } from './caller/session-cookie.ts'
import type { Limited, RequestLimiter } from './rate-limit.ts'

export const API_KEY_SCHEME = 'apiKey'
export const API_KEY_HEADER_SCHEME = 'apiKeyHeader'

export type Access = {
  keyring: Keyring
  sessions: Sessions
  /** The URL that callers use, from PUBLIC_URL; null if it is not set. */
  publicUrl: string | null
  /** The path that everything is served under, such as `/admin/terce`. */
  basePath?: string
  /** The application that serves Terce identifies callers; API keys and sessions are not accepted. */
  authenticate?: Authenticate
  /** Pages need a caller too. */
  isClosed?: true
  /** Null for no limit. */
  limiter: RequestLimiter | null
  guesses: GuessLimiter
  /** The address that connected; null where it is unknown. */
  remoteAddress: (c: Context) => string | null
  /** Proxies whose X-Forwarded-For is believed. */
  trustedProxies: readonly IpRange[]
  /** True where only this computer can reach the API. Without keys, the API is open only there. */
  local: boolean
}

declare module 'hono' {
  interface ContextVariableMap {
    access: Access
    limited: Limited | undefined
    /** The API key of an authorized caller; null while no key exists. */
    keyId: string | null | undefined
    keyName: string | null
  }
}

/** Gives operations the access settings, and adds the rate limit headers to every response. */
export function withAccess(access: Access): MiddlewareHandler {
  return async (c, next) => {
    c.set('access', access)
    await next()
    const limited = c.get('limited')
    if (limited === undefined) return
    c.res.headers.set('RateLimit-Limit', String(limited.limit))
    c.res.headers.set('RateLimit-Remaining', String(limited.left))
  }
}

/**
 * Rejects a caller without the scope, or with too many requests. Open operations never get here: a liveness check must
 * not depend on the database that holds the keys.
 */
export async function authorize(c: Context, needed: Scope, cost = 1): Promise<void> {
  const { local } = c.get('access')
  const checked = await identify(c)
  const isOpen = checked.kind === 'open' && local
  const foreign = isOpen ? foreignOrigin(c) : null
  if (foreign !== null) throw foreign
  const known = checked.kind === 'known' ? checked.key : null
  consumeRateLimit(c, known?.id ?? null, cost)
  c.set('keyId', known?.id ?? null)
  c.set('keyName', known?.name ?? null)
  const scope = isOpen ? 'admin' : (known?.scope ?? null)
  if (scope === null) throw unauthorized({ hasKey: c.get('hasUnknownKey') ?? false })
  if (!allows(scope, needed))
    throw new Problem('FORBIDDEN', `This needs a key with scope ${needed}; yours has scope ${scope}.`)
}

/** The problem of a caller without a valid key. */
export function unauthorized({ hasKey }: { hasKey: boolean }): Problem {
  const reason = hasKey ? 'Invalid or revoked key.' : 'Send a key as "Authorization: Bearer terce_…".'
  const headers = { 'WWW-Authenticate': 'Bearer' }
  return new Problem(
    'UNAUTHORIZED',
    `${reason} Create one with POST /key, or where the database can be reached with: terce keys create.`,
    { headers },
  )
}

/** Counts a request of a key, or of the caller's address where there is no key. */
export function consumeRateLimit(c: Context, keyId: string | null, cost = 1): void {
  const limited = c.get('access').limiter?.(keyId ?? callerOf(c), cost)
  c.set('limited', limited)
  if (limited !== undefined && limited.waitMs > 0)
    throw rateLimited(limited.waitMs, 'RATE_LIMIT sets the limit.')
}

export function rateLimited(waitMs: number, why: string): Problem {
  const seconds = String(Math.ceil(waitMs / 1000))
  return new Problem('RATE_LIMITED', `Try again in ${seconds} s. ${why}`, {
    headers: { 'Retry-After': seconds },
  })
}

/**
 * Checks a key that the caller gave. Too many wrong keys from one address are rejected; a right key never is, so that callers
 * who share an address, such as all callers behind a proxy, cannot lock each other out. So every key has 32 characters or more.
 */
export async function checkKey(c: Context, key: string): Promise<Checked> {
  const { keyring, guesses } = c.get('access')
  const checked = await keyring.check(key)
  if (checked.kind === 'open') return checked
  if (checked.kind === 'known') {
    c.set('actor', actorOf(checked.key))
    requireAddress(c, checked.key)
    return checked
  }
  const caller = callerOf(c)
  const waitMs = guesses.waitMs(caller)
  if (waitMs > 0) {
    consumeRateLimit(c, null)
    throw rateLimited(waitMs, 'Too many wrong keys came from this address.')
  }
  guesses.count(caller, key)
  c.set('hasUnknownKey', true)
  return checked
}

function requireAddress(c: Context, { allowedFrom }: KnownKey): void {
  if (allowedFrom.length === 0 || isInRanges(allowedFrom, callerAddress(c) ?? '')) return
  throw new Problem('FORBIDDEN_ADDRESS', 'Use this key from an address in its list, or create another key.')
}

/** The scope of the caller, for the dashboard. */
export async function scopeOf(c: Context): Promise<{ open: boolean; scope: Scope | null }> {
  const { local } = c.get('access')
  const checked = await identify(c)
  const open = checked.kind === 'open' && local && foreignOrigin(c) === null
  return { open, scope: open ? 'admin' : checked.kind === 'known' ? checked.key.scope : null }
}

/** The key of the caller, by its text or by a session. A session's token is not accepted as a key, nor a key as a token. */
async function identify(c: Context): Promise<Checked> {
  const { keyring, authenticate } = c.get('access')
  if (authenticate !== undefined) return identifyByHost(c, authenticate)
  const bearer = /^Bearer +(\S+) *$/i.exec(c.req.header('Authorization') ?? '')?.[1]
  const given = bearer ?? c.req.header('X-Api-Key') ?? null
  if (given !== null) return checkKey(c, given)
  const signedIn = await sessionOf(c)
  if (signedIn === null) return keyring.check(null)
  c.set('actor', `session:${signedIn.session.id}`)
  requireAddress(c, signedIn.key)
  return { kind: 'known', key: signedIn.key }
}

/** The caller with this key, as the audit log names it. */
export function actorOf({ id }: Pick<KnownKey, 'id'>): string {
  return id === 'cli' || id.startsWith('environment:') ? id : `key:${id}`
}

/** The session of the browser; null without one. */
export async function sessionOf(c: Context): Promise<KnownSession | null> {
  const token = isSameOrigin(c) ? readSessionCookie(c) : null
  return token === null ? null : c.get('access').sessions.check(token)
}
