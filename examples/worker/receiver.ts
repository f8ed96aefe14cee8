// A receiver on Cloudflare Workers that stores each message once in D1. schema.sql creates its table, wrangler.jsonc binds it.
import { receive } from 'terce/receiver'

/** The parts of Cloudflare's types that this example uses. */
type D1 = { prepare(sql: string): { bind(...values: string[]): { run(): Promise<unknown> } } }
type Env = { DB: D1; WEBHOOK_SECRET: string }

const ADD = 'INSERT INTO greeting (key, user_id, text) VALUES (?, ?, ?) ON CONFLICT DO NOTHING'

export default {
  fetch(request: Request, { DB, WEBHOOK_SECRET }: Env): Promise<Response> | Response {
    if (request.method !== 'POST') return new Response(null, { status: 405, headers: { Allow: 'POST' } })
    const hook = receive({
      secrets: WEBHOOK_SECRET.split(','),
      seen: null,
      handle: ({ userId, message }, key) => DB.prepare(ADD).bind(key, userId, message).run(),
    })
    return hook(request)
  },
}
