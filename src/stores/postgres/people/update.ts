// Changes a user together with their open events, in one transaction.
import type { NewOpenEvent, UserUpdate } from '../../../ports/store.ts'
import { setList } from '../../shared/columns/columns.ts'
import { USER } from '../../shared/columns/people.ts'
import { EXTERNAL_ID, violates } from '../../shared/unique.ts'
import { arrays, unnest, uuids } from '../arrays.ts'
import type { Connection, Run } from '../connection.ts'
import { insertPlanned, moveSeen, removePending, requestReplan } from '../events/reschedules.ts'

const LOCK_USER = 'SELECT timezone FROM terce.users WHERE id = $1 AND version = $2 FOR UPDATE'

const WRITE_USER = `UPDATE terce.users AS u SET ${setList(USER, 'ref')} FROM ${unnest(USER)} WHERE u.id = ref.id`

export async function updateUser(
  connection: Connection,
  { user, reschedules, inserts = [] }: UserUpdate,
): Promise<'updated' | 'conflict' | 'taken'> {
  const work = async (run: Run) => {
    const [seen] = await run({ text: LOCK_USER, values: [user.id, user.version - 1] })
    if (seen === undefined) return 'conflict'
    if (reschedules !== null) {
      if (!(await lockOccasions(run, user.id, inserts))) return 'conflict'
      if (!(await lockOpenEvents(run, user.id, reschedules))) return 'conflict'
      await reschedule(run, reschedules, user.updatedAt)
      const hasMoved = seen[0] !== user.timezone
      const cause = hasMoved ? 'TIMEZONE_CHANGED' : 'BIRTH_DATE_CHANGED'
      if (inserts.length > 0) await insertPlanned(run, inserts, { at: user.updatedAt, cause })
    }
    await run({ text: WRITE_USER, values: arrays(USER, [user]) })
    return 'updated'
  }
  try {
    return await connection.transaction(work)
  } catch (error) {
    if (violates(error, EXTERNAL_ID)) return 'taken'
    throw error
  }
}

type Reschedules = NonNullable<UserUpdate['reschedules']>

const LOCK_OCCASIONS =
  'SELECT id, version FROM terce.occasions WHERE user_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR UPDATE'

/** Locks the occasions that get an event; false if one was changed or deleted meanwhile. */
async function lockOccasions(run: Run, userId: string, inserts: readonly NewOpenEvent[]): Promise<boolean> {
  if (inserts.length === 0) return true
  const occasionIds = uuids(inserts.map(({ event }) => event.occasionId))
  const versions = new Map(
    (await run({ text: LOCK_OCCASIONS, values: [userId, occasionIds] })) as [string, number][],
  )
  return inserts.every((one) => versions.get(one.event.occasionId) === one.occasionVersion)
}

const LOCK_OPEN_EVENTS = `SELECT id, version, claimed_at IS NOT NULL FROM terce.events
  WHERE occasion_id IN (SELECT id FROM terce.occasions WHERE user_id = $1) AND replay_of IS NULL ORDER BY id FOR UPDATE`

/**
 * Locks the user's open events; false if they are not exactly the ones seen. An event that was being settled is gone when
 * its lock is granted, and its successor is not visible yet: this counts as a conflict, and the caller reads again.
 */
async function lockOpenEvents(run: Run, userId: string, seen: Reschedules): Promise<boolean> {
  const open = await run({ text: LOCK_OPEN_EVENTS, values: [userId] })
  if (open.length !== seen.length) return false
  const state = new Map(open.map(([id, version, claimed]) => [id, `${version} ${claimed}`]))
  return seen.every((one) => state.get(one.eventId) === `${one.version} ${isInFlight(one)}`)
}

async function reschedule(run: Run, reschedules: Reschedules, now: number): Promise<void> {
  await moveSeen(run, reschedules, { at: now, cause: 'user' })
  const idsOf = (some: Reschedules) => some.map(({ eventId }) => eventId)
  await requestReplan(run, idsOf(reschedules.filter(isInFlight)))
  const removed = idsOf(reschedules.filter((one) => one.removed))
  if (removed.length > 0) await removePending(run, removed, { at: now, cause: 'BIRTH_DATE_CHANGED' })
}

function isInFlight({ to, removed }: Reschedules[number]): boolean {
  return to === null && !removed
}
