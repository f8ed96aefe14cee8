// Figures of the dashboard: today, upcoming, failures; and the demo people.
import { useQuery } from '@tanstack/react-query'
import { serverTimeAt, syncClock } from '../clock/now.ts'
import { call } from './client.ts'
import { KEYS } from './query-keys.ts'
import type { Failures, Today, Upcoming } from './types.ts'

/**
 * With millions of people the server counts seldom, so a response may be older than the change that triggered the request.
 * Refetches until the figures are newer than the request. This is cheap: the server caches its figures.
 */
function untilFresh({
  state,
}: {
  state: { data?: { countedAt: string }; dataUpdatedAt: number }
}): number | false {
  const { data, dataUpdatedAt } = state
  if (data === undefined) return false
  return serverTimeAt(dataUpdatedAt) - Date.parse(data.countedAt) > STALE_MS ? AGAIN_MS : false
}

const STALE_MS = 1_200
const AGAIN_MS = 3_000

async function readToday(): Promise<Today> {
  const today = await call<Today>('GET', '/today')
  syncClock(today.now)
  return today
}

export function useToday() {
  return useQuery({ queryKey: KEYS.today, queryFn: readToday, refetchInterval: untilFresh })
}

export function loadDemo(): Promise<{ loaded: number }> {
  return call('POST', '/demo')
}

export function removeDemo(): Promise<{ wiped: number }> {
  return call('DELETE', '/demo')
}

export function useFailures() {
  return useQuery({
    queryKey: KEYS.failures,
    queryFn: () => call<Failures>('GET', '/failures'),
    refetchInterval: untilFresh,
  })
}

export function useUpcoming(days: number) {
  return useQuery({
    queryKey: [...KEYS.upcoming, days],
    queryFn: () => call<Upcoming>('GET', '/upcoming', { query: { days } }),
    refetchInterval: untilFresh,
  })
}
