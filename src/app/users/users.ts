// People come, change and go, and their events with them. Each is one atomic store operation.
import type { FieldProblem, Parsed } from '../../domain/errors.ts'
import type { Occasion } from '../../domain/occasions/occasion.ts'
import {
  changesBetween,
  parseUserChange,
  parseUserFields,
  type User,
  type UserInput,
} from '../../domain/users/user.ts'
import { planFirst, planReschedules, planToday } from '../../engine/plan.ts'
import type {
  CreateResult,
  NewPerson,
  OpenEvent,
  Person,
  Reschedule,
  StoredResponse,
} from '../../ports/store.ts'
import { withExpiry } from '../access/idempotency.ts'
import type { AppDeps } from '../app-deps.ts'

/**
 * A person ready to be stored, or what is wrong with the input. Writes nothing. Somebody whose birthday is today and whose
 * nine o'clock has passed is greeted next year, unless `sendTodayNow`.
 */
export function preparePerson(
  deps: AppDeps,
  input: UserInput,
  how: { sendTodayNow: boolean } = { sendTodayNow: false },
): Parsed<NewPerson> {
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
    repeats: 'YEARLY',
    calendar: 'gregorian',
    ruleRevision: 1,
    until: null,
    pausedAt: null,
    template: null,
    channelId: null,
    notAfter: deps.notAfter ?? null,
    version: 1,
  }
  const schedule = { occasion: birthday, user, task: null }
  const today = how.sendTodayNow ? planToday(planner, schedule, now) : null
  // A birthday has no last one.
  const event = today ?? planFirst(planner, schedule, { now, after: null })!
  return { ok: true, value: { user, occasions: [birthday], events: [event] } }
}

export async function createPeople(
  deps: AppDeps,
  people: readonly NewPerson[],
  answer?: StoredResponse,
): Promise<CreateResult> {
  const kept = answer && withExpiry(deps.clock.now(), answer)
  const result = await deps.store.createUsers(people, kept)
  if (result.kind === 'created')
    announce(
      deps,
      people.flatMap(({ events }) => events),
    )
  return result
}

/** An event that a change moves; `to` is null for one in flight, which stays. */
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

/** More rivals than this at one record is not contention but a fault. */
export const MAX_TRIES = 100

/** Changes a user and moves their pending events. Reads again and tries again while others change the same user. */
export async function changeUser(
  deps: AppDeps,
  userId: string,
  change: { input: Partial<UserInput>; ifVersion: readonly number[] | null; dryRun?: boolean },
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
    if (await isTaken(deps, user)) return { kind: 'taken' }
    const changes = changesBetween(person.user, user)
    const reschedules = planReschedules(planner, { person, after: user, changes, now })
    const moves = movesOf(person, reschedules)
    if (change.dryRun === true) return { kind: 'changed', user: person.user, ...countsOf(reschedules), moves }
    if ((await store.updateUser({ user, reschedules })) === 'updated') {
      return { kind: 'changed', user, ...report(deps, userId, reschedules), moves }
    }
  }
  throw new Error(`User ${userId} changed under each of ${MAX_TRIES} tries to change it.`)
}

/** A rival that takes it after this look makes the writing fail, and nothing is written. */
async function isTaken({ store }: AppDeps, { id, externalId }: User): Promise<boolean> {
  if (externalId === null) return false
  return (await store.findUsersByExternalId([externalId])).some((other) => other.id !== id)
}

/** The external ids among these people that somebody has already, or that come twice. */
export async function takenExternalIds(
  { store }: AppDeps,
  people: readonly NewPerson[],
): Promise<ReadonlySet<string>> {
  const given = people.flatMap(({ user }) => (user.externalId === null ? [] : [user.externalId]))
  if (given.length === 0) return new Set()
  const stored = (await store.findUsersByExternalId(given)).map(({ externalId }) => externalId!)
  return new Set([...stored, ...given.filter((one, index) => given.indexOf(one) !== index)])
}

function report(deps: AppDeps, userId: string, reschedules: readonly Reschedule[] | null) {
  if (reschedules === null) return { rescheduled: 0, skipped: 0 }
  const moved = reschedules.flatMap(({ to }) => (to === null ? [] : [to]))
  announce(deps, moved)
  for (const { eventId, to } of reschedules) {
    if (to === null) deps.telemetry({ kind: 'reschedule-skipped', userId, eventId })
  }
  const counts = countsOf(reschedules)
  deps.telemetry({ kind: 'rescheduled', userId, ...counts })
  return counts
}

function countsOf(reschedules: readonly Reschedule[] | null) {
  const skipped = (reschedules ?? []).filter(({ to }) => to === null).length
  return { rescheduled: (reschedules?.length ?? 0) - skipped, skipped }
}

function movesOf({ plans }: Person, reschedules: readonly Reschedule[] | null): Move[] {
  const to = new Map(reschedules?.map((one) => [one.eventId, one.to]))
  return plans.flatMap(({ open, occasion }) => {
    const place = open === null ? undefined : to.get(open.id)
    if (open === null || place === undefined) return []
    return [{ eventId: open.id, eventType: occasion.type, from: open, to: place }]
  })
}

function announce(deps: AppDeps, events: readonly { targetAt: number }[]): void {
  if (events.length > 0)
    deps.onPlanned(events.reduce((least, { targetAt }) => Math.min(least, targetAt), Infinity))
}
