// Signs a browser in and out, and returns its scope. The API key is stored in an HttpOnly cookie.
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { deleteCookie, setCookie } from 'hono/cookie'
import { SESSION_COOKIE, scopeOf } from '../server/auth.ts'
import { mount } from '../server/operation.ts'
import { Problem } from '../server/problem.ts'
import { READ_SESSION, SIGN_IN, SIGN_OUT } from './session-operations.ts'

export type SessionDeps = { inbox: boolean; version: string; deliverAt: string; retries: readonly number[] }

const MONTH_SECONDS = 30 * 86_400

export function mountSession(app: OpenAPIHono, deps: SessionDeps): void {
  mount(app, READ_SESSION, async ({ c }) => c.json(await describe(c, deps)))

  mount(app, SIGN_IN, async ({ c, body }) => {
    const key = body.key.trim()
    const checked = await c.get('access').keyring.check(key)
    if (checked.kind === 'unknown') {
      throw new Problem('UNAUTHORIZED', 'Invalid or revoked key. Create one with: terce keys create.')
    }
    setCookie(c, SESSION_COOKIE, key, {
      path: '/',
      httpOnly: true,
      sameSite: 'Strict',
      secure: isHttps(c),
      maxAge: MONTH_SECONDS,
    })
    const scope = checked.kind === 'known' ? checked.key.scope : 'admin'
    return c.json({ ...(await describe(c, deps)), scope })
  })

  mount(app, SIGN_OUT, ({ c }) => {
    deleteCookie(c, SESSION_COOKIE, { path: '/' })
    return c.body(null, 204)
  })
}

/** A proxy that ends the https connection reports it. A caller that lies only makes its own cookie Secure. */
function isHttps(c: Context): boolean {
  const outermost = c.req.header('X-Forwarded-Proto')?.split(',')[0]?.trim()
  return new URL(c.req.url).protocol === 'https:' || outermost === 'https'
}

async function describe(c: Context, { inbox, version, deliverAt, retries }: SessionDeps) {
  const { open, scope } = await scopeOf(c)
  return { open, scope, inbox, retries: [...retries], deliverAt, version }
}
