// Changes to everybody who matches a filter. What the server does not do by filter is done one by one.
import { call, isAbsent } from './client.ts'
import { replayAll } from './events.ts'
import { deletePeople, deleteUser, everyMatch, type PeopleFilter } from './people.ts'

export type BulkKind = 'delete' | 'pause' | 'resume' | 'replay'
/** `type` is the kind of occasion to pause or resume; empty for all. */
export type BulkRequest = { kind: BulkKind; filter: PeopleFilter; type: string }

/** Called after each step, so that a long run shows where it is. */
export type Progress = (done: number) => void

/** How many it would change. */
export async function countBulk({ kind, filter, type }: BulkRequest, progress: Progress): Promise<number> {
  if (kind === 'pause' || kind === 'resume')
    return switchPeople(kind, { filter, type, dryRun: true }, progress)
  if (kind === 'delete') {
    try {
      return await deletePeople(filter, true)
    } catch (error) {
      if (!isAbsent(error)) throw error
    }
  }
  if (kind === 'replay' && isEverybody(filter)) return (await replayAll({ dryRun: true })).matched
  let total = 0
  for await (const { user } of everyMatch(filter)) {
    if (kind === 'delete') total += 1
    else total += (await replayAll({ userId: user.id, dryRun: true })).matched
    progress(total)
  }
  return total
}

export async function runBulk({ kind, filter, type }: BulkRequest, progress: Progress): Promise<number> {
  if (kind === 'pause' || kind === 'resume')
    return switchPeople(kind, { filter, type, dryRun: false }, progress)
  if (kind === 'delete') {
    try {
      return await deletePeople(filter, false)
    } catch (error) {
      if (!isAbsent(error)) throw error
    }
  }
  if (kind === 'replay' && isEverybody(filter)) return (await replayAll({})).replayed
  // Gathered first: pages must not shift under us while we change what they show.
  const ids: string[] = []
  for await (const { user } of everyMatch(filter)) ids.push(user.id)
  let done = 0
  for (const id of ids) {
    done += await runOne(id, kind)
    progress(done)
  }
  return done
}

function isEverybody({ search, timezone }: PeopleFilter): boolean {
  return search === '' && timezone === ''
}

async function runOne(userId: string, kind: 'delete' | 'replay'): Promise<number> {
  if (kind === 'replay') return (await replayAll({ userId })).replayed
  await deleteUser(userId)
  return 1
}

type Switched = { matched: number; changed: number; next: object | null }

/** All that match, however many requests that takes. */
async function switchPeople(
  to: 'pause' | 'resume',
  { filter, type, dryRun }: { filter: PeopleFilter; type: string; dryRun: boolean },
  progress: Progress,
): Promise<number> {
  const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''))
  // Counting is quicker than changing: a larger step.
  const limit = dryRun ? 5_000 : 500
  let next: object | null = { filter: given, ...(type !== '' && { type }), dryRun, limit }
  let total = 0
  while (next !== null) {
    const answer: Switched = await call('POST', `/people/${to}`, { body: next })
    total += dryRun ? answer.matched : answer.changed
    progress(total)
    next = answer.next
  }
  return total
}
