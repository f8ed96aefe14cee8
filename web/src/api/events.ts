// Events: lists, details, explanations and replays.
import { useQuery } from '@tanstack/react-query'
import { api, eachPart, filledPage, given } from './client.ts'
import { KEYS } from './query-keys.ts'
import type { Event, EventDetail, EventFilter, ReplayFilter, ReplayParts, ReplayResult } from './types.ts'

/** Without `live` the list is loaded once and not refetched on changes. */
export function useEvents(filter: EventFilter, { enabled = true, live = true } = {}) {
  return useQuery({
    queryKey: [...KEYS.events, filter],
    queryFn: ({ signal }) =>
      filledPage((cursor) => api.get('/event', { query: { ...filter, ...given({ cursor }) }, signal })),
    enabled,
    meta: { live },
  })
}

export function readEvent(id: string, signal: AbortSignal): Promise<EventDetail> {
  return api.get('/event/{id}', { path: { id }, signal })
}

/** Without `live` it is loaded once. */
export function useEvent(id: string, { live = true } = {}) {
  return useQuery({
    queryKey: KEYS.event(id),
    queryFn: ({ signal }) => readEvent(id, signal),
    ...(!live && { staleTime: 60_000, meta: { live } }),
  })
}

export function useExplanation(id: string) {
  return useQuery({
    queryKey: KEYS.explanation(id),
    queryFn: ({ signal }) => api.get('/event/{id}/explain', { path: { id }, signal }),
  })
}

export function replayEvent(id: string, newKey: boolean): Promise<Event> {
  return api.post('/event/{id}/replay', { path: { id }, body: { newKey } })
}

export function replayEvents(filter: ReplayFilter): Promise<ReplayResult> {
  return api.post('/event/replay', { body: filter })
}

type ReplaySum = { matched: number; replayed: number; skipped: number; parts: ReplayParts }

/** Continues until every match is handled. A dry run only counts. */
export async function replayAll(filter: ReplayFilter): Promise<ReplaySum> {
  const sum: ReplaySum = { matched: 0, replayed: 0, skipped: 0, parts: NOTHING }
  for await (const result of eachPart((page) => replayEvents({ ...filter, ...page }))) {
    sum.matched += result.matched
    sum.replayed += result.replayed
    sum.skipped += result.skipped
    if (result.parts !== null) sum.parts = mergeParts(sum.parts, result.parts)
  }
  return sum
}

const NOTHING: ReplayParts = { now: 0, pastCutOff: [], inFlight: 0, delivered: 0, repeated: 0 }

function mergeParts(a: ReplayParts, b: ReplayParts): ReplayParts {
  const past = new Map<string, number>()
  for (const { notAfter, count } of [...a.pastCutOff, ...b.pastCutOff])
    past.set(notAfter, (past.get(notAfter) ?? 0) + count)
  return {
    now: a.now + b.now,
    pastCutOff: [...past].map(([notAfter, count]) => ({ notAfter, count })),
    inFlight: a.inFlight + b.inFlight,
    delivered: a.delivered + b.delivered,
    repeated: a.repeated + b.repeated,
  }
}
