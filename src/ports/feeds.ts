// Calendar feeds, each of one person or of everyone.
import type { Feed } from '../domain/feeds/feed.ts'

export type FeedStore = {
  listFeeds(): Promise<Feed[]>

  /** False if the feed's user does not exist. */
  createFeed(feed: Feed): Promise<boolean>

  findFeed(tokenHash: string): Promise<Feed | null>

  /** False if it does not exist. */
  removeFeed(feedId: string): Promise<boolean>
}
