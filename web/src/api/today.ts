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

/** A page of upcoming messages in order of their first due time; `day` is a local date, or empty for all days. */
export function useUpcomingList(day: string, cursor: string) {
  return useQuery({
    queryKey: [...KEYS.upcoming, 'list', day, cursor],
    queryFn: ({ signal }) =>
      filledPage((from) => {
        const span = { dueFrom: isoOf(now()), ...(day === '' && { dueBefore: isoOf(now() + 366 * DAY_MS) }) }
        const page = given({ localDate: day, cursor: from, limit: day === '' ? 20 : 50 })
        return api.get('/event', { query: { status: 'PENDING', ...span, ...page }, signal })
      }, cursor),
    placeholderData: keepPreviousData,
  })
}

const isoOf = (at: number) => new Date(at).toISOString()

export function useUpcoming(days: number) {
  return useQuery({
    queryKey: [...KEYS.upcoming, days],
    queryFn: ({ signal }) => api.get('/upcoming', { query: { days }, signal }),
  })
}
