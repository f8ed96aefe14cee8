// The occasions: add, list, read, change, pause, delete, try out. Parses, calls the flow, writes the answer.
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { AppDeps } from '../../app/app-deps.ts'
import {
  changeOccasion,
  createOccasion,
  type OccasionResult,
  type OccasionSaved,
  pauseOccasion,
  readPlan,
  removeOccasion,
  resumeOccasion,
} from '../../app/occasions/occasions.ts'
import { previewOccasion } from '../../app/occasions/preview-occasion.ts'
import type { FieldProblem } from '../../domain/errors.ts'
import { parseUuid } from '../../domain/events/uuid.ts'
import { type OccasionInput, parseOccasion } from '../../domain/occasions/occasion-fields.ts'
import type { Where } from '../../domain/occasions/schedule.ts'
import { TASK_REMINDER } from '../../domain/tasks/task.ts'
import { parseTimezone } from '../../domain/time/timezone.ts'
import type { User } from '../../domain/users/user.ts'
import { BODY_LIMIT, readJson } from '../server/body.ts'
import { entityTag, readIfMatch } from '../server/entity-tag.ts'
import { createOnce } from '../server/idempotency.ts'
import { mount } from '../server/operation.ts'
import { invalidInput, Problem } from '../server/problem.ts'
import { readQuery } from '../server/query.ts'
import { checkShape } from '../server/shape.ts'
import { userNotFound } from '../users/handlers.ts'
import {
  moveJson,
  NewOccasion,
  nextAfter,
  OccasionChange,
  occasionJson,
  occurrenceJson,
  planJson,
} from './json.ts'
import {
  CHANGE_OCCASION,
  CREATE_OCCASION,
  DELETE_OCCASION,
  dryRunQuery,
  LIST_OCCASIONS,
  OccasionPreview,
  PAUSE_OCCASION,
  PREVIEW_OCCASION,
  READ_OCCASION,
  RESUME_OCCASION,
} from './operations.ts'

export function mountOccasions(app: OpenAPIHono, users: AppDeps): void {
  mount(app, PREVIEW_OCCASION, (c) => preview(c, users))
  mount(app, CREATE_OCCASION, (c) => create(c, users))
  mount(app, LIST_OCCASIONS, (c) => list(c, users))
  mount(app, READ_OCCASION, (c) => read(c, users))
  mount(app, CHANGE_OCCASION, (c) => change(c, users))
  mount(app, DELETE_OCCASION, (c) => remove(c, users))
  mount(app, PAUSE_OCCASION, (c) => withId(c, async (id) => switched(c, await pauseOccasion(users, id))))
  mount(app, RESUME_OCCASION, (c) => withId(c, async (id) => switched(c, await resumeOccasion(users, id))))
}

async function create(c: Context, users: AppDeps): Promise<Response | Problem> {
  const userId = parseUuid(c.req.param('id') ?? '')
  if (userId === null) return userNotFound(c)
  const query = readQuery(c.req.url, dryRunQuery)
  if (query instanceof Problem) return query
  if (query.dryRun === 'true') return tryOut(c, users, userId)
  const created = await createOnce(users, c.req.raw, {
    status: 201,
    bodyLimit: BODY_LIMIT,
    create: async (json, keep) => {
      const fresh = readNew(json)
      if (fresh instanceof Problem) return fresh
      const how = { dryRun: false, sendTodayNow: fresh.sendTodayNow }
      const answer = (saved: OccasionSaved) => keep(savedJson(saved))
      const result = await createOccasion(users, userId, fresh.input, how, answer)
      if (result.kind === 'response-exists') return result
      return result.kind === 'saved' ? { kind: 'created', json: savedJson(result) } : notCreated(c, result)
    },
  })
  if (created instanceof Problem) return created
  // Read from the body: a kept answer is all there is of the occasion as it was then.
  const occasion = JSON.parse(created.body) as ReturnType<typeof savedJson>
  const headers = { ...created.headers, Location: `/occasion/${occasion.id}`, ETag: entityTag(occasion) }
  return new Response(created.body, { status: created.status, headers })
}

async function tryOut(c: Context, users: AppDeps, userId: string): Promise<Response | Problem> {
  const body = await readJson(c.req.raw)
  if (body instanceof Problem) return body
  const fresh = readNew(body.json)
  if (fresh instanceof Problem) return fresh
  const how = { dryRun: true, sendTodayNow: fresh.sendTodayNow }
  const result = await createOccasion(users, userId, fresh.input, how)
  return result.kind === 'saved' ? c.json(savedJson(result)) : notCreated(c, result)
}

function readNew(json: unknown): { input: OccasionInput; sendTodayNow: boolean } | Problem {
  const shape = checkShape(NewOccasion, json)
  if (!shape.ok) return invalidInput(shape.problems)
  const { sendTodayNow = false, ...input } = shape.value
  return { input: input as OccasionInput, sendTodayNow }
}

const savedJson = ({ occasion, open }: OccasionSaved) => occasionJson(occasion, nextAfter(open))

const notCreated = (c: Context, result: NotSaved) =>
  result.kind === 'missing' ? userNotFound(c) : refused(c, result)

async function list(c: Context, users: AppDeps): Promise<Response | Problem> {
  const userId = parseUuid(c.req.param('id') ?? '')
  const person = userId && (await users.store.readPerson(userId))
  if (!person) return userNotFound(c)
  const plans = person.plans.filter(({ occasion }) => occasion.type !== TASK_REMINDER)
  return c.json({ items: plans.map(planJson) })
}

function read(c: Context, users: AppDeps) {
  return withId(c, async (id) => {
    const found = await readPlan(users, id)
    if (found === null) return occasionNotFound(c)
    return c.json(planJson(found.plan), 200, { ETag: entityTag(found.plan.occasion) })
  })
}

function change(c: Context, users: AppDeps) {
  return withId(c, async (id) => {
    const query = readQuery(c.req.url, dryRunQuery)
    if (query instanceof Problem) return query
    const ifVersion = readIfMatch(c.req.header('If-Match'))
    if (ifVersion instanceof Problem) return ifVersion
    const body = await readJson(c.req.raw)
    if (body instanceof Problem) return body
    const shape = checkShape(OccasionChange, body.json)
    if (!shape.ok) return invalidInput(shape.problems)
    if (Object.keys(shape.value).length === 0)
      return new Problem('NOTHING_TO_CHANGE', 'Give at least one field that an occasion has.')
    const how = { dryRun: query.dryRun === 'true', ifVersion }
    const result = await changeOccasion(users, id, shape.value as Partial<OccasionInput>, how)
    if (result.kind !== 'saved') return refused(c, result)
    const skipped = result.open.kind === 'keepInFlight' ? 1 : 0
    const json = { occasion: savedJson(result), moves: result.moves.map(moveJson), skipped }
    return c.json(json, 200, { ETag: entityTag(result.occasion) })
  })
}

function remove(c: Context, users: AppDeps) {
  return withId(c, async (id) => {
    const result = await removeOccasion(users, id)
    if (result === 'removed') return c.body(null, 204)
    return refused(c, result === 'missing' ? { kind: 'missing' } : result)
  })
}

function switched(c: Context, result: OccasionResult): Response | Problem {
  if (result.kind !== 'saved') return refused(c, result)
  return c.json(savedJson(result), 200, { ETag: entityTag(result.occasion) })
}

async function preview(c: Context, users: AppDeps): Promise<Response | Problem> {
  const body = await readJson(c.req.raw)
  if (body instanceof Problem) return body
  const shape = checkShape(OccasionPreview, body.json)
  if (!shape.ok) return invalidInput(shape.problems)
  const { userId, timezone, from, count, ...input } = shape.value
  const fields = parseOccasion(input as OccasionInput, users)
  const problems: FieldProblem[] = fields.ok ? [] : [...fields.problems]
  const start = from === undefined ? users.clock.now() : Date.parse(from)
  if (Number.isNaN(start))
    problems.push({
      field: 'from',
      code: 'INVALID_INSTANT',
      message: 'Give an instant such as 2026-12-15T16:00:00Z.',
    })
  const where = await whereIs(users, { userId, timezone, date: input.date ?? null }, problems)
  if (where instanceof Problem) return where
  if (!fields.ok || where === null || problems.length > 0) return invalidInput(problems)
  const shown = previewOccasion(fields.value, { where, from: start, count, table: users.planner.table })
  return c.json({ rule: shown.rule, occurrences: shown.occurrences.map(occurrenceJson) })
}

async function whereIs(
  users: AppDeps,
  of: { userId: string | undefined; timezone: string | undefined; date: string | null },
  problems: FieldProblem[],
): Promise<Where | null | Problem> {
  if ((of.userId === undefined) === (of.timezone === undefined)) {
    const message = 'Give "userId" or "timezone", one of them.'
    problems.push({ field: 'timezone', code: 'CONFLICTING_FIELDS', message })
    return null
  }
  if (of.userId !== undefined) {
    const id = parseUuid(of.userId)
    const user = id && (await users.store.findUser(id))
    const shown = of.userId.slice(0, 60)
    return (
      user || new Problem('USER_NOT_FOUND', `No user has the id "${shown}". GET /user lists those there are.`)
    )
  }
  const timezone = parseTimezone(of.timezone!, users.planner.table)
  if (timezone === null) {
    const message = `Unknown timezone "${of.timezone!.slice(0, 60)}". Use an IANA name such as Asia/Jakarta.`
    problems.push({ field: 'timezone', code: 'UNKNOWN_TIMEZONE', message })
    return null
  }
  return { timezone, dateOfBirth: (of.date ?? '1970-01-01') as User['dateOfBirth'] }
}

async function withId(
  c: Context,
  answering: (id: string) => Promise<Response | Problem>,
): Promise<Response | Problem> {
  const id = parseUuid(c.req.param('id') ?? '')
  return id === null ? occasionNotFound(c) : answering(id)
}

type NotSaved = Exclude<OccasionResult, OccasionSaved>

function refused(c: Context, result: NotSaved): Problem {
  switch (result.kind) {
    case 'invalid':
      return invalidInput(result.problems)
    case 'missing':
      return occasionNotFound(c)
    case 'outdated':
      return new Problem(
        'OUTDATED',
        'Read the occasion again, and repeat your change if it still makes sense.',
      )
    case 'owned':
      return new Problem(
        'OCCASION_OWNED',
        result.by === 'task'
          ? 'It reminds of a task. Change or delete the task instead: /task/:id.'
          : 'It goes with its person. Pause it instead: POST /occasion/:id/pause.',
      )
  }
}

function occasionNotFound(c: Context): Problem {
  const id = c.req.param('id')?.slice(0, 60)
  return new Problem(
    'OCCASION_NOT_FOUND',
    `No occasion has the id "${id}". GET /user/:id/occasion lists a person's.`,
  )
}
