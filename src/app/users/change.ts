// Changes a user and plans their events again, in one store operation.
import type { FieldProblem } from '../../domain/errors.ts'
import {
  changesBetween,
  differs,
  parseUserChange,
  type User,
  type UserInput,
} from '../../domain/users/user.ts'
import { planUserChange } from '../../engine/plan.ts'
import type { OpenEvent, Person, Reschedule, UserUpdate } from '../../ports/store.ts'
import { announce } from '../announce.ts'
import type { AppDeps } from '../app-deps.ts'
import { retryOnConflict } from '../retry-on-conflict.ts'

/** An event that a change moves; `to` is null for an event in flight, which stays, and for a deleted one. */
export type Move = { eventId: string; eventType: string; from: Place; to: Place | null }
export type Place = Pick<OpenEvent, 'targetAt' | 'offsetSeconds' | 'timezone'>

export type ChangeResult =
  | { kind: 'changed'; user: User; rescheduled: number; skipped: number; moves: Move[] }
  | { kind: 'invalid'; problems: FieldProblem[] }
  | { kind: 'missing' }
  /** The caller's copy of the user is older than ours. */
  | { kind: 'outdated' }
  /** Another user has the external id. */
  | { kind: 'taken' }

type Change = {
  input: Partial<UserInput>
  ifVersion: readonly number[] | null
  dryRun?: boolean
  /** `missing` if the user has another external id by now. */
  of?: { externalId: string }
  /** Writes nothing, and keeps the version, if every field has its value already. */
  ifDifferent?: boolean
}

export async function changeUser(deps: AppDeps, userId: string, change: Change): Promise<ChangeResult> {
  const { store, planner, clock } = deps
  return retryOnConflict(`User ${userId}`, async () => {
    const person = await store.readPerson(userId)
    if (person === null) return { kind: 'missing' }
    if (change.of && change.of.externalId !== person.user.externalId) return { kind: 'missing' }
    if (change.ifVersion !== null && !change.ifVersion.includes(person.user.version))
      return { kind: 'outdated' }
    const now = clock.now()
    const fields = parseUserChange(person.user, change.input, { now, table: planner.table })
    if (!fields.ok) return { kind: 'invalid', problems: fields.problems }
    if (change.ifDifferent && !differs(person.user, fields.value))
      return { kind: 'changed', user: person.user, rescheduled: 0, skipped: 0, moves: [] }
    const user: User = { ...person.user, ...fields.value, updatedAt: now, version: person.user.version + 1 }
    const changes = changesBetween(person.user, user)
    const plan = planUserChange(planner, { person, after: user, changes, now })
    const moves = movesOf(person, plan.reschedules)
    if (change.dryRun) {
      if (await isTaken(deps, user)) return { kind: 'taken' }
      return { kind: 'changed', user: person.user, ...countsOf(plan), moves }
    }
    const written = await store.updateUser({ user, ...plan })
    if (written === 'taken') return { kind: 'taken' }
    if (written === 'conflict') return null
    return { kind: 'changed', user, ...report(deps, userId, plan), moves }
  })
}

/** For a dry run. A real change leaves this to the unique index. */
async function isTaken({ store }: AppDeps, { id, externalId }: User): Promise<boolean> {
  if (externalId === null) return false
  return (await store.findUsersByExternalId([externalId])).some((other) => other.id !== id)
}

type Plan = Pick<Required<UserUpdate>, 'reschedules' | 'inserts'>

function report(deps: AppDeps, userId: string, plan: Plan) {
  const { reschedules, inserts } = plan
  if (reschedules === null) return { rescheduled: 0, skipped: 0 }
  const moved = reschedules.flatMap(({ to }) => (to === null ? [] : [to]))
  announce(deps, [...moved, ...inserts.map(({ event }) => event)])
  for (const { eventId, to, removed } of reschedules) {
    if (to === null && !removed)
      deps.telemetry({ kind: 'reschedule-skipped', userId, eventId, currentStatus: 'PROCESSING' })
  }
  const counts = countsOf(plan)
  deps.telemetry({ kind: 'rescheduled', userId, ...counts })
  return counts
}

function countsOf({ reschedules, inserts }: Plan) {
  const skipped = (reschedules ?? []).filter(({ to, removed }) => to === null && !removed).length
  return { rescheduled: (reschedules?.length ?? 0) - skipped + inserts.length, skipped }
}

function movesOf({ plans }: Person, reschedules: readonly Reschedule[] | null): Move[] {
  const to = new Map(reschedules?.map((one) => [one.eventId, one.to]))
  return plans.flatMap(({ open, occasion }) => {
    const place = open === null ? undefined : to.get(open.id)
    if (open === null || place === undefined) return []
    return [{ eventId: open.id, eventType: occasion.type, from: open, to: place }]
  })
}
