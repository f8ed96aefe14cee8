// Operations on all people who match a filter.
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { AppDeps } from '../../app/app-deps.ts'
import { deleteMatching, type PeopleFilter } from '../../app/users/delete-matching.ts'
import { type Switch, switchMatching } from '../../app/users/switch-matching.ts'
import { parseTimezone } from '../../domain/time/timezone.ts'
import { mount } from '../server/operation.ts'
import { invalidInput } from '../server/problem.ts'
import { encodeCursor } from '../server/query.ts'
import { DELETE_PEOPLE, PAUSE_PEOPLE, RESUME_PEOPLE } from './bulk-operations.ts'
import { unknownTimezone } from './handlers.ts'

const MOST_DELETED = 10_000

export function mountPeopleBulk(app: OpenAPIHono, users: AppDeps): void {
  mount(app, DELETE_PEOPLE, async ({ c, body }) => {
    const filter = readFilter(users, body.filter)
    return c.json(await deleteMatching(users.store, filter, { dryRun: body.dryRun, limit: MOST_DELETED }))
  })

  const mountSwitch = (operation: typeof PAUSE_PEOPLE | typeof RESUME_PEOPLE, to: Switch) =>
    mount(app, operation, async ({ c, body }) => {
      const { type, dryRun, limit, cursor } = body
      const filter = { ...readFilter(users, body.filter), ...(type && { type }) }
      const { nextCursor, ...counts } = await switchMatching(users, filter, { to, dryRun, limit, cursor })
      const next = nextCursor === null ? null : { ...body, cursor: encodeCursor(nextCursor) }
      return c.json({ ...counts, next })
    })
  mountSwitch(PAUSE_PEOPLE, 'pause')
  mountSwitch(RESUME_PEOPLE, 'resume')
}

type Given = { search?: string; timezone?: string }

function readFilter({ planner }: AppDeps, { search, timezone: wanted }: Given): PeopleFilter {
  const timezone = wanted === undefined ? undefined : parseTimezone(wanted, planner.table)
  if (timezone === null) throw invalidInput([unknownTimezone('filter.timezone', wanted!)])
  return { ...(search && { search }), ...(timezone && { timezone }) }
}
