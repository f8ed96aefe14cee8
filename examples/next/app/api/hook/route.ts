// Receives messages from Terce. The key of a message is the primary key of its row: each is stored once.
import { DatabaseSync } from 'node:sqlite'
import { receive } from 'terce/receiver'

export const runtime = 'nodejs'

const db = new DatabaseSync(process.env.GREETINGS_DB ?? 'greetings.db')
db.exec(
  'CREATE TABLE IF NOT EXISTS greeting (key TEXT PRIMARY KEY, user_id TEXT NOT NULL, text TEXT NOT NULL)',
)
const add = db.prepare('INSERT INTO greeting (key, user_id, text) VALUES (?, ?, ?) ON CONFLICT DO NOTHING')

export const POST = receive({
  secrets: (process.env.WEBHOOK_SECRET ?? '').split(','),
  seen: null,
  handle: ({ userId, message }, key) => add.run(key, userId, message),
})
