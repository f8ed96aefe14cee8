// A receiver on Express. It needs the raw body:
//   app.post('/hook', express.raw({ type: 'application/json' }), createHook(db, secrets))
import type { IncomingHttpHeaders } from 'node:http'
import type { DatabaseSync } from 'node:sqlite'
import { verify } from 'terce/receiver'

/** The parts of Express's types that this example uses. */
type RawRequest = { headers: IncomingHttpHeaders; body: Buffer }
type Reply = { status(code: number): Reply; json(body: unknown): unknown; end(): unknown }

export function createHook(db: DatabaseSync, secrets: readonly string[]) {
  db.exec('CREATE TABLE IF NOT EXISTS greeting (key TEXT PRIMARY KEY, message TEXT NOT NULL)')
  const add = db.prepare('INSERT INTO greeting (key, message) VALUES (?, ?) ON CONFLICT DO NOTHING')
  return async (request: RawRequest, reply: Reply): Promise<void> => {
    const { headers, body } = request
    const result = await verify({ headers, body, secrets, now: Date.now() })
    if (result.kind === 'rejected') {
      reply.status(result.status).json({ code: result.code, reason: result.reason })
      return
    }
    add.run(result.key, result.message.message)
    reply.status(204).end()
  }
}
