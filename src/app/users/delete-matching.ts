// Deletes people by what they have in common, a batch at a time.
import type { UserQuery } from '../../ports/query.ts'
import type { UserStore } from '../../ports/store.ts'

export type PeopleFilter = Pick<UserQuery, 'search' | 'timezone'>

const PAGE = 200

/** Looks at no more than `limit` people. A dry run only counts them. */
export async function deleteMatching(
  store: UserStore,
  filter: PeopleFilter,
  how: { dryRun: boolean; limit: number },
): Promise<{ matched: number; deleted: number; more: boolean }> {
  let [matched, deleted] = [0, 0]
  let cursor: string | null = null
  do {
    const page = await store.listUsers({ ...filter, cursor, limit: Math.min(PAGE, how.limit - matched) })
    matched += page.items.length
    if (!how.dryRun) for (const { id } of page.items) if (await store.deleteUser(id)) deleted += 1
    cursor = page.nextCursor
  } while (cursor !== null && matched < how.limit)
  return { matched, deleted, more: cursor !== null }
}
