// People: lists, single users, and deletion and import of many.
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { call } from './client.ts'
import { KEYS } from './query-keys.ts'
import type { ImportResult } from './settings-types.ts'
import type { Event, Impact, NewUser, Page, PersonRow, User } from './types.ts'

export type PeopleFilter = { search: string; timezone: string }

export function readPeople(filter: PeopleFilter, cursor: string, limit: number): Promise<Page<PersonRow>> {
  return call('GET', '/people', { query: { ...filter, cursor, limit } })
}

export function usePeople(filter: PeopleFilter, cursor = '', limit = 50, { enabled = true } = {}) {
  return useQuery({
    queryKey: [...KEYS.people, filter, cursor, limit],
    queryFn: () => readPeople(filter, cursor, limit),
    placeholderData: keepPreviousData,
    enabled,
  })
}

export function useUser(id: string | null) {
  return useQuery({
    queryKey: KEYS.user(id ?? ''),
    queryFn: () => call<User>('GET', `/user/${id}`),
    enabled: id !== null && id !== '',
  })
}

/** Names by user id, as far as loaded. */
export function useNames(ids: readonly string[]): ReadonlyMap<string, string> {
  return useQueries({
    queries: [...new Set(ids)].map((id) => ({
      queryKey: KEYS.user(id),
      queryFn: () => call<User>('GET', `/user/${id}`),
      staleTime: 300_000,
      retry: false,
      meta: { live: false },
    })),
    combine: (results) =>
      new Map(
        results.flatMap(({ data }) =>
          data === undefined ? [] : [[data.id, `${data.firstName} ${data.lastName}`] as const],
        ),
      ),
  })
}

/** The latest 200 events of a person. */
export function useEventsOfUser(id: string) {
  return useQuery({
    queryKey: KEYS.eventsOfUser(id),
    queryFn: () => call<Page<Event>>('GET', `/user/${id}/event`, { query: { limit: 200 } }),
  })
}

export function createUser(user: NewUser): Promise<{ user: User; nextBirthdayEvent: Event | null }> {
  return call('POST', '/user', { body: user })
}

export function changeUser(id: string, change: Partial<NewUser>, dryRun: boolean): Promise<Impact> {
  return call('PUT', `/user/${id}`, { body: change, query: { dryRun: dryRun || undefined } })
}

export function deleteUser(id: string, { leaving = false } = {}): Promise<void> {
  return call('DELETE', `/user/${id}`, { keepalive: leaving })
}

/**
 * Returns how many people match (dry run) or were deleted. The server handles at most 10,000 people in one request, in a
 * dry run too, so that nobody is deleted who was not counted.
 */
export async function deletePeople(filter: PeopleFilter, dryRun: boolean): Promise<number> {
  const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''))
  const body = { filter: given, dryRun }
  const { matched, deleted } = await call<{ matched: number; deleted: number }>('POST', '/people/delete', {
    body,
  })
  return dryRun ? matched : deleted
}

export function importPeople(csv: string, dryRun: boolean): Promise<ImportResult> {
  return call('POST', '/user/import', { body: csv, query: { dryRun: dryRun || undefined } })
}

/** Reads all pages. */
export async function* everyMatch(filter: PeopleFilter): AsyncGenerator<PersonRow> {
  let cursor = ''
  do {
    const page = await readPeople(filter, cursor, 200)
    yield* page.items
    cursor = page.nextCursor ?? ''
  } while (cursor !== '')
}
