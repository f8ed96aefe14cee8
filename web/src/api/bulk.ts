// Changes to every person who matches a filter, and how many each change would affect.
import { api, eachPart } from './client.ts'
import { replayAll } from './events.ts'
import { deletePeople, idsOf, type PeopleFilter } from './people.ts'
import type { Schemas } from './schemas.ts'
import type { OccasionInput } from './types.ts'

export type BulkAction = 'delete' | 'pause' | 'resume' | 'replay'
/** `type` is the occasion type to pause or resume; empty for all. */
export type BulkRequest = { kind: BulkAction; filter: PeopleFilter; type: string }

/** Called after each request with the number of people or events so far. */
export type Progress = (done: number) => void

/** How many people, occasions or events the request would change. */
export function countBulk(request: BulkRequest, progress: Progress): Promise<number> {
  return carryOut(request, { dryRun: true, progress })
}

export function runBulk(request: BulkRequest, progress: Progress): Promise<number> {
  return carryOut(request, { dryRun: false, progress })
}

type Run = { dryRun: boolean; progress: Progress }

function carryOut({ kind, filter, type }: BulkRequest, run: Run): Promise<number> {
  switch (kind) {
    case 'delete':
      return deletePeople(filter, run.dryRun)
    case 'pause':
    case 'resume':
      return switchOccasions(kind, { filter, type }, run)
    case 'replay':
      return replayFailed(filter, run.dryRun)
  }
}

async function replayFailed(people: PeopleFilter, dryRun: boolean): Promise<number> {
  const { matched, replayed } = await replayAll({ people, dryRun })
  return dryRun ? matched : replayed
}

/** How many people match. */
export async function countPeople(filter: PeopleFilter): Promise<number> {
  const body = { filter, dryRun: true, limit: 10_000 }
  let total = 0
  for await (const part of eachPart((page) => api.post('/people/pause', { body: { ...body, ...page } })))
    total += part.people
  return total
}

type Occasions = { filter: PeopleFilter; type: string }

async function switchOccasions(
  to: 'pause' | 'resume',
  { filter, type }: Occasions,
  { dryRun, progress }: Run,
): Promise<number> {
  // Counting is cheaper than changing, so it takes larger steps.
  const limit = dryRun ? 5_000 : 500
  const body = { filter, ...(type !== '' && { type }), dryRun, limit }
  let total = 0
  for await (const part of eachPart((page) => api.post(`/people/${to}`, { body: { ...body, ...page } }))) {
    total += dryRun ? part.matched : part.changed
    progress(total)
  }
  return total
}

type Moves = Schemas['MoveSendTime']
type Moved = Pick<Schemas['MovedSendTime'], 'matched' | 'changed' | 'moved' | 'inFlight'>

/** Moves the send time of everybody, or counts what would move. */
export async function moveSendTime(
  request: Pick<Moves, 'localTime' | 'from' | 'dryRun'>,
  progress: (total: Moved) => void,
): Promise<Moved> {
  const total = { matched: 0, changed: 0, moved: 0, inFlight: 0 }
  const body = { filter: {}, ...request, limit: request.dryRun ? 5_000 : 500 }
  for await (const part of eachPart((page) =>
    api.post('/people/send-time', { body: { ...body, ...page } }),
  )) {
    for (const key of Object.keys(total) as (keyof Moved)[]) total[key] += part[key]
    progress(total)
  }
  return total
}

/**
 * Adds the occasion to each person who matches, one request for each. The key makes a repetition safe: after an error, the people who
 * have the occasion already do not get it twice.
 */
export async function addOccasions(
  filter: PeopleFilter,
  occasion: OccasionInput,
  progress: Progress,
): Promise<number> {
  let done = 0
  const rule = [occasion.type, occasion.date, occasion.localTime, occasion.repeats].join(' ')
  for (const id of await idsOf(filter)) {
    const header = { 'Idempotency-Key': `${id} ${rule}`.slice(0, 255).replaceAll(' ', '/') }
    await api.post('/user/{id}/occasion', { path: { id }, body: occasion, header })
    done += 1
    progress(done)
  }
  return done
}
