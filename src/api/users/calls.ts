// The calls on people: parsed input to JSON, for HTTP and the library. Rejects with a Problem.
import type { AppDeps } from '../../app/app-deps.ts'
import { findKeyed } from '../../app/keyed-records.ts'
import { deleteUser } from '../../app/users/bulk.ts'
import { type ChangeResult, changeUser } from '../../app/users/change.ts'
import { type CreateOutcome, createUsers } from '../../app/users/create.ts'
import { draftProblems } from '../../app/users/draft.ts'
import { upsertUser } from '../../app/users/upsert.ts'
import type { FieldProblem } from '../../domain/errors.ts'
import type { User } from '../../domain/users/user.ts'
import { parseExternalId } from '../../domain/users/user-fields.ts'
import { createOnce } from '../create-once.ts'
import { eventJson } from '../events/json.ts'
import { moveJson } from '../occasions/json.ts'
import { invalidInput, Problem } from '../problem.ts'
import { pageJson } from '../query.ts'
import { queryFilter } from './filter.ts'
import { asWritten, type UserJsonDraft } from './input.ts'
import { createdJson, listedUserJson, userJson, userNotFound } from './json.ts'
import type { PeopleQuery } from './query.ts'

/** `ifVersion`: the versions that may be changed; null for any. */
type How<V> = { ifVersion: V; dryRun: boolean }
const UNCONDITIONAL = { ifVersion: null, dryRun: false }

/** `id`: the id of an idempotency key. */
function create(app: AppDeps, draft: UserJsonDraft, id?: string) {
  return createOnce(app, 'user', id, {
    async create() {
      const [outcome] = (await createUsers(app, [draft], id)) as [CreateOutcome]
      if (outcome.kind === 'invalid') throw invalidInput(asWritten(draft, outcome.problems))
      if (outcome.kind === 'created') return createdJson(outcome.person)
      if (id !== undefined && (await findKeyed(app, id)) !== null) return null
      throw externalIdTaken()
    },
    async show(found) {
      const person = await app.store.readPerson(found)
      if (person === null) return null
      const { user, plans } = person
      const open = plans.find(({ occasion }) => occasion.id === found)?.open
      const stored = open && (await app.store.findEvent(open.id))
      const nextBirthdayEvent = stored ? eventJson({ ...stored.event, externalId: user.externalId }) : null
      return { user: userJson(user), nextBirthdayEvent }
    },
  })
}

async function createMany(app: AppDeps, drafts: readonly UserJsonDraft[]) {
  const outcomes = await createUsers(app, drafts)
  const results = outcomes.map((outcome, index) => {
    if (outcome.kind === 'created') {
      return { index, status: 'created' as const, ...createdJson(outcome.person) }
    }
    const problems = outcome.kind === 'invalid' ? asWritten(drafts[index]!, outcome.problems) : TAKEN
    return { index, status: 'rejected' as const, problems }
  })
  const created = results.filter(({ status }) => status === 'created').length
  return { created, rejected: results.length - created, results }
}

async function list(app: AppDeps, query: PeopleQuery) {
  const { order, ...filter } = queryFilter(app, query)
  const page = await app.store.listPeople({ ...filter, ...(order === 'newest' && { order }) })
  return pageJson(page, listedUserJson)
}

async function read(app: AppDeps, id: string) {
  const user = await app.store.findUser(id)
  if (user === null) throw userNotFound({ id })
  return userJson(user)
}

async function readByExternalId(app: AppDeps, externalId: string) {
  const user = await findByExternalId(app, externalId)
  if (user === null) throw noSuchExternalId()
  return userJson(user)
}

async function upsert(
  app: AppDeps,
  externalId: string,
  draft: UserJsonDraft,
  how: How<readonly number[] | '*' | null> = UNCONDITIONAL,
) {
  const { dryRun } = how
  const result = await upsertUser(app, externalId, draft, how)
  switch (result.kind) {
    case 'created':
      return { created: true as const, ...createdJson(result.person), dryRun }
    case 'changed':
      return { created: false as const, ...changedJson(result), dryRun }
    case 'invalid':
      throw invalidInput(asWritten(draft, result.problems))
    case 'outdated':
      throw outdated()
  }
}

async function change(
  app: AppDeps,
  id: string,
  draft: UserJsonDraft,
  how: How<readonly number[] | null> = UNCONDITIONAL,
) {
  const { input, problems = [] } = draft
  if (problems.length > 0) throw invalidInput(asWritten(draft, draftProblems(app, draft)))
  if (Object.keys(input).length === 0) {
    throw new Problem('NOTHING_TO_CHANGE', 'Send at least one field of a person.')
  }
  const result = await changeUser(app, id, { input, ...how })
  switch (result.kind) {
    case 'changed':
      return { ...changedJson(result), dryRun: how.dryRun }
    case 'invalid':
      throw invalidInput(asWritten(draft, result.problems))
    case 'missing':
      throw userNotFound({ id })
    case 'taken':
      throw externalIdTaken()
    case 'outdated':
      throw outdated()
  }
}

async function remove(app: AppDeps, id: string): Promise<void> {
  if (!(await deleteUser(app, id))) throw userNotFound({ id })
}

export const users = { create, createMany, list, read, readByExternalId, upsert, change, remove }

function changedJson({ user, rescheduled, skipped, moves }: ChangeResult & { kind: 'changed' }) {
  return { user: userJson(user), rescheduled, skipped, moves: moves.map(moveJson) }
}

export async function findByExternalId({ store }: AppDeps, text: string): Promise<User | null> {
  const parsed = parseExternalId(text)
  const [user] = parsed.ok ? await store.findUsersByExternalId([parsed.value]) : []
  return user ?? null
}

export function noSuchExternalId(): Problem {
  return new Problem('USER_NOT_FOUND', 'No user has this external id. GET /user lists the users.')
}

function outdated(): Problem {
  return new Problem('OUTDATED', 'Read the user again, and repeat your change if it still makes sense.')
}

const TAKEN: FieldProblem[] = [
  {
    field: 'externalId',
    code: 'EXTERNAL_ID_TAKEN',
    message: 'Another person has this external id. External ids must be unique.',
  },
]

function externalIdTaken(): Problem {
  return new Problem(
    'EXTERNAL_ID_TAKEN',
    'Change that person with PUT /user/by-external-id/:externalId, or use another external id.',
  )
}
