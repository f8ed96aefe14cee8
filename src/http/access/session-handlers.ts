// Signs browsers in and out, returns the scope of the caller, lists and revokes sessions.
import type { OpenAPIHono, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { KnownSession } from '../../app/access/sessions.ts'
import { sessionEnd } from '../../domain/settings/session.ts'
import { formatInstant } from '../../domain/time/timestamp.ts'
import { noteForAudit } from '../server/audit.ts'
import { actorOf, checkKey, scopeOf, sessionOf, unauthorized } from '../server/auth.ts'
import { deleteSessionCookie, setSessionCookie } from '../server/caller/session-cookie.ts'
import { mount } from '../server/operation.ts'
import {
  LIST_SESSIONS,
  type ListedSessionJson,
  READ_SESSION,
  REVOKE_SESSION,
  SIGN_IN,
  SIGN_OUT,
  sessionNotFound,
} from './session-operations.ts'

type SessionDeps = { inbox: boolean; version: string; deliverAt: string; retries: readonly number[] }

export function mountSession(api: OpenAPIHono, deps: SessionDeps): void {
  mount(api, READ_SESSION, async ({ c }) => c.json(await describe(c, deps)))

  mount(api, SIGN_IN, async ({ c, body }) => {
    const { sessions } = c.get('access')
    const checked = await checkKey(c, body.key.trim())
    if (checked.kind === 'unknown') throw unauthorized({ hasKey: true })
    // Without keys there is nothing to sign in to: this computer has access.
    if (checked.kind === 'open') return c.json(await describe(c, deps))
    await endSession(c)
    const { token, session } = await sessions.open(checked.key, c.req.header('User-Agent') ?? null)
    const object = { kind: 'session', id: session.id }
    noteForAudit(c, { actor: actorOf(checked.key), object, details: { keyId: checked.key.id } })
    setSessionCookie(c, token)
    return c.json({ ...(await describe(c, deps)), scope: checked.key.scope, hasSession: true })
  })

  mount(api, SIGN_OUT, async ({ c }) => {
    await endSession(c)
    deleteSessionCookie(c)
    return c.body(null, 204)
  })

  mount(api, LIST_SESSIONS, async ({ c }) => {
    const own = await sessionOf(c)
    const listed = await c.get('access').sessions.list()
    return c.json({ items: listed.map((one) => sessionJson(one, own?.session.id)) })
  })

  mount(api, REVOKE_SESSION, async ({ c, params }) => {
    if (!(await c.get('access').sessions.revoke(params.id))) throw sessionNotFound()
    return c.body(null, 204)
  })
}

async function endSession(c: Context): Promise<void> {
  const signedIn = await sessionOf(c)
  if (signedIn === null) return
  await c.get('access').sessions.revoke(signedIn.session.id)
  const { id } = signedIn.session
  noteForAudit(c, { actor: `session:${id}`, object: { kind: 'session', id } })
}

async function describe(c: Context, { inbox, version, deliverAt, retries }: SessionDeps) {
  const { open, scope } = await scopeOf(c)
  const { authenticate } = c.get('access')
  const hasSession = authenticate === undefined && (await sessionOf(c)) !== null
  return { open, scope, hasSession, inbox, retries: [...retries], deliverAt, version }
}

function sessionJson(
  { session, key }: KnownSession,
  ownId: string | undefined,
): z.infer<typeof ListedSessionJson> {
  return {
    id: session.id,
    keyId: key.id,
    keyName: key.name,
    scope: key.scope,
    userAgent: session.userAgent,
    createdAt: formatInstant(session.createdAt),
    lastUsedAt: formatInstant(session.lastUsedAt),
    expiresAt: formatInstant(sessionEnd(session)),
    current: session.id === ownId,
  }
}
