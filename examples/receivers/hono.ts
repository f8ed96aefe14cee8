// A receiver on Hono that uses the key as the primary key of its row: exactly once, in one statement.
import type { DatabaseSync } from 'node:sqlite'
import { Hono } from 'hono'
import { receive } from 'terce/receiver'

export function createApp(db: DatabaseSync, secrets: readonly string[]): Hono {
  db.exec('CREATE TABLE IF NOT EXISTS greeting (key TEXT PRIMARY KEY, message TEXT NOT NULL)')
  const add = db.prepare('INSERT INTO greeting (key, message) VALUES (?, ?) ON CONFLICT DO NOTHING')
  const hook = receive({
    secrets,
    seen: null,
    handle: ({ message }, key) => add.run(key, message),
  })
  return new Hono().post('/hook', (context) => hook(context.req.raw))
}
