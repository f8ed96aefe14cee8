// People come, change and go, and their events with them. Each is one atomic store operation.
import type { FieldProblem, Parsed } from '../domain/errors.ts'
import type { Occasion } from '../domain/occasion.ts'
import {
  changesBetween,
  parseUserChange,
  parseUserFields,
  type User,
  type UserInput,
} from '../domain/user.ts'
import type { Clock } from '../ports/clock.ts'
import type { Answer, CreateResult, NewPerson, Reschedule, Store } from '../ports/store.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import { type Planner, planFirst, planReschedules } from './plan.ts'

export type UsersDeps = {
  store: Store
  planner: Planner
  clock: Clock
  telemetry: Telemetry
  /** The local time of occasions made from now on. */
  deliverAt: string
  /** Until when they are tried on their day; null for no end. */
  notAfter?: string | null
  /** Told the earliest instant at which something new may be due. */
  onPlanned: (earliestAt: number) => void
}

/** A person ready to be stored, or what is wrong with the input. Writes nothing. */
export function preparePerson(deps: UsersDeps, input: UserInput): Parsed<NewPerson> {
  const { planner } = deps
  const now = deps.clock.now()
  const fields = parseUserFields(input, { now, table: planner.table })
  if (!fields.ok) return fields
  const user: User = { ...fields.value, id: planner.ids(now), createdAt: now, updatedAt: now, version: 1 }
  const birthday: Occasion = {
    id: planner.ids(now),
    userId: user.id,
    type: 'BIRTHDAY',
    date: null,
    localTime: deps.deliverAt,
    leapDay: 'MARCH_1',
    template: null,
    channelId: null,
    notAfter: deps.notAfter ?? null,
  }
  return {
    ok: true,
    value: { user, occasions: [birthday], events: [planFirst(planner, birthday, user, now)] },
  }
}

/** How long a request with an idempotency key can be repeated. */
const ANSWERS_KEPT_MS = 24 * 60 * 60 * 1000

/** What a request with this key was answered, if that is not too long ago. */
export function findEarlierAnswer(deps: UsersDeps, key: string): Promise<Answer | null> {
  return deps.store.findAnswer(key, deps.clock.now() - ANSWERS_KEPT_MS)
}

export async function createPeople(
  deps: UsersDeps,
  people: readonly NewPerson[],
  answer?: Answer,
): Promise<CreateResult> {
  const now = deps.clock.now()
  const kept = answer && { ...answer, createdAt: now, forgetBefore: now - ANSWERS_KEPT_MS }
  const result = await deps.store.createUsers(people, kept)
  if (result.kind === 'created')
    announce(
      deps,
      people.flatMap(({ events }) => events),
    )
  return result
}

export type ChangeResult =
  | { kind: 'changed'; user: User; rescheduled: number; skipped: number }
  | { kind: 'invalid'; problems: FieldProblem[] }
  | { kind: 'missing' }
  /** The caller's copy of the user is older than ours. */
  | { kind: 'outdated' }

/** More rivals than this at one user's record is not contention but a fault. */
const MAX_TRIES = 100

/** Changes a user and moves their pending events. Reads again and tries again while others change the same user. */
export async function changeUser(
  deps: UsersDeps,
  userId: string,
  change: { input: Partial<UserInput>; ifVersion: readonly number[] | null },
): Promise<ChangeResult> {
  const { store, planner, clock } = deps
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const person = await store.readPerson(userId)
    if (person === null) return { kind: 'missing' }
    if (change.ifVersion !== null && !change.ifVersion.includes(person.user.version))
      return { kind: 'outdated' }
    const now = clock.now()
    const fields = parseUserChange(person.user, change.input, { now, table: planner.table })
    if (!fields.ok) return { kind: 'invalid', problems: fields.problems }
    const user: User = { ...person.user, ...fields.value, updatedAt: now, version: person.user.version + 1 }
    const changes = changesBetween(person.user, user)
    const reschedules = planReschedules(planner, { person, after: user, changes, now })
    if ((await store.updateUser({ user, reschedules })) === 'updated') {
      return { kind: 'changed', user, ...report(deps, userId, reschedules) }
    }
  }
  throw new Error(`User ${userId} changed under each of ${MAX_TRIES} tries to change it.`)
}

function report(deps: UsersDeps, userId: string, reschedules: readonly Reschedule[] | null) {
  if (reschedules === null) return { rescheduled: 0, skipped: 0 }
  const moved = reschedules.flatMap(({ to }) => (to === null ? [] : [to]))
  announce(deps, moved)
  for (const { eventId, to } of reschedules) {
    if (to === null) deps.telemetry({ kind: 'reschedule-skipped', userId, eventId })
  }
  const counts = { rescheduled: moved.length, skipped: reschedules.length - moved.length }
  deps.telemetry({ kind: 'rescheduled', userId, ...counts })
  return counts
}

function announce(deps: UsersDeps, events: readonly { targetAt: number }[]): void {
  if (events.length > 0)
    deps.onPlanned(events.reduce((least, { targetAt }) => Math.min(least, targetAt), Infinity))
}
