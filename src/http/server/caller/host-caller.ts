// The caller as the application knows it that serves Terce among its own pages. Replaces API keys and sessions.
import type { Context, MiddlewareHandler } from 'hono'
import { Problem } from '../../../api/problem.ts'
import type { Checked } from '../../../app/access/api-keys.ts'
import type { Scope } from '../../../domain/access/api-key.ts'
import { isSameOrigin } from './origin.ts'

type HostCaller = {
  /** Names the caller in the audit log. */
  name: string
  scope: Scope
}

/** Null for a caller that has no access. `env` is what the application passed with the request. */
export type Authenticate = (request: Request, env: unknown) => HostCaller | null | Promise<HostCaller | null>

declare module 'hono' {
  interface ContextVariableMap {
    hostCaller: HostCaller | undefined
  }
}

/** Paths that need no caller: health checks, and calendars, whose address is a secret. */
const OPEN = /^\/(?:healthz|readyz|calendar\/[^/]+)$/

/** Rejects every other request that has no caller, pages too. An application may listen on the network: it has no open access. */
export const requireCaller: MiddlewareHandler = async (c, next) => {
  if (!OPEN.test(c.req.path)) await identifyCaller(c)
  await next()
}

async function identifyCaller(c: Context): Promise<void> {
  const { authenticate, keyring } = c.get('access')
  if (authenticate !== undefined) {
    const caller = await authenticate(c.req.raw, c.env)
    if (caller === null) throw new Problem('UNAUTHORIZED', 'The application has not identified the caller.')
    c.set('hostCaller', caller)
  } else if ((await keyring.check(null)).kind === 'open') {
    const detail = 'Give createTerce the option authenticate, or create a key with: terce keys create.'
    throw new Problem('UNAUTHORIZED', detail)
  }
}

/** A page of another origin has no access: its browser sends the cookies of the application too. */
export async function identifyByHost(c: Context, authenticate: Authenticate): Promise<Checked> {
  if (!isSameOrigin(c)) return { kind: 'unknown' }
  const caller = c.get('hostCaller') ?? (await authenticate(c.req.raw, c.env))
  if (caller === null) return { kind: 'unknown' }
  const { name, scope } = caller
  const id = `host:${name.slice(0, NAME_MAX)}`
  c.set('actor', id)
  return { kind: 'known', key: { id, name, scope, sessionKey: id, allowedFrom: [] } }
}

const NAME_MAX = 100
