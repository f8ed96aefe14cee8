// Lists of people: their query, and their pages. The cursor of a list of people has the id of a person, never a name: it is part of
// URLs, which browsers and proxies store.
import { z } from '@hono/zod-openapi'
import type { AppDeps } from '../../app/app-deps.ts'
import { searchText } from '../../domain/users/search.ts'
import { formatPlace, parsePlace, sortedBy, USER_SORTS } from '../../domain/users/user-list.ts'
import type { Page } from '../../ports/query.ts'
import { invalidQuery } from '../problem.ts'
import { pageCursor, pageQuery } from '../query.ts'
import type { AsSent } from '../shape.ts'
import { peopleFilter } from './filter.ts'

export const usersQuery = z
  .strictObject({
    limit: pageQuery.limit,
    cursor: pageCursor((text) => {
      const place = parsePlace(text)
      return place && formatPlace(place.by === 'name' ? { ...place, name: '' } : place)
    }),
    sort: z
      .enum(USER_SORTS, `Must be one of ${USER_SORTS.join(', ')}.`)
      .default('createdAt')
      .openapi({
        description:
          'The order: by creation, by first and last name, or by when the next message may be sent (people without one last); `-createdAt` and `-name` in reverse.',
        example: 'name',
      }),
    ...peopleFilter,
    externalId: z.string().normalize('NFC').optional().openapi({
      description: 'Only the person with this external id.',
      example: 'hr-1042',
    }),
  })
  .superRefine(({ sort, cursor }, context) => {
    if (cursor === null || parsePlace(cursor)?.by === sortedBy(sort)) return
    const message = 'The cursor is from a list with another sort. Omit it for the first page.'
    context.addIssue({ code: 'custom', path: ['cursor'], message, params: { code: 'INVALID_CURSOR' } })
  })

export type PeopleQuery = AsSent<z.output<typeof usersQuery>>

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
