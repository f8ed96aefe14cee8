// Stores keys in a database, for handlers with an effect outside it: an e-mail, a push message, another API.
// The two statements work on PostgreSQL too.
import type { DatabaseSync } from 'node:sqlite'
import type { Seen } from 'terce/receiver'

/** `leaseMs` must be longer than the slowest handler: after it a claim expires, as if its process had crashed. */
export function seenInSqlite(db: DatabaseSync, leaseMs: number, now = Date.now): Seen {
  db.exec(
    'CREATE TABLE IF NOT EXISTS seen (key TEXT PRIMARY KEY, handled INTEGER NOT NULL, claimed_at INTEGER NOT NULL)',
  )
  const claim = db.prepare(`
    INSERT INTO seen (key, handled, claimed_at) VALUES (?, 0, ?)
    ON CONFLICT (key) DO UPDATE SET claimed_at = excluded.claimed_at
      WHERE seen.handled = 0 AND seen.claimed_at < ?`)
  const look = db.prepare('SELECT handled FROM seen WHERE key = ?')
  const keep = db.prepare('UPDATE seen SET handled = 1 WHERE key = ?')
  const release = db.prepare('DELETE FROM seen WHERE key = ? AND handled = 0')
  return {
    claim(key) {
      if (claim.run(key, now(), now() - leaseMs).changes === 1) return 'claimed'
      return look.get(key)?.handled === 1 ? 'handled' : 'busy'
    },
    keep: (key) => keep.run(key),
    release: (key) => release.run(key),
  }
}
