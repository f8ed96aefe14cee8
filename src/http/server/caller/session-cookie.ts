// The cookie that holds the token of a session. It is bound to https where Terce is served over https.
import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { SESSION_MAX_MS } from '../../../domain/access/session.ts'

/** Browsers accept this name only with Secure, without Domain and from https, so that no other host can set it. */
const SECURE_NAME = '__Host-terce'
/** Under a base path: `__Host-` would send the cookie to all pages of the application. */
const SECURE_NAME_UNDER_PATH = '__Secure-terce'
/** Over plain http. */
const PLAIN_NAME = 'terce_session'

export function readSessionCookie(c: Context): string | null {
  return getCookie(c, isSecure(c) ? secureName(c) : PLAIN_NAME) ?? null
}

export function setSessionCookie(c: Context, token: string): void {
  const secure = isSecure(c)
  if (secure) deletePlainCookie(c)
  setCookie(c, secure ? secureName(c) : PLAIN_NAME, token, {
    path: pathOf(c),
    httpOnly: true,
    sameSite: 'Strict',
    secure,
    maxAge: SESSION_MAX_MS / 1000,
  })
}

export function deleteSessionCookie(c: Context): void {
  deletePlainCookie(c)
  if (isSecure(c)) deleteCookie(c, secureName(c), { path: pathOf(c), secure: true })
}

function deletePlainCookie(c: Context): void {
  deleteCookie(c, PLAIN_NAME, { path: pathOf(c) })
}

const pathOf = (c: Context) => c.get('access').basePath || '/'

const secureName = (c: Context) => (pathOf(c) === '/' ? SECURE_NAME : SECURE_NAME_UNDER_PATH)

/**
 * True if the browser reaches Terce over https. A proxy that ends the https connection reports it; a caller that lies
 * only makes its own cookie Secure.
 */
function isSecure(c: Context): boolean {
  const { publicUrl } = c.get('access')
  if (publicUrl?.startsWith('https:')) return true
  const outermost = c.req.header('X-Forwarded-Proto')?.split(',')[0]?.trim()
  return new URL(c.req.url).protocol === 'https:' || outermost === 'https'
}
