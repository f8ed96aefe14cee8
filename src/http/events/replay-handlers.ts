// Sends failed events again: one, or all that match.
import type { OpenAPIHono } from '@hono/zod-openapi'
import { events } from '../../api/events/calls.ts'
import { cursorJson } from '../../api/query.ts'
import { bodyFilter } from '../../api/users/filter.ts'
import type { AppDeps } from '../../app/app-deps.ts'
import { channelIdsOf } from '../../app/dashboard/failures.ts'
import { type ReplayFilter, replayMatching } from '../../app/events/replay.ts'
import type { Input } from '../server/input.ts'
import { mount } from '../server/operation.ts'
import { REPLAY_EVENT, REPLAY_EVENTS } from './replay-operations.ts'

export function mountReplays(api: OpenAPIHono, deps: AppDeps): void {
  mount(api, REPLAY_EVENT, async ({ c, params, body }) => {
    const json = await events.replay(deps, params.id, body)
    return c.json(json, 201, { Location: `/event/${json.id}` })
  })

  mount(api, REPLAY_EVENTS, async ({ c, body }) => {
    const { channel, people } = body
    // Fixed by the first request, so that events that fail meanwhile are not replayed.
    const [before, cursor = null] = body.cursor?.split('/') ?? []
    const channelIds = channel === undefined ? undefined : await channelIdsOf(deps.store, channel)
    const filter = {
      ...filterOf(body, before === undefined ? deps.clock.now() : Number(before)),
      ...(channelIds && { channelIds }),
      ...(people && { people: bodyFilter(deps, people, 'people') }),
    }
    const { nextCursor: last, ...counts } = await replayMatching(deps, filter, { ...body, cursor })
    const nextCursor = cursorJson(last && `${filter.settledBefore}/${last}`)
    return c.json({ ...counts, dryRun: body.dryRun, nextCursor })
  })
}

type Request = Input<typeof REPLAY_EVENTS>['body']

function filterOf(request: Request, now: number): ReplayFilter {
  const { ids, reason, exactReason, type, userId, failedFrom, failedBefore, dueFrom, dueBefore } = request
  return {
    ...(ids && { ids }),
    ...(reason && { reason }),
    ...(exactReason && { briefReason: exactReason }),
    ...(type && { type }),
    ...(userId && { userId }),
    ...(failedFrom !== undefined && { settledFrom: failedFrom }),
    settledBefore: failedBefore === undefined ? now : Math.min(failedBefore, now),
    ...(dueFrom !== undefined && { dueFrom }),
    ...(dueBefore !== undefined && { dueBefore }),
  }
}
