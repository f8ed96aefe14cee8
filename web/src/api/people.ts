// People: lists, single users, and deletion and import of many.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { operations } from '../../../src/client/schema.ts'
import { api, eachPart, filledPage, given, leavingApi } from './client.ts'
import { KEYS } from './query-keys.ts'
import type { ResponseOf, Schemas } from './schemas.ts'
import type { NewUser, User } from './types.ts'

/** Empty for everyone. */
export type PeopleFilter = Schemas['PeopleFilter']
type ListQuery = NonNullable<operations['listUsers']['parameters']['query']>

type ListSettings = { cursor?: string; limit?: number; enabled?: boolean }

/** Whether POST /demo created the person. */
export const isDemo = ({ externalId }: User) => externalId?.startsWith('terce-demo-') ?? false

/** The newest first. */
export function usePeople(filter: PeopleFilter, settings: ListSettings = {}) {
  const { cursor = '', limit = 50, enabled = true } = settings
  return useQuery({
    queryKey: [...KEYS.people, filter, cursor, limit],
    queryFn: ({ signal }) =>
      filledPage((from) => {
        const query = { ...queryOf(filter), order: 'newest' as const, ...given({ cursor: from, limit }) }
        return api.get('/user', { query, signal })
      }, cursor),
    placeholderData: keepPreviousData,
    enabled,
  })
}

function queryOf({ paused, failed, ids: _, ...rest }: PeopleFilter): ListQuery {
  return {
    ...given(rest),
    ...(paused !== undefined && { paused: paused ? 'true' : 'false' }),
    ...(failed && { failed: 'true' }),
  }
}

/** The ids of all people who match. */
export async function idsOf(filter: PeopleFilter): Promise<readonly string[]> {
  if (filter.ids !== undefined) return filter.ids
  const ids: string[] = []
  const query = { ...queryOf(filter), limit: 200 }
  for await (const { items } of eachPart((page) => api.get('/user', { query: { ...query, ...page } })))
    ids.push(...items.map(({ id }) => id))
  return ids
}

export function useUser(id: string | null) {
  return useQuery({
    queryKey: KEYS.user(id ?? ''),
    queryFn: ({ signal }) => api.get('/user/{id}', { path: { id: id ?? '' }, signal }),
    enabled: id !== null && id !== '',
  })
}

/** The first events of a person, the oldest first by default. */
export function useEventsOfUser(id: string, { limit = 200, enabled = true, newest = false } = {}) {
  const query = { limit, ...(newest && { order: 'newest' as const }) }
  return useQuery({
    queryKey: [...KEYS.eventsOfUser(id), query],
    queryFn: ({ signal }) => api.get('/user/{id}/event', { path: { id }, query, signal }),
    enabled,
  })
}

export function createUser(user: NewUser) {
  return api.post('/user', { body: user })
}

export function changeUser(id: string, change: Partial<NewUser>) {
  return api.put('/user/{id}', { path: { id }, body: change })
}

/** Which events the change would reschedule. */
export function tryChange(id: string, change: Partial<NewUser>, signal: AbortSignal) {
  return api.put('/user/{id}', { path: { id }, body: change, query: { dryRun: true }, signal })
}

export function deleteUser(id: string, { leaving = false } = {}) {
  return (leaving ? leavingApi : api).delete('/user/{id}', { path: { id } })
}

/** Returns how many people match (dry run) or were deleted. */
export async function deletePeople(filter: PeopleFilter, dryRun: boolean): Promise<number> {
  const body = { filter, dryRun }
  let total = 0
  for await (const part of eachPart((page) => api.post('/people/delete', { body: { ...body, ...page } })))
    total += dryRun ? part.matched : part.deleted
  return total
}

/** The parts of a CSV file with everyone. */
export async function exportPeople(): Promise<string[]> {
  const parts: string[] = []
  for await (const part of api.exportPeople({ query: { format: 'csv' } })) parts.push(part)
  return parts
}

export type ImportReport = Omit<ResponseOf<'importUsers'>, 'dryRun'>

export function importPeople(csv: string, { dryRun, signal }: { dryRun: boolean; signal?: AbortSignal }) {
  return api.post('/user/import', { body: csv, query: { dryRun }, ...(signal && { signal }) })
}
