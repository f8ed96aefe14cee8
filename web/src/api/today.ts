// The day at a glance, the demo people, what comes, and what failed.
import { useQuery } from '@tanstack/react-query'
import { serverSays } from '../clock/now.ts'
import { call } from './client.ts'
import { KEYS } from './keys-of-queries.ts'
import type { Failures, Today, Upcoming } from './types.ts'

async function readToday(): Promise<Today> {
  const today = await call<Today>('GET', '/today')
  serverSays(today.now)
  return today
}

export function useToday() {
  return useQuery({ queryKey: KEYS.today, queryFn: readToday })
}

export function loadDemo(): Promise<{ loaded: number }> {
  return call('POST', '/demo')
}

export function wipeDemo(): Promise<{ wiped: number }> {
  return call('DELETE', '/demo')
}

export function useFailures() {
  return useQuery({ queryKey: KEYS.failures, queryFn: () => call<Failures>('GET', '/failures') })
}

export function useUpcoming(days: number) {
  return useQuery({
    queryKey: [...KEYS.upcoming, days],
    queryFn: () => call<Upcoming>('GET', '/upcoming', { query: { days } }),
  })
}
