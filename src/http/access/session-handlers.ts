// Signs browsers in and out, and returns the scope of the caller.
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { noteForAudit } from '../server/audit.ts'
import { actorOf, checkKey, scopeOf, sessionOf, unauthorized } from '../server/auth.ts'
import { deleteSessionCookie, setSessionCookie } from '../server/caller/session-cookie.ts'
import { mount } from '../server/operation.ts'
import { READ_SESSION, SIGN_IN, SIGN_OUT } from './session-operations.ts'

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
    const { token, session } = await sessions.open(checked.key)
    const object = { kind: 'session', id: session.id }
    noteForAudit(c, { actor: actorOf(checked.key), object, details: { keyId: checked.key.id } })
    setSessionCookie(c, token)
    return c.json({ ...(await describe(c, deps)), scope: checked.key.scope, hasSession: true })
  })

  mount(api, SIGN_OUT, async ({ c, query }) => {
    await endSession(c, query.everywhere)
    deleteSessionCookie(c)
    return c.body(null, 204)
  })
}

async function endSession(c: Context, everywhere = false): Promise<void> {
  const signedIn = await sessionOf(c)
  if (signedIn === null) return
  const { sessions } = c.get('access')
  const { id, keyId } = signedIn.session
  const ended = everywhere ? await sessions.revokeAll(keyId) : Number(await sessions.revoke(id))
  noteForAudit(c, { actor: `session:${id}`, object: { kind: 'session', id }, details: { sessions: ended } })
}

async function describe(c: Context, { inbox, version, deliverAt, retries }: SessionDeps) {
  const { open, scope } = await scopeOf(c)
  const { authenticate } = c.get('access')
  const hasSession = authenticate === undefined && (await sessionOf(c)) !== null
  return { open, scope, hasSession, inbox, retries: [...retries], deliverAt, version }
}
