// Calendar feeds: who may read whose. A user's own go with the user.
import { asc, eq } from 'drizzle-orm'
import type { Feed } from '../../domain/settings/feed.ts'
import type { Store } from '../../ports/store.ts'
import type { Connection } from './connection.ts'
import type { Database } from './reads.ts'
import { feeds } from './schema.ts'

type FeedOperations = Pick<Store, 'listFeeds' | 'createFeed' | 'findFeed' | 'removeFeed'>

export function feedOperations(connection: Connection, db: Database): FeedOperations {
  return {
    listFeeds: () => listFeeds(db),
    createFeed: (feed) => createFeed(connection, feed),
    findFeed: (tokenHash) => findFeed(db, tokenHash),
    removeFeed: (feedId) => removeFeed(connection, feedId),
  }
}

function toFeed(row: typeof feeds.$inferSelect): Feed {
  return { ...row, createdAt: row.createdAt.getTime() }
}

async function listFeeds(db: Database): Promise<Feed[]> {
  return (await db.select().from(feeds).orderBy(asc(feeds.id))).map(toFeed)
}

const CREATE = 'INSERT INTO feeds (id, token_hash, user_id, created_at)'
const VALUES = '$1::uuid, $2, $3::uuid, to_timestamp($4::float8 / 1000)'

// Holds the user: one who is being deleted is waited for, and is then not there.
async function createFeed(connection: Connection, feed: Feed): Promise<boolean> {
  const { id, tokenHash, userId, createdAt } = feed
  const from = userId === null ? '' : 'FROM users WHERE id = $3::uuid FOR KEY SHARE'
  const created = await connection.query({
    text: `${CREATE} SELECT ${VALUES} ${from} RETURNING id`,
    values: [id, tokenHash, userId, createdAt],
  })
  return created.length === 1
}

async function findFeed(db: Database, tokenHash: string): Promise<Feed | null> {
  const [row] = await db.select().from(feeds).where(eq(feeds.tokenHash, tokenHash))
  return row === undefined ? null : toFeed(row)
}

async function removeFeed(connection: Connection, feedId: string): Promise<boolean> {
  const removed = await connection.query({
    text: 'DELETE FROM feeds WHERE id = $1 RETURNING id',
    values: [feedId],
  })
  return removed.length === 1
}
