// Events: lists, one with its story, why it falls when it does, and sending again.
import { useQuery } from '@tanstack/react-query'
import { call } from './client.ts'
import { KEYS } from './keys-of-queries.ts'
import type {
  Event,
  EventStatus,
  EventStory,
  Explanation,
  Page,
  ReplayFilter,
  ReplayResult,
} from './types.ts'

type EventFilter = {
  status?: EventStatus
  type?: string
  dueFrom?: string
  dueBefore?: string
  limit?: number
}

export function useEvents(filter: EventFilter, { enabled = true } = {}) {
  return useQuery({
    queryKey: [...KEYS.events, filter],
    queryFn: () => call<Page<Event>>('GET', '/event', { query: filter }),
    enabled,
  })
}

export function readEvent(id: string): Promise<EventStory> {
  return call('GET', `/event/${id}`)
}

export function useEvent(id: string) {
  return useQuery({ queryKey: KEYS.event(id), queryFn: () => readEvent(id) })
}

export function useExplanation(id: string) {
  return useQuery({
    queryKey: KEYS.explanation(id),
    queryFn: () => call<Explanation>('GET', `/event/${id}/explain`),
  })
}

export function replayEvent(id: string, newKey: boolean): Promise<Event> {
  return call('POST', `/event/${id}/replay`, { body: { newKey } })
}

export function replayEvents(filter: ReplayFilter): Promise<ReplayResult> {
  return call('POST', '/event/replay', { body: filter })
}

/** All that match, however many requests that takes. A dry run only tells how many match. */
export async function replayAll(filter: ReplayFilter): Promise<Omit<ReplayResult, 'next'>> {
  const sum = { matched: 0, replayed: 0, skipped: 0 }
  let next: ReplayFilter | null = filter
  while (next !== null) {
    const result: ReplayResult = await replayEvents(next)
    sum.matched += result.matched
    sum.replayed += result.replayed
    sum.skipped += result.skipped
    next = result.next
  }
  return sum
}

export type Survey = {
  matched: number
  /** Null where there are too many to look at each. */
  parts: { now: number; underWay: number; delivered: number } | null
}

const LOOKED_AT = 60

/** What sending them again would do, looked up one by one while they are few. */
export async function surveyReplays(filter: ReplayFilter): Promise<Survey> {
  const { matched } = await replayAll({ ...filter, dryRun: true })
  if (matched > LOOKED_AT) return { matched, parts: null }
  const parts = { now: 0, underWay: 0, delivered: 0 }
  for (const { id } of await failedEvents(filter)) {
    const { replays } = await readEvent(id)
    if (replays.some(({ status }) => status === 'COMPLETED')) parts.delivered += 1
    else if (replays.some(({ status }) => status !== 'FAILED')) parts.underWay += 1
    else parts.now += 1
  }
  return { matched, parts }
}

async function failedEvents({ reason = '', failedFrom = '', failedBefore }: ReplayFilter): Promise<Event[]> {
  const found: Event[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const query = { status: 'FAILED', limit: 200, cursor }
    const page: Page<Event> = await call('GET', '/event', { query })
    const isMeant = ({ failureReason, executedAt }: Event) =>
      failureReason?.startsWith(reason) &&
      executedAt !== null &&
      executedAt >= failedFrom &&
      (failedBefore === undefined || executedAt < failedBefore)
    found.push(...page.items.filter(isMeant))
    cursor = page.nextCursor
  }
  return found
}
