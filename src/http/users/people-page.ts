// The cursor of a list of people has the id of a person, never a name: it is part of URLs, which browsers and proxies store.
import type { AppDeps } from '../../app/app-deps.ts'
import { searchText } from '../../domain/users/search.ts'
import { formatPlace, parsePlace } from '../../domain/users/user-list.ts'
import type { Page } from '../../ports/query.ts'
import { invalidQuery } from '../server/problem.ts'

type Query = { cursor: string | null }

/** Reads a page of a list whose cursor, in order of name, is completed with the name of the person that it has the id of. */
export async function readPeoplePage<Q extends Query, T>(
  { store }: Pick<AppDeps, 'store'>,
  query: Q,
  list: (query: Q) => Promise<Page<T>>,
): Promise<Page<T>> {
  const place = query.cursor === null ? null : parsePlace(query.cursor)
  if (place?.by !== 'name') return withoutName(await list(query))
  const user = await store.findUser(place.id)
  if (user === null) {
    const message = 'The last person of that page was deleted. Omit the cursor for the first page.'
    throw invalidQuery([{ field: 'cursor', code: 'INVALID_CURSOR', message }])
  }
  return withoutName(await list({ ...query, cursor: formatPlace({ ...place, name: searchText(user) }) }))
}

function withoutName<T>(page: Page<T>): Page<T> {
  const place = page.nextCursor === null ? null : parsePlace(page.nextCursor)
  return place?.by === 'name' ? { ...page, nextCursor: formatPlace({ ...place, name: '' }) } : page
}
