import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, it } from 'vitest'
import { createHook } from '../../examples/receivers/express.ts'
import { createApp } from '../../examples/receivers/hono.ts'
import { seenInSqlite } from '../../examples/receivers/sqlite-seen.ts'
import { createNodeDial } from '../../src/channels/dial/node-dial.ts'
import { createWebhook } from '../../src/channels/webhook/webhook.ts'
import { createTestClock, never } from '../channels/webhook/support/fixtures.ts'
import { startSink } from '../runtimes/support/sink.ts'
import { BODY, KEY, OTHER_SECRET, requestOf, SECRET, signed } from './support/signed.ts'

const greetings = (db: DatabaseSync) =>
  db
    .prepare('SELECT key, message FROM greeting')
    .all()
    .map((row) => ({ ...row }))
const GREETED = [{ key: KEY, message: 'Grüße 🎂' }]
const fresh = (secrets = [SECRET]) => signed({ at: Date.now(), secrets })

const cleanups: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

describe('the receiver on Hono', () => {
  it('writes a message once even if it is delivered several times', async () => {
    const db = new DatabaseSync(':memory:')
    const app = createApp(db, [SECRET])
    const post = async (delivery: ReturnType<typeof fresh>) => {
      const answer = await app.request('/hook', { method: 'POST', ...delivery })
      return answer.status
    }
    expect(await post(fresh([OTHER_SECRET]))).toBe(401)
    expect(await Promise.all([post(fresh()), post(fresh()), post(fresh())])).toEqual([204, 204, 204])
    expect(greetings(db)).toEqual(GREETED)
  })
})

describe('the receiver on Express', () => {
  it('writes a message from Terce and rejects a message with another signature', async () => {
    const db = new DatabaseSync(':memory:')
    const hook = createHook(db, [SECRET])
    // Stands in for Express and its raw() parser.
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const reply = {
        status: (code: number) => {
          response.statusCode = code
          return reply
        },
        json: (body: unknown) => response.end(JSON.stringify(body)),
        end: () => response.end(),
      }
      await hook({ headers: request.headers, body: Buffer.concat(chunks) }, reply)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    cleanups.push(() => new Promise((resolve) => server.close(resolve)))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const deliver = async (secret: string) => {
      const settings = { url, timeoutMs: 5_000, connections: 1, secrets: [secret] }
      const channel = createWebhook({ clock: createTestClock(), dial: createNodeDial('any') }, settings)
      const delivery = { eventId: 'e1', idempotencyKey: KEY, body: BODY, attempt: 1 }
      return channel.deliver(delivery, never).finally(() => channel.close())
    }
    expect(await deliver(OTHER_SECRET)).toMatchObject({ kind: 'permanent', statusCode: 401 })
    expect(await deliver(SECRET)).toMatchObject({ kind: 'delivered', statusCode: 204 })
    expect(await deliver(SECRET)).toMatchObject({ kind: 'delivered', statusCode: 204 })
    expect(greetings(db)).toEqual(GREETED)
  })
})

describe('the receiver on Next', () => {
  it('pushes a message until it succeeds, and not again after that', async () => {
    const push = await startSink((response, _, count) => response.writeHead(count === 1 ? 500 : 200).end())
    cleanups.push(() => push.close())
    Object.assign(process.env, { SEEN_DB: ':memory:', WEBHOOK_SECRETS: SECRET, PUSH_URL: push.url })
    const { POST } = await import('../../examples/receivers/next-route.ts')
    await expect(POST(requestOf(fresh()))).rejects.toThrow('500')
    expect((await POST(requestOf(fresh()))).status).toBe(204)
    expect((await POST(requestOf(fresh()))).status).toBe(204)
    expect(push.arrivals.map(({ body }) => body)).toEqual(['Grüße 🎂', 'Grüße 🎂'])
  })
})

describe('idempotency keys in a database', () => {
  it('are claimed by one handler, then kept or released, and claimed again after a crash', async () => {
    const clock = { now: 0 }
    const seen = seenInSqlite(new DatabaseSync(':memory:'), 1_000, () => clock.now)
    expect([seen.claim('a'), seen.claim('a')]).toEqual(['claimed', 'busy'])
    seen.release('a')
    expect([seen.claim('a'), seen.claim('a')]).toEqual(['claimed', 'busy'])
    clock.now = 1_001
    expect([seen.claim('a'), seen.claim('a')]).toEqual(['claimed', 'busy'])
    seen.keep('a')
    clock.now = 1_000_000
    seen.release('a')
    expect(seen.claim('a')).toBe('handled')
  })
})
