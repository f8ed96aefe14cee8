// Operations on all people who match a filter.
import type { OpenAPIHono } from '@hono/zod-openapi'
import { cursorJson } from '../../api/query.ts'
import { bodyFilter } from '../../api/users/filter.ts'
import type { AppDeps } from '../../app/app-deps.ts'
import { deleteMatching, moveSendTime, pauseMatching } from '../../app/users/bulk.ts'
import { mount } from '../server/operation.ts'
import { DELETE_PEOPLE, MOVE_SEND_TIME, PAUSE_PEOPLE, RESUME_PEOPLE } from './bulk-operations.ts'

export function mountPeopleBulk(api: OpenAPIHono, app: AppDeps): void {
  mount(api, DELETE_PEOPLE, async ({ c, body: { filter, ...how } }) => {
    const { nextCursor, ...counts } = await deleteMatching(app, bodyFilter(app, filter), how)
    return c.json({ ...counts, dryRun: how.dryRun, nextCursor: cursorJson(nextCursor) })
  })

  for (const [operation, paused] of [
    [PAUSE_PEOPLE, true],
    [RESUME_PEOPLE, false],
  ] as const) {
    mount(api, operation, async ({ c, body }) => {
      const { type, dryRun, limit, cursor } = body
      const which = { people: bodyFilter(app, body.filter), ...(type && { type }) }
      const {
        nextCursor,
        moved: _,
        ...counts
      } = await pauseMatching(app, which, { paused, dryRun, limit, cursor })
      return c.json({ ...counts, dryRun, nextCursor: cursorJson(nextCursor) })
    })
  }

  mount(api, MOVE_SEND_TIME, async ({ c, body }) => {
    const { filter, type, localTime, from, ...how } = body
    const which = { people: bodyFilter(app, filter), ...(type && { type }) }
    const times = { localTime, ...(from && { from }) }
    const { nextCursor, ...counts } = await moveSendTime(app, which, { ...times, ...how })
    return c.json({ ...counts, dryRun: how.dryRun, nextCursor: cursorJson(nextCursor) })
  })
}
