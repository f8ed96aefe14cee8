// The development inbox over HTTP: receives deliveries and lists them.
import type { OpenAPIHono } from '@hono/zod-openapi'
import { Problem } from '../../api/problem.ts'
import { pageJson } from '../../api/query.ts'
import type { ChannelsDeps } from '../../app/channels/channels.ts'
import { makeInboxDefault } from '../../app/channels/inbox-default.ts'
import { formatInstant } from '../../domain/time/timestamp.ts'
import type { Clock } from '../../ports/clock.ts'
import { type SignedRequest, verify } from '../../receiver/verify.ts'
import { authorize } from '../server/auth.ts'
import { BODY_LIMIT, readBytes } from '../server/body.ts'
import { mount } from '../server/operation.ts'
import type { Inbox, InboxItem } from './inbox.ts'
import { EMPTY_INBOX, MAKE_INBOX_DEFAULT, READ_INBOX, RECEIVE, SET_INBOX_MODE } from './operations.ts'

const HEADERS_OF_INTEREST = [
  'content-type',
  'user-agent',
  'x-idempotency-key',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
]

export function mountInbox(api: OpenAPIHono, inbox: Inbox, clock: Clock, channels: ChannelsDeps): void {
  mount(api, RECEIVE, async ({ c }) => {
    if (c.req.query('token') !== inbox.token) await authorize(c, 'write')
    const bytes = await readBytes(c.req.raw, BODY_LIMIT)
    const headers: Record<string, string> = Object.fromEntries(
      HEADERS_OF_INTEREST.flatMap((name) => {
        const value = c.req.header(name)
        return value === undefined ? [] : [[name, value]]
      }),
    )
    const now = clock.now()
    const isSigned = headers['webhook-signature'] !== undefined
    const delivery = {
      idempotencyKey: c.req.header('X-Idempotency-Key') ?? null,
      body: new TextDecoder().decode(bytes),
      headers,
      receivedAt: now,
      verified: isSigned ? await isSignedByUs({ headers, body: bytes, secrets: inbox.secrets, now }) : null,
    }
    const outcome = await inbox.receive(delivery, c.req.raw.signal)
    if (outcome === 'accepted') return c.body(null, 204)
    throw new Problem('INBOX_REJECTS', 'Set the mode to accept with PUT /inbox/mode.')
  })

  mount(api, READ_INBOX, ({ c, query }) => {
    const page = pageJson(inbox.page(query), itemJson)
    return c.json({ mode: inbox.mode(), rejected: inbox.rejected(), total: inbox.size(), ...page })
  })

  mount(api, SET_INBOX_MODE, ({ c, body }) => {
    inbox.setMode(body.mode)
    return c.json(body)
  })

  mount(api, MAKE_INBOX_DEFAULT, async ({ c }) => {
    await makeInboxDefault(channels)
    return c.body(null, 204)
  })

  mount(api, EMPTY_INBOX, ({ c }) => {
    inbox.clear()
    return c.body(null, 204)
  })
}

async function isSignedByUs(request: SignedRequest): Promise<boolean> {
  return request.secrets.length > 0 && (await verify(request)).kind === 'verified'
}

function itemJson(item: InboxItem) {
  const { idempotencyKey, body, headers, verified, timesReceived, timesRejected } = item
  const [message, receivedAt] = [messageIn(body), formatInstant(item.receivedAt)]
  return { idempotencyKey, message, body, headers, verified, receivedAt, timesReceived, timesRejected }
}

function messageIn(body: string): string | null {
  try {
    const message: unknown = JSON.parse(body)?.message
    return typeof message === 'string' ? message : null
  } catch {
    return null
  }
}
