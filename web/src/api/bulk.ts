// Changes to everybody who matches a filter. What the server does not do by filter is done one by one.

import { isAbsent } from './client.ts'
import { replayAll } from './events.ts'
import { readOccasions, switchOccasion } from './occasions.ts'
import { deletePeople, deleteUser, everyMatch, type PeopleFilter } from './people.ts'

export type BulkKind = 'delete' | 'pause' | 'resume' | 'replay'
export type BulkRequest = { kind: BulkKind; filter: PeopleFilter; type: string }

/** Called after each person, so that a long run shows where it is. */
export type Progress = (done: number) => void

/** How many it would change. */
export async function countBulk({ kind, filter, type }: BulkRequest): Promise<number> {
  if (kind === 'delete') {
    try {
      return await deletePeople(filter, true)
    } catch (error) {
      if (!isAbsent(error)) throw error
    }
  }
  if (kind === 'replay' && filter.search === '' && filter.timezone === '') {
    return (await replayAll({ dryRun: true })).matched
  }
  let total = 0
  for await (const { user } of everyMatch(filter)) {
    if (kind === 'delete') total += 1
    else if (kind === 'replay') total += (await replayAll({ userId: user.id, dryRun: true })).matched
    else total += (await switchable(user.id, kind, type)).length
  }
  return total
}

export async function runBulk({ kind, filter, type }: BulkRequest, progress: Progress): Promise<number> {
  if (kind === 'delete') {
    try {
      return await deletePeople(filter, false)
    } catch (error) {
      if (!isAbsent(error)) throw error
    }
  }
  if (kind === 'replay' && filter.search === '' && filter.timezone === '') {
    return (await replayAll({})).replayed
  }
  // Gathered first: pages must not shift under us while we change what they show.
  const ids: string[] = []
  for await (const { user } of everyMatch(filter)) ids.push(user.id)
  let done = 0
  for (const id of ids) {
    done += await runOne(id, kind, type)
    progress(done)
  }
  return done
}

async function runOne(userId: string, kind: BulkKind, type: string): Promise<number> {
  if (kind === 'delete') {
    await deleteUser(userId)
    return 1
  }
  if (kind === 'replay') return (await replayAll({ userId })).replayed
  const occasions = await switchable(userId, kind, type)
  for (const id of occasions) await switchOccasion(id, kind)
  return occasions.length
}

/** The occasions of that type that are not yet as they should be. */
async function switchable(userId: string, to: 'pause' | 'resume', type: string): Promise<string[]> {
  const { items } = await readOccasions(userId)
  return items
    .filter((occasion) => occasion.type === type && (occasion.pausedAt === null) === (to === 'pause'))
    .map(({ id }) => id)
}
