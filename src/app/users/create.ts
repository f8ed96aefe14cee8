// Creates people: parse, plan, write, and one outcome for each. The unique index decides who gets an external id.
import type { FieldProblem, Parsed } from '../../domain/errors.ts'
import type { Occasion } from '../../domain/occasions/occasion.ts'
import type { User, UserInput } from '../../domain/users/user.ts'
import type { UserFields } from '../../domain/users/user-fields.ts'
import { planFirst, planToday } from '../../engine/plan.ts'
import type { NewPerson } from '../../ports/store.ts'
import { announce } from '../announce.ts'
import type { AppDeps } from '../app-deps.ts'
import { findKeyed } from '../keyed-records.ts'
import { retryOnConflict } from '../retry-on-conflict.ts'
import { parseDraft, type UserDraft } from './draft.ts'

export type CreateOutcome =
  | { kind: 'created'; person: NewPerson }
  | { kind: 'invalid'; problems: FieldProblem[] }
  /** Another user has the external id, two people of the request share it, or the keyed id is that of a record. */
  | { kind: 'taken' }

/**
 * Creates all valid people in one transaction; one outcome for each draft, in order. When another request takes an external id first,
 * nothing is written and the rest is tried again. `id` is the keyed id of the only draft.
 */
export async function createUsers(
  deps: AppDeps,
  drafts: readonly UserDraft[],
  id?: string,
): Promise<CreateOutcome[]> {
  const planned = drafts.map((draft) => planDraft(deps, draft, { id }))
  const externalIds = planned.flatMap((one) => (one.ok ? [one.value.user.externalId] : []))
  const taken = new Set(externalIds.filter((id, index) => id !== null && externalIds.indexOf(id) !== index))
  return retryOnConflict('Every external id of a request', async () => {
    const outcomes = planned.map((one): CreateOutcome => {
      if (!one.ok) return { kind: 'invalid', problems: one.problems }
      return taken.has(one.value.user.externalId) ? { kind: 'taken' } : { kind: 'created', person: one.value }
    })
    const people = outcomes.flatMap((one) => (one.kind === 'created' ? [one.person] : []))
    if (people.length === 0) return outcomes
    if ((await deps.store.createUsers(people, { ifTaken: 'reject' })).kind === 'created') {
      announceAll(deps, people)
      return outcomes
    }
    if (id !== undefined && (await findKeyed(deps, id)) !== null) return [{ kind: 'taken' }]
    const wanted = people.flatMap(({ user }) => user.externalId ?? [])
    for (const { externalId } of await deps.store.findUsersByExternalId(wanted)) taken.add(externalId)
    return null
  })
}

type Identify = {
  /** The external id of a person who is sent without one. By default they have none. */
  deriveExternalId?: (fields: UserFields) => string
  /** Their keyed id. Their birthday has it too, so that people, occasions and tasks compete for it in one primary key. */
  id?: string | undefined
}

/** Parses and plans a draft. Writes nothing. */
export function planDraft(deps: AppDeps, draft: UserDraft, how: Identify = {}): Parsed<NewPerson> {
  const now = deps.clock.now()
  const fields = parseDraft(draft, { now, table: deps.planner.table })
  if (!fields.ok) return fields
  const externalId = fields.value.externalId ?? how.deriveExternalId?.(fields.value) ?? null
  const id = how.id ?? deps.planner.ids(now)
  const user: User = { ...fields.value, externalId, id, createdAt: now, updatedAt: now, version: 1 }
  return { ok: true, value: planPerson(deps, user, { now, birthdayId: how.id, ...draft }) }
}

/** Parses and plans a person; or everything that is wrong with the input. Writes nothing. */
export function preparePerson(
  deps: AppDeps,
  input: UserInput,
  { sendTodayNow = false, ...how }: { sendTodayNow?: boolean } & Identify = {},
): Parsed<NewPerson> {
  return planDraft(deps, { input, sendTodayNow }, how)
}

/** The birthday that a new person gets. */
export function newBirthday(
  { deliverAt, notAfter }: Pick<AppDeps, 'deliverAt' | 'notAfter'>,
  ids: { id: string; userId: string },
): Occasion {
  return {
    ...ids,
    type: 'BIRTHDAY',
    date: null,
    localTime: deliverAt,
    leapDay: 'MARCH_1',
    shiftDays: null,
    onWeekend: null,
    repeats: 'YEARLY',
    calendar: 'gregorian',
    ruleRevision: 1,
    until: null,
    pausedAt: null,
    bulkPausedAt: null,
    template: null,
    channelId: null,
    notAfter: notAfter ?? null,
    data: null,
    version: 1,
  }
}

/** If today is the birthday and its time has passed, the first message goes out next year, unless `sendTodayNow`. */
function planPerson(
  deps: AppDeps,
  user: User,
  { now, birthdayId, sendTodayNow }: { now: number; birthdayId?: string | undefined; sendTodayNow?: boolean },
): NewPerson {
  const { planner } = deps
  const birthday = newBirthday(deps, { id: birthdayId ?? planner.ids(now), userId: user.id })
  const schedule = { occasion: birthday, user, task: null }
  const today = sendTodayNow ? planToday(planner, schedule, now) : null
  // Null without a date of birth.
  const event = today ?? planFirst(planner, schedule, { now, after: null })
  return { user, occasions: [birthday], events: event === null ? [] : [event] }
}

/** The person with a work anniversary as well. */
export function withAnniversary(deps: AppDeps, person: NewPerson, date: string): NewPerson {
  const { planner, clock } = deps
  const { user } = person
  const now = clock.now()
  const birthday = newBirthday(deps, { id: planner.ids(now), userId: user.id })
  const occasion = anniversaryLike(birthday, date)
  const event = planFirst(planner, { occasion, user, task: null }, { now, after: null })
  return {
    user,
    occasions: [...person.occasions, occasion],
    events: event === null ? person.events : [...person.events, event],
  }
}

export function anniversaryLike(birthday: Occasion, date: string): Occasion {
  return { ...birthday, type: 'WORK_ANNIVERSARY', date }
}

/** Writes people who are planned already, and returns how many are new. Skips those who exist, by id or external id. */
export async function createPeople(deps: AppDeps, people: readonly NewPerson[]): Promise<number> {
  const result = await deps.store.createUsers(people)
  if (result.kind === 'taken') throw new Error('The store rejected people who should have been skipped.')
  if (result.created > 0) announceAll(deps, people)
  return result.created
}

function announceAll(deps: AppDeps, people: readonly NewPerson[]): void {
  announce(
    deps,
    people.flatMap(({ events }) => events),
  )
}
