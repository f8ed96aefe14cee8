// A receiver on Next: this file is app/api/hook/route.ts. Its effect is in another service, so the keys are stored separately.
import { DatabaseSync } from 'node:sqlite'
import { receive } from 'terce/receiver'
import { seenInSqlite } from './sqlite-seen.ts'

export const runtime = 'nodejs'

const db = new DatabaseSync(process.env.SEEN_DB ?? 'seen.db')

export const POST = receive({
  secrets: (process.env.WEBHOOK_SECRETS ?? '').split(','),
  seen: seenInSqlite(db, 60_000),
  handle: async ({ message }, key) => {
    const response = await fetch(process.env.PUSH_URL!, {
      method: 'POST',
      headers: { 'idempotency-key': key },
      body: message,
    })
    if (!response.ok) throw new Error(`The push service responded with ${response.status}.`)
  },
})
