// Sending failed events again: one, or all that match. Parses, calls the flow, writes the answer.
import type { OpenAPIHono, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { channelIdsOf } from '../../app/dashboard/failures.ts'
import { type ReplayDeps, type ReplayFilter, replayEvent, replayMatching } from '../../app/events/replay.ts'
import { parseUuid } from '../../domain/events/uuid.ts'
import { formatInstant } from '../../domain/time/timestamp.ts'
import { readJson, readOptionalJson } from '../server/body.ts'
import { mount } from '../server/operation.ts'
import { invalidInput, Problem } from '../server/problem.ts'
import { decodeCursor, encodeCursor } from '../server/query.ts'
import { checkShape } from '../server/shape.ts'
import { eventJson } from '../users/json.ts'
import { eventNotFound } from './handlers.ts'
import { REPLAY_EVENT, REPLAY_EVENTS, ReplayJson, ReplaysJson } from './replay-operations.ts'

export function mountReplays(app: OpenAPIHono, deps: ReplayDeps): void {
  mount(app, REPLAY_EVENT, (c) => replayOne(c, deps))
  mount(app, REPLAY_EVENTS, (c) => replayMany(c, deps))
}

async function replayOne(c: Context, deps: ReplayDeps): Promise<Response | Problem> {
  const id = parseUuid(c.req.param('id') ?? '')
  if (id === null) return eventNotFound(c)
  const body = await readOptionalJson(c.req.raw)
  if (body instanceof Problem) return body
  const how = checkShape(ReplayJson, body.json)
  if (!how.ok) return invalidInput(how.problems)
  const result = await replayEvent(deps, id, how.value)
  switch (result.kind) {
    case 'replayed':
      return c.json(eventJson(result.event), 201, { Location: `/event/${result.event.id}` })
    case 'missing':
      return eventNotFound(c)
    case 'not-failed':
      return new Problem('NOT_FAILED', `It is ${result.event.status}. Only a FAILED event can be sent again.`)
    case 'in-progress':
      return new Problem('REPLAY_UNDER_WAY', `Event ${result.by.id} sends it again. Wait for its end.`)
    case 'delivered':
      return new Problem('ALREADY_DELIVERED', `Event ${result.by.id} has brought it. There is nothing to do.`)
  }
}

type Request = z.infer<typeof ReplaysJson>

async function replayMany(c: Context, deps: ReplayDeps): Promise<Response | Problem> {
  const body = await readJson(c.req.raw)
  if (body instanceof Problem) return body
  const shape = checkShape(ReplaysJson, body.json)
  if (!shape.ok) return invalidInput(shape.problems)
  const request = shape.value
  const cursor = request.cursor === undefined ? null : decodeCursor(request.cursor)
  if (request.cursor !== undefined && cursor === null) {
    const message = 'Give the "next" of an answer as it was, or no cursor to begin.'
    return invalidInput([{ field: 'cursor', code: 'INVALID_CURSOR', message }])
  }
  const { channel } = request
  const channelIds = channel === undefined ? undefined : await channelIdsOf(deps.store, channel)
  const filter = { ...filterOf(request, deps.clock.now()), ...(channelIds && { channelIds }) }
  const { nextCursor, ...counts } = await replayMatching(deps, filter, { ...request, cursor })
  return c.json({ ...counts, next: nextCursor === null ? null : nextOf(request, filter, nextCursor) })
}

function filterOf(request: Request, now: number): ReplayFilter {
  const { reason, exactReason, type, userId, failedFrom, failedBefore, dueFrom, dueBefore } = request
  return {
    ...(reason && { reason }),
    ...(exactReason && { briefReason: exactReason }),
    ...(type && { type }),
    ...(userId && { userId: userId.toLowerCase() }),
    ...(failedFrom && { settledFrom: Date.parse(failedFrom) }),
    settledBefore: failedBefore ? Math.min(Date.parse(failedBefore), now) : now,
    ...(dueFrom && { dueFrom: Date.parse(dueFrom) }),
    ...(dueBefore && { dueBefore: Date.parse(dueBefore) }),
  }
}

/** The same request, with the end of its time fixed: what fails meanwhile is for another. */
function nextOf(request: Request, { settledBefore }: ReplayFilter, cursor: string): Request {
  return { ...request, failedBefore: formatInstant(settledBefore), cursor: encodeCursor(cursor) }
}
