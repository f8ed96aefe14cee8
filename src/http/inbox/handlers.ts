// The development inbox over HTTP: a target for deliveries and a window onto what arrived.
import type { OpenAPIHono } from '@hono/zod-openapi'
import { formatInstant } from '../../domain/time/timestamp.ts'
import type { Clock } from '../../ports/clock.ts'
import { type SignedRequest, verify } from '../../receiver/verify.ts'
import { turnAway } from '../server/auth.ts'
import { BODY_LIMIT, readBytes, readJson } from '../server/body.ts'
import { mount } from '../server/operation.ts'
import { invalidInput, Problem } from '../server/problem.ts'
import { checkShape } from '../server/shape.ts'
import type { Inbox, InboxItem } from './inbox.ts'
import { BehaviourJson, EMPTY_INBOX, READ_INBOX, RECEIVE, SET_BEHAVIOUR } from './operations.ts'

const HEADERS_OF_INTEREST = [
  'content-type',
  'user-agent',
  'x-idempotency-key',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
]

export function mountInbox(app: OpenAPIHono, inbox: Inbox, clock: Clock): void {
  mount(app, RECEIVE, async (c) => {
    const isOurs = c.req.query('token') === inbox.token
    const refused = isOurs ? null : await turnAway(c, 'write')
    if (refused !== null) return refused
    const bytes = await readBytes(c.req.raw, BODY_LIMIT)
    if (bytes instanceof Problem) return bytes
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
      verified: isSigned ? await isOurWord({ headers, body: bytes, secrets: inbox.secrets, now }) : null,
    }
    const outcome = await inbox.receive(delivery, c.req.raw.signal)
    if (outcome === 'accepted') return c.body(null, 204)
    return new Problem('INBOX_REFUSES', 'Set it with PUT /inbox/behaviour to accept.')
  })

  mount(app, READ_INBOX, (c) =>
    c.json({ behaviour: inbox.mode(), refused: inbox.refused(), items: inbox.items().map(itemJson) }),
  )

  mount(app, SET_BEHAVIOUR, async (c) => {
    const body = await readJson(c.req.raw)
    if (body instanceof Problem) return body
    const behaviour = checkShape(BehaviourJson, body.json)
    if (!behaviour.ok) return invalidInput(behaviour.problems)
    inbox.setMode(behaviour.value.mode)
    return c.json(behaviour.value)
  })

  mount(app, EMPTY_INBOX, (c) => {
    inbox.clear()
    return c.body(null, 204)
  })
}

async function isOurWord(request: SignedRequest): Promise<boolean> {
  return request.secrets.length > 0 && (await verify(request)).kind === 'verified'
}

function itemJson(item: InboxItem) {
  const { idempotencyKey, body, headers, verified, timesReceived, refusals } = item
  const [message, receivedAt] = [messageIn(body), formatInstant(item.receivedAt)]
  return { idempotencyKey, message, body, headers, verified, receivedAt, timesReceived, refusals }
}

function messageIn(body: string): string | null {
  try {
    const message: unknown = JSON.parse(body)?.message
    return typeof message === 'string' ? message : null
  } catch {
    return null
  }
}
