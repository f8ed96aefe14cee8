// One thing done to everybody who matches a filter. Parses, calls the flow, writes the answer.
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { AppDeps } from '../../app/app-deps.ts'
import { deleteMatching, type PeopleFilter } from '../../app/users/delete-matching.ts'
import { type Switch, switchMatching } from '../../app/users/switch-matching.ts'
import { parseTimezone } from '../../domain/time/timezone.ts'
import { readJson } from '../server/body.ts'
import { mount } from '../server/operation.ts'
import { invalidInput, Problem } from '../server/problem.ts'
import { decodeCursor, encodeCursor } from '../server/query.ts'
import { checkShape } from '../server/shape.ts'
import { DELETE_PEOPLE, DeletePeople, PAUSE_PEOPLE, RESUME_PEOPLE, SwitchPeople } from './bulk-operations.ts'
import { unknownTimezone } from './handlers.ts'

export function mountPeopleBulk(app: OpenAPIHono, users: AppDeps): void {
  mount(app, DELETE_PEOPLE, (c) => deletePeople(c, users))
  mount(app, PAUSE_PEOPLE, (c) => switchPeople(c, users, 'pause'))
  mount(app, RESUME_PEOPLE, (c) => switchPeople(c, users, 'resume'))
}

const MOST_DELETED = 10_000

async function deletePeople(c: Context, users: AppDeps): Promise<Response | Problem> {
  const body = await readJson(c.req.raw)
  if (body instanceof Problem) return body
  const shape = checkShape(DeletePeople, body.json)
  if (!shape.ok) return invalidInput(shape.problems)
  const filter = readFilter(users, shape.value.filter)
  if (filter instanceof Problem) return filter
  const { dryRun } = shape.value
  return c.json(await deleteMatching(users.store, filter, { dryRun, limit: MOST_DELETED }))
}

async function switchPeople(c: Context, users: AppDeps, to: Switch): Promise<Response | Problem> {
  const body = await readJson(c.req.raw)
  if (body instanceof Problem) return body
  const shape = checkShape(SwitchPeople, body.json)
  if (!shape.ok) return invalidInput(shape.problems)
  const request = shape.value
  const { type, dryRun, limit } = request
  const filter = readFilter(users, request.filter)
  if (filter instanceof Problem) return filter
  const cursor = request.cursor === undefined ? null : decodeCursor(request.cursor)
  if (request.cursor !== undefined && cursor === null) {
    const message = 'Give the "next" of an answer as it was, or no cursor to begin.'
    return invalidInput([{ field: 'cursor', code: 'INVALID_CURSOR', message }])
  }
  const { nextCursor, ...counts } = await switchMatching(
    users,
    { ...filter, ...(type && { type }) },
    { to, dryRun, limit, cursor },
  )
  const next = nextCursor === null ? null : { ...request, cursor: encodeCursor(nextCursor) }
  return c.json({ ...counts, next })
}

type Given = { search?: string | undefined; timezone?: string | undefined }

function readFilter({ planner }: AppDeps, { search, timezone: wanted }: Given): PeopleFilter | Problem {
  const timezone = wanted === undefined ? undefined : parseTimezone(wanted, planner.table)
  if (timezone === null) return invalidInput([unknownTimezone('filter.timezone', wanted!)])
  return { ...(search && { search }), ...(timezone && { timezone }) }
}
