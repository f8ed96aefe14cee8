// Figures of the dashboard: today, upcoming, failures; and the demo people.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { DAY_MS } from '../../../src/domain/time/calendar.ts'
import { now, syncClock } from '../clock/now.ts'
import { api, filledPage, given } from './client.ts'
import { KEYS } from './query-keys.ts'
import type { Event, FailureGroup, StoppedChannel, Today } from './types.ts'

async function readToday({ signal }: { signal: AbortSignal }): Promise<Today> {
  const today = await api.get('/today', { signal })
  syncClock(today.now)
  return today
}

type Open = Pick<Event, 'status' | 'channelId' | 'targetTimestampUTC'>

/**
 * The channel that an event waits for: one that is held, or whose destination is down. A due event may wait unclaimed, and without
 * a channel of its own it waits for the default channel.
 */
export function waitsFor(
  { stoppedChannels, now }: Pick<Today, 'stoppedChannels' | 'now'>,
  { status, channelId, targetTimestampUTC }: Open,
): StoppedChannel | undefined {
  const isDue = status === 'PENDING' && Date.parse(targetTimestampUTC) <= Date.parse(now)
  if (status !== 'PROCESSING' && !isDue) return undefined
  return stoppedChannels.find(
    (channel) =>
      channel.status !== 'DISABLED' && (channelId === null ? channel.isDefault : channel.id === channelId),
  )
}

export function useWaitsFor(): (event: Open) => StoppedChannel | undefined {
  const today = useToday().data
  return (event) => today && waitsFor(today, event)
}

export const TODAY = { queryKey: KEYS.today, queryFn: readToday }

export function useToday() {
  return useQuery(TODAY)
}

export function loadDemo() {
  return api.post('/demo')
}

export function removeDemo() {
  return api.delete('/demo')
}

export function useFailures() {
  return useQuery({
    queryKey: KEYS.failures,
    queryFn: ({ signal }) => api.get('/failures', { signal }),
  })
}

type Group = Pick<FailureGroup, 'channelId' | 'reason'>

/** Dismisses the failures of a group before an instant; null shows them again. */
export function dismissFailures({ channelId, reason }: Group, failedBefore: string | null) {
  const group = { channel: channelId ?? 'unknown', exactReason: reason }
  return api.post('/failures/dismiss', { body: { ...group, failedBefore } })
}

/** Days begin this long before and end this long after the day in UTC. */
const [EAST_MS, WEST_MS] = [14 * 3_600_000, 12 * 3_600_000]

/** A page of upcoming messages in order of their first due time; `day` is a local date, or empty for all days. */
export function useUpcomingList(day: string, cursor: string) {
  return useQuery({
    queryKey: [...KEYS.upcoming, 'list', day, cursor],
    queryFn: ({ signal }) =>
      filledPage(async (from) => {
        const begin = day === '' ? now() : Math.max(now(), Date.parse(day) - EAST_MS)
        const end = day === '' ? now() + 366 * DAY_MS : Date.parse(day) + DAY_MS + WEST_MS
        const [dueFrom, dueBefore] = [begin, end].map((at) => new Date(at).toISOString()) as [string, string]
        const query = {
          status: 'PENDING',
          dueFrom,
          dueBefore,
          ...given({ cursor: from, limit: day === '' ? 20 : 50 }),
        }
        const { items, nextCursor } = await api.get('/event', { query, signal })
        return { items: items.filter((event) => event.targetTimestampLocal.startsWith(day)), nextCursor }
      }, cursor),
    placeholderData: keepPreviousData,
  })
}

export function useUpcoming(days: number) {
  return useQuery({
    queryKey: [...KEYS.upcoming, days],
    queryFn: ({ signal }) => api.get('/upcoming', { query: { days }, signal }),
  })
}
