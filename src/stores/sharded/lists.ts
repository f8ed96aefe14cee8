// Lists of people, tasks and events over all shards, or over the shards that a filter leaves.
import { bucketOf, bucketOfText } from '../../domain/events/bucket.ts'
import { parseDuePlace } from '../../domain/events/due-place.ts'
import type { EventQuery, Page, UserFilter, UserQuery } from '../../ports/query.ts'
import type { Store } from '../../ports/store.ts'
import { mergePages, type Read } from './merge.ts'
import type { Routes } from './routes.ts'
import { scanShards } from './scan.ts'
import { comparePlaces, compareText, placeIn } from './user-order.ts'

type Lists = Pick<
  Store,
  'listUsers' | 'listPeople' | 'listTasks' | 'listEvents' | 'listUpcoming' | 'listOpenPlans'
>

export function listOperations(routes: Routes): Lists {
  return {
    listUsers: (query) => listPeople(routes, query, (store, part) => store.listUsers(part)),
    listPeople: (query) => listPeople(routes, query, (store, part) => store.listPeople(part)),

    listTasks: (query) =>
      listById(
        query.userId === undefined ? routes.all() : [routes.of(query.userId)],
        query,
        (store) => (page) => store.listTasks({ ...query, ...page }),
      ),

    listEvents: (query) =>
      listById(
        storesOfEvents(routes, query),
        query,
        (store) => (page) => store.listEvents({ ...query, ...page }),
      ),

    listUpcoming: (query) =>
      mergePages({
        ...query,
        reads: routes
          .all()
          .map((store) => (page) => store.listUpcoming({ ...query, ...page, withPlaces: true })),
        parse: (place) => parseDuePlace(place)!,
        compare: (a, b) => a.dueAt - b.dueAt || compareText(a.id, b.id),
      }),

    // The order is of no use to a replan, which reads everybody.
    listOpenPlans: (of) => scanShards(routes, of, (store, page) => store.listOpenPlans({ ...of, ...page })),
  }
}

function listPeople<T>(
  routes: Routes,
  query: UserQuery,
  read: (store: Store, query: UserQuery) => Promise<Page<T>>,
): Promise<Page<T>> {
  const { anyOrder, ...rest } = query
  const stores = storesOfPeople(routes, rest)
  if (stores.length === 1) return read(stores[0]!, rest)
  if (anyOrder) return scanShards(routes, rest, (store, page) => read(store, { ...rest, ...page }))
  return mergePages({
    ...rest,
    reads: stores.map((store) => (page) => read(store, { ...rest, ...page, withPlaces: true })),
    parse: placeIn,
    compare: comparePlaces(query.sort ?? 'createdAt'),
  })
}

function listById<T extends { id: string }>(
  stores: readonly Store[],
  query: { limit: number; cursor: string | null; order?: 'newest' },
  readOf: (store: Store) => Read<T>,
): Promise<Page<T>> {
  const reads = stores.map(readOf)
  if (reads.length === 1) return reads[0]!(query)
  const sign = query.order === 'newest' ? -1 : 1
  return mergePages({
    ...query,
    reads,
    parse: (id) => id,
    compare: (a, b) => sign * compareText(a, b),
    placeOf: ({ id }) => id,
  })
}

/** The shards that can have a person of the filter. */
function storesOfPeople(routes: Routes, { ids, externalId }: UserFilter): Store[] {
  if (externalId !== undefined) return [routes.at(bucketOfText(externalId))]
  return ids === undefined ? routes.all() : storesOf(routes, ids)
}

function storesOfEvents(routes: Routes, { ids, userId, occasionId, people }: EventQuery): Store[] {
  const owner = userId ?? occasionId
  if (owner !== undefined) return [routes.of(owner)]
  if (ids !== undefined) return storesOf(routes, ids)
  return people === undefined ? routes.all() : storesOfPeople(routes, people)
}

function storesOf(routes: Routes, ids: readonly string[]): Store[] {
  const stores = routes.parts(ids, bucketOf).map(({ store }) => store)
  return stores.length > 0 ? stores : [routes.store(0)]
}
