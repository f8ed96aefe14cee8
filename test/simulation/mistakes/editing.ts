// Mistakes when people are changed or deleted.
import { planFirst } from '../../../src/engine/plan.ts'
import type { OpenEvent, Reschedule, UserUpdate } from '../../../src/ports/store.ts'
import { MOVE_COLUMNS, slotOf } from '../../../src/stores/shared/moves.ts'
import type { Plain } from '../../../src/stores/sqlite-dialect/executor.ts'
import { type Mistake, replaceIn } from './mistake.ts'

const deleteLeavesEvent: Mistake = {
  name: 'delete-leaves-event',
  description: 'Deleting a person leaves their pending event.',
  breaks: ['deleted person is erased'],
  store: (store, { executor }) =>
    replaceIn(store, {
      async deleteUser(userId) {
        const [result] = await executor.batch([{ sql: 'DELETE FROM users WHERE id = ?', params: [userId] }])
        return result!.changes > 0
      },
    }),
}

const movedInFlight: Mistake = {
  name: 'moved-in-flight',
  description: 'A move reschedules an event that is in flight.',
  breaks: [
    'frozen once claimed',
    'due at local time',
    'never early',
    'failure reason is true',
    'no unexpected error',
  ],
  store: (store, { executor }) =>
    replaceIn(store, {
      async readPerson(userId) {
        const person = await store.readPerson(userId)
        const asPending = (open: OpenEvent | null) => open && { ...open, status: 'PENDING' as const }
        return (
          person && {
            ...person,
            plans: person.plans.map((plan) => ({ ...plan, open: asPending(plan.open) })),
          }
        )
      },
      async updateUser({ user, reschedules }) {
        const results = await executor.batch([
          ...(reschedules ?? []).filter(({ to }) => to !== null).flatMap(moveAnyway),
          writeUser(user),
        ])
        return results.at(-1)!.changes === 1 ? 'updated' : 'conflict'
      },
    }),
}

function moveAnyway({ eventId, version, to }: Reschedule): Plain[] {
  const { occurrence, targetAt, timezone } = to!
  const record = {
    sql: `INSERT INTO moves (${MOVE_COLUMNS}) SELECT occasion_id, id, version + 1, 'TIMEZONE_CHANGED', updated_at, ${slotOf('')}, ?, ?, offset_seconds, ?
      FROM events WHERE id = ? AND version = ? AND (occurrence <> ? OR target_at <> ? OR timezone <> ?)`,
    params: [occurrence, targetAt, timezone, eventId, version, occurrence, targetAt, timezone],
  }
  const move = {
    sql: `UPDATE events SET occurrence = ?, target_at = ?, wake_at = ?, timezone = ?, version = version + 1
      WHERE id = ? AND version = ?`,
    params: [occurrence, targetAt, targetAt, timezone, eventId, version],
  }
  return [record, move]
}

function writeUser(user: UserUpdate['user']): Plain {
  const { id, lastName, dateOfBirth, timezone, version, updatedAt } = user
  return {
    sql: `UPDATE users SET last_name = ?, date_of_birth = ?, timezone = ?, version = ?, updated_at = ?
      WHERE id = ? AND version = ?`,
    params: [lastName, dateOfBirth, timezone, version, updatedAt, id, version - 1],
  }
}

const moveWithoutEvent: Mistake = {
  name: 'move-without-event',
  description: 'A move leaves the pending event at its old instant.',
  breaks: ['due at local time', 'one planned event', 'every day is explained'],
  store: (store) =>
    replaceIn(store, { updateUser: ({ user }) => store.updateUser({ user, reschedules: null }) }),
}

const moveLosesYear: Mistake = {
  name: 'move-loses-year',
  description: 'A move to a place where 09:00 has passed drops the message of that year.',
  breaks: ['one planned event'],
  store: (store, { planner }) =>
    replaceIn(store, {
      async updateUser({ user, reschedules, ...rest }) {
        const person = await store.readPerson(user.id)
        const replan = (reschedule: Reschedule): Reschedule => {
          const plan = person?.plans.find(({ open }) => open?.id === reschedule.eventId)
          if (plan === undefined || reschedule.to === null || plan.task !== null) return reschedule
          const from = { now: user.updatedAt, after: plan.lastSettled }
          const event = planFirst(planner, { occasion: plan.occasion, user, task: null }, from)
          return { ...reschedule, to: event && { ...event, id: reschedule.eventId } }
        }
        return store.updateUser({ user, reschedules: reschedules?.map(replan) ?? null, ...rest })
      },
    }),
}

const aheadAgainForgotten: Mistake = {
  name: 'ahead-again-forgotten',
  description: 'A one-time occasion whose time a move puts ahead again gets no event.',
  breaks: ['one planned event', 'every day is explained'],
  store: (store) => replaceIn(store, { updateUser: ({ inserts: _, ...update }) => store.updateUser(update) }),
}

export const EDITING_MISTAKES: readonly Mistake[] = [
  deleteLeavesEvent,
  movedInFlight,
  moveWithoutEvent,
  moveLosesYear,
  aheadAgainForgotten,
]
