// The calls on occasions: parsed input to JSON, for HTTP and the library. Rejects with a Problem.
import type { AppDeps } from '../../app/app-deps.ts'
import {
  changeOccasion,
  createOccasion,
  listOccasions,
  type OccasionResult,
  type OccasionSaved,
  pauseOccasion,
  readPlan,
  removeOccasion,
  resumeOccasion,
} from '../../app/occasions/occasions.ts'
import type { OccasionInput } from '../../domain/occasions/occasion-fields.ts'
import { MOST_OCCASIONS } from '../../domain/occasions/occasion-types.ts'
import { createOnce } from '../create-once.ts'
import { invalidInput, Problem } from '../problem.ts'
import { userNotFound } from '../users/json.ts'
import { moveJson, nextAfter, occasionJson, occasionNotFound, planJson } from './json.ts'

type NewOccasion = OccasionInput & { sendTodayNow?: boolean }

/** `id`: the id of an idempotency key. A dry run has none. */
function create(
  app: AppDeps,
  userId: string,
  { sendTodayNow = false, ...input }: NewOccasion,
  { dryRun = false, id }: { dryRun?: boolean; id?: string | undefined } = {},
) {
  return createOnce(app, 'occasion', id, {
    userId,
    async create() {
      const result = await createOccasion(app, userId, input, { dryRun, sendTodayNow, id })
      if (result.kind === 'keyed') return null
      if (result.kind === 'missing') throw userNotFound({ id: userId })
      return savedJson(saved(result))
    },
    async show(found) {
      const seen = await readPlan(app, found)
      return seen && planJson(app, seen.plan, seen.person.user)
    },
  })
}

async function ofUser(app: AppDeps, userId: string) {
  const person = await listOccasions(app, userId)
  if (person === null) throw userNotFound({ id: userId })
  return { items: person.plans.map((plan) => planJson(app, plan, person.user)) }
}

async function read(app: AppDeps, id: string) {
  const found = await readPlan(app, id)
  if (found === null) throw occasionNotFound({ id })
  return planJson(app, found.plan, found.person.user)
}

/** `ifVersion`: the versions that may be changed; null for any. */
async function change(
  app: AppDeps,
  id: string,
  input: Partial<OccasionInput>,
  how: { dryRun: boolean; ifVersion: readonly number[] | null } = { dryRun: false, ifVersion: null },
) {
  if (Object.keys(input).length === 0) {
    throw new Problem('NOTHING_TO_CHANGE', 'Send at least one field of an occasion.')
  }
  const result = saved(await changeOccasion(app, id, input, how), id)
  const skipped = result.open.kind === 'keepInFlight' ? 1 : 0
  return { occasion: savedJson(result), moves: result.moves.map(moveJson), skipped, dryRun: how.dryRun }
}

const pause = async (app: AppDeps, id: string) => savedJson(saved(await pauseOccasion(app, id), id))
const resume = async (app: AppDeps, id: string) => savedJson(saved(await resumeOccasion(app, id), id))

async function remove(app: AppDeps, id: string): Promise<void> {
  const result = await removeOccasion(app, id)
  if (result === 'missing') throw occasionNotFound({ id })
  if (result !== 'removed') throw problemOf(result, { id })
}

export const occasions = { create, ofUser, read, change, pause, resume, remove }

const savedJson = ({ occasion, user, open, isSettled }: OccasionSaved) =>
  occasionJson(occasion, user, nextAfter(open), { inFlight: open.kind === 'keepInFlight', isSettled })

function saved(result: OccasionResult, id?: string): OccasionSaved {
  if (result.kind === 'saved') return result
  throw problemOf(result, id === undefined ? {} : { id })
}

function problemOf(result: Exclude<OccasionResult, OccasionSaved>, params: { id?: string }): Problem {
  switch (result.kind) {
    case 'invalid':
      return invalidInput(result.problems)
    case 'missing':
      return occasionNotFound(params)
    case 'outdated':
      return new Problem(
        'OUTDATED',
        'Read the occasion again, and repeat your change if it still makes sense.',
      )
    case 'full':
      return new Problem(
        'LIMIT_REACHED',
        `The person has ${MOST_OCCASIONS} occasions, the most there can be. Delete one: DELETE /occasion/:id.`,
      )
    case 'owned':
      return new Problem(
        'OCCASION_OWNED',
        result.by === 'task'
          ? 'It is the reminder of a task. Change or delete the task instead: /task/:id.'
          : 'It belongs to its user. Pause it instead: POST /occasion/:id/pause.',
      )
  }
}
