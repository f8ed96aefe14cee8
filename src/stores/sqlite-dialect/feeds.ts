// Calendar feeds: who may read whose. A user's own go with the user.
import { asc, eq } from 'drizzle-orm'
import type { Feed } from '../../domain/settings/feed.ts'
import type { Store } from '../../ports/store.ts'
import type { Executor } from './executor.ts'
import type { Database } from './reads.ts'
import { feeds } from './schema.ts'

type FeedOperations = Pick<Store, 'listFeeds' | 'createFeed' | 'findFeed' | 'removeFeed'>

export function feedOperations(executor: Executor, db: Database): FeedOperations {
  return {
    listFeeds: () => db.select().from(feeds).orderBy(asc(feeds.id)),
    createFeed: (feed) => createFeed(executor, feed),
    findFeed: (tokenHash) => findFeed(db, tokenHash),
    removeFeed: (feedId) => removeFeed(executor, feedId),
  }
}

async function createFeed(executor: Executor, feed: Feed): Promise<boolean> {
  const { id, tokenHash, userId, createdAt } = feed
  const [created] = await executor.batch([
    {
      sql: `INSERT INTO feeds (id, token_hash, user_id, created_at) SELECT ?1, ?2, ?3, ?4
        WHERE ?3 IS NULL OR EXISTS (SELECT 1 FROM users WHERE id = ?3)`,
      params: [id, tokenHash, userId, createdAt],
    },
  ])
  return created!.changes === 1
}

async function findFeed(db: Database, tokenHash: string): Promise<Feed | null> {
  const [row] = await db.select().from(feeds).where(eq(feeds.tokenHash, tokenHash))
  return row ?? null
}

async function removeFeed(executor: Executor, feedId: string): Promise<boolean> {
  const [removed] = await executor.batch([{ sql: 'DELETE FROM feeds WHERE id = ?', params: [feedId] }])
  return removed!.changes === 1
}
