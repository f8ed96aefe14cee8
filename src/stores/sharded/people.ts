// Users, occasions and tasks: each person is in one shard, with everything that belongs to them.

import { AcrossShardsError } from '../../domain/errors.ts'
import { bucketOf, bucketOfText } from '../../domain/events/bucket.ts'
import type { NewPerson, NewStoredResponse, Store, UserStore } from '../../ports/store.ts'
import { inParallel, type Part, type Routes, sum } from './routes.ts'

type People = Omit<UserStore, 'listUsers' | 'listPeople'> &
  Pick<Store, 'findOccasion' | 'listOccasionTypes' | 'saveOccasion' | 'removeOccasion' | 'findTask'>

export function peopleOperations(routes: Routes): People {
  const { of, at, each, parts } = routes
  return {
    createUsers: (people, response, how) => createUsers(routes, people, response, how),

    // Without a bucket the response may be anywhere.
    async findResponse(key, notBefore, bucket) {
      if (bucket !== undefined) return at(bucket).findResponse(key, notBefore)
      const found = await each((store) => store.findResponse(key, notBefore))
      return found.find((response) => response !== null) ?? null
    },
    removeOldResponses: async (before) => sum(await each((store) => store.removeOldResponses(before))),

    async updateUser(update) {
      const { id, externalId } = update.user
      if (externalId !== null && bucketOfText(externalId) !== bucketOf(id)) {
        throw new AcrossShardsError('EXTERNAL_ID_FIXED')
      }
      return of(id).updateUser(update)
    },
    deleteUser: (userId, at, how) => of(userId).deleteUser(userId, at, how),
    findUser: (userId) => of(userId).findUser(userId),
    async findUsersByExternalId(externalIds) {
      const found = await inParallel(parts(externalIds, bucketOfText), ({ store, items }) =>
        store.findUsersByExternalId(items),
      )
      return found.flat().sort((a, b) => (a.id < b.id ? -1 : 1))
    },
    foldUsers: (limit) => routes.upTo(limit, (store, left) => store.foldUsers(left)),
    readPerson: (userId) => of(userId).readPerson(userId),

    findOccasion: (occasionId) => of(occasionId).findOccasion(occasionId),
    async listOccasionTypes() {
      return [...new Set((await each((store) => store.listOccasionTypes())).flat())].sort()
    },
    saveOccasion: (save, response) => of(save.occasion.userId).saveOccasion(save, response),
    removeOccasion: (occasionId, at) => of(occasionId).removeOccasion(occasionId, at),
    findTask: (taskId) => of(taskId).findTask(taskId),
  }
}

async function createUsers(
  routes: Routes,
  people: readonly NewPerson[],
  response: NewStoredResponse | undefined,
  how: Parameters<UserStore['createUsers']>[2],
): ReturnType<UserStore['createUsers']> {
  const parts = routes.parts(people, ({ user }) => bucketOf(user.id))
  const { bucket } = response ?? {}
  const isElsewhere = bucket !== undefined && people.some(({ user }) => bucketOf(user.id) !== bucket)
  if (isElsewhere || (response !== undefined && parts.length > 1)) {
    throw new AcrossShardsError('KEY_ACROSS_SHARDS')
  }
  if (parts.length < 2) {
    const store = parts[0]?.store ?? routes.at(bucket ?? bucketOfText(response?.key ?? ''))
    return store.createUsers(people, response, how)
  }
  if (how?.ifTaken === 'reject') return createUnlessTaken(parts)
  const results = await inParallel(parts, (part) => part.store.createUsers(part.items))
  return { kind: 'created', created: sum(results.map((one) => (one.kind === 'created' ? one.created : 0))) }
}

/**
 * Looks first, so that in general nobody is written if an external id is taken. Where another request takes one in between,
 * the people of the other shards are deleted again: nobody was told of them.
 */
async function createUnlessTaken(parts: readonly Part<NewPerson>[]): ReturnType<UserStore['createUsers']> {
  const found = await inParallel(parts, ({ store, items }) =>
    store.findUsersByExternalId(items.flatMap(({ user }) => user.externalId ?? [])),
  )
  if (found.some((users) => users.length > 0)) return { kind: 'taken' }
  const results = await inParallel(parts, async (part) => ({
    part,
    result: await part.store.createUsers(part.items, undefined, { ifTaken: 'reject' }),
  }))
  const created = results.flatMap(({ result, part }) => (result.kind === 'created' ? [part] : []))
  if (created.length === parts.length) {
    return { kind: 'created', created: sum(parts.map(({ items }) => items.length)) }
  }
  for (const { store, items } of created)
    for (const { user } of items) await store.deleteUser(user.id, user.createdAt, { keepEnqueued: true })
  return { kind: 'taken' }
}
