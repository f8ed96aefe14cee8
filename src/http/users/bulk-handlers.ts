// Operations on all people who match a filter.
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { AppDeps } from '../../app/app-deps.ts'
import { deleteMatching } from '../../app/users/delete-matching.ts'
import { type Switch, switchMatching } from '../../app/users/switch-matching.ts'
import { mount } from '../server/operation.ts'
import { encodeCursor } from '../server/query.ts'
import { DELETE_PEOPLE, PAUSE_PEOPLE, RESUME_PEOPLE } from './bulk-operations.ts'
import { bodyFilter } from './filter.ts'

const MOST_DELETED = 10_000

export function mountPeopleBulk(app: OpenAPIHono, users: AppDeps): void {
  mount(app, DELETE_PEOPLE, async ({ c, body }) => {
    const filter = bodyFilter(users, body.filter)
    return c.json(await deleteMatching(users.store, filter, { dryRun: body.dryRun, limit: MOST_DELETED }))
  })

  const mountSwitch = (operation: typeof PAUSE_PEOPLE | typeof RESUME_PEOPLE, to: Switch) =>
    mount(app, operation, async ({ c, body }) => {
      const { type, dryRun, limit, cursor } = body
      const filter = { ...bodyFilter(users, body.filter), ...(type && { type }) }
      const { nextCursor, ...counts } = await switchMatching(users, filter, { to, dryRun, limit, cursor })
      const next = nextCursor === null ? null : { ...body, cursor: encodeCursor(nextCursor) }
      return c.json({ ...counts, next })
    })
  mountSwitch(PAUSE_PEOPLE, 'pause')
  mountSwitch(RESUME_PEOPLE, 'resume')
}
