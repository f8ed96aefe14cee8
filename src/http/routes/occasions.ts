// The occasions: add, list, read, change, pause, delete, try out. Parses, calls the flow, writes the answer.
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { FieldProblem } from '../../domain/errors.ts'
import type { Where } from '../../domain/occasion.ts'
import { type OccasionInput, parseOccasion } from '../../domain/occasion-fields.ts'
import { TASK_REMINDER } from '../../domain/task.ts'
import { parseTimezone } from '../../domain/timezone.ts'
import type { User } from '../../domain/user.ts'
import { parseUuid } from '../../domain/uuid.ts'
import {
  changeOccasion,
  createOccasion,
  type OccasionResult,
  pauseOccasion,
  readPlan,
  removeOccasion,
  resumeOccasion,
} from '../../flow/occasions.ts'
import { previewOccasion } from '../../flow/preview-occasion.ts'
import type { UsersDeps } from '../../flow/users.ts'
import { readJson } from '../body.ts'
import { entityTag, readIfMatch } from '../entity-tag.ts'
import {
  moveJson,
  NewOccasion,
  nextAfter,
  OccasionChange,
  occasionJson,
  occurrenceJson,
  planJson,
} from '../occasion-json.ts'
import { mount } from '../operation.ts'
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
} from '../operations/occasions.ts'
import { invalidInput, Refusal } from '../problem.ts'
import { readQuery } from '../query.ts'
import { checkShape } from '../shape.ts'
import { userNotFound } from './users.ts'

export function mountOccasions(app: OpenAPIHono, users: UsersDeps): void {
  mount(app, PREVIEW_OCCASION, (c) => preview(c, users))
  mount(app, CREATE_OCCASION, (c) => create(c, users))
  mount(app, LIST_OCCASIONS, (c) => list(c, users))
  mount(app, READ_OCCASION, (c) => read(c, users))
  mount(app, CHANGE_OCCASION, (c) => change(c, users))
  mount(app, DELETE_OCCASION, (c) => remove(c, users))
  mount(app, PAUSE_OCCASION, (c) => withId(c, async (id) => switched(c, await pauseOccasion(users, id))))
  mount(app, RESUME_OCCASION, (c) => withId(c, async (id) => switched(c, await resumeOccasion(users, id))))
}

async function create(c: Context, users: UsersDeps): Promise<Response | Refusal> {
  const userId = parseUuid(c.req.param('id') ?? '')
  if (userId === null) return userNotFound(c)
  const query = readQuery(c.req.url, dryRunQuery)
  if (query instanceof Refusal) return query
  const body = await readJson(c.req.raw)
  if (body instanceof Refusal) return body
  const shape = checkShape(NewOccasion, body.json)
  if (!shape.ok) return invalidInput(shape.problems)
  const { sendTodayNow = false, ...input } = shape.value
  const dryRun = query.dryRun === 'true'
  const result = await createOccasion(users, userId, input as OccasionInput, { dryRun, sendTodayNow })
  if (result.kind === 'missing') return userNotFound(c)
  if (result.kind !== 'saved') return refused(c, result)
  const { occasion, open } = result
  const headers = { ETag: entityTag(occasion), Location: `/occasion/${occasion.id}` }
  const json = occasionJson(occasion, nextAfter(open))
  return dryRun ? c.json(json) : c.json(json, 201, headers)
}

async function list(c: Context, users: UsersDeps): Promise<Response | Refusal> {
  const userId = parseUuid(c.req.param('id') ?? '')
  const person = userId && (await users.store.readPerson(userId))
  if (!person) return userNotFound(c)
  const plans = person.plans.filter(({ occasion }) => occasion.type !== TASK_REMINDER)
  return c.json({ items: plans.map(planJson) })
}

function read(c: Context, users: UsersDeps) {
  return withId(c, async (id) => {
    const found = await readPlan(users, id)
    if (found === null) return occasionNotFound(c)
    return c.json(planJson(found.plan), 200, { ETag: entityTag(found.plan.occasion) })
  })
}

function change(c: Context, users: UsersDeps) {
  return withId(c, async (id) => {
    const query = readQuery(c.req.url, dryRunQuery)
    if (query instanceof Refusal) return query
    const ifVersion = readIfMatch(c.req.header('If-Match'))
    if (ifVersion instanceof Refusal) return ifVersion
    const body = await readJson(c.req.raw)
    if (body instanceof Refusal) return body
    const shape = checkShape(OccasionChange, body.json)
    if (!shape.ok) return invalidInput(shape.problems)
    if (Object.keys(shape.value).length === 0)
      return new Refusal('NOTHING_TO_CHANGE', 'Give at least one field that an occasion has.')
    const how = { dryRun: query.dryRun === 'true', ifVersion }
    const result = await changeOccasion(users, id, shape.value as Partial<OccasionInput>, how)
    if (result.kind !== 'saved') return refused(c, result)
    const { occasion, open, moves } = result
    const skipped = open.kind === 'leave' ? 1 : 0
    const json = { occasion: occasionJson(occasion, nextAfter(open)), moves: moves.map(moveJson), skipped }
    return c.json(json, 200, { ETag: entityTag(occasion) })
  })
}

function remove(c: Context, users: UsersDeps) {
  return withId(c, async (id) => {
    const result = await removeOccasion(users, id)
    if (result === 'removed') return c.body(null, 204)
    return refused(c, result === 'missing' ? { kind: 'missing' } : result)
  })
}

function switched(c: Context, result: OccasionResult): Response | Refusal {
  if (result.kind !== 'saved') return refused(c, result)
  const { occasion, open } = result
  return c.json(occasionJson(occasion, nextAfter(open)), 200, { ETag: entityTag(occasion) })
}

async function preview(c: Context, users: UsersDeps): Promise<Response | Refusal> {
  const body = await readJson(c.req.raw)
  if (body instanceof Refusal) return body
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
  if (where instanceof Refusal) return where
  if (!fields.ok || where === null || problems.length > 0) return invalidInput(problems)
  const shown = previewOccasion(fields.value, { where, from: start, count, table: users.planner.table })
  return c.json({ rule: shown.rule, occurrences: shown.occurrences.map(occurrenceJson) })
}

async function whereIs(
  users: UsersDeps,
  of: { userId: string | undefined; timezone: string | undefined; date: string | null },
  problems: FieldProblem[],
): Promise<Where | null | Refusal> {
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
      user || new Refusal('USER_NOT_FOUND', `No user has the id "${shown}". GET /user lists those there are.`)
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
  answering: (id: string) => Promise<Response | Refusal>,
): Promise<Response | Refusal> {
  const id = parseUuid(c.req.param('id') ?? '')
  return id === null ? occasionNotFound(c) : answering(id)
}

function refused(c: Context, result: Exclude<OccasionResult, { kind: 'saved' }>): Refusal {
  switch (result.kind) {
    case 'invalid':
      return invalidInput(result.problems)
    case 'missing':
      return occasionNotFound(c)
    case 'outdated':
      return new Refusal(
        'OUTDATED',
        'Read the occasion again, and repeat your change if it still makes sense.',
      )
    case 'owned':
      return new Refusal(
        'OCCASION_OWNED',
        result.by === 'task'
          ? 'It reminds of a task. Change or delete the task instead: /task/:id.'
          : 'It goes with its person. Pause it instead: POST /occasion/:id/pause.',
      )
  }
}

function occasionNotFound(c: Context): Refusal {
  const id = c.req.param('id')?.slice(0, 60)
  return new Refusal(
    'OCCASION_NOT_FOUND',
    `No occasion has the id "${id}". GET /user/:id/occasion lists a person's.`,
  )
}
