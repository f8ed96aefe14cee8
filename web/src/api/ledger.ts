// The ledger: the closed days, the account of one day, and the repair of a plan.
import { useQuery } from '@tanstack/react-query'
import { api } from './client.ts'
import { KEYS } from './query-keys.ts'

/** A year and a day. A closed day never changes, so the list is not refetched on every change. */
export function useLedgerDays() {
  return useQuery({
    queryKey: KEYS.ledger,
    queryFn: ({ signal }) => api.get('/ledger', { query: { limit: 366 }, signal }),
    meta: { live: false },
    refetchInterval: 60_000,
  })
}

/** The account of the running day so far, which the server computes at most once a minute. */
export function useLedgerToday() {
  return useQuery({
    queryKey: [...KEYS.ledger, 'today'],
    queryFn: ({ signal }) => api.get('/ledger/today', { signal }),
    meta: { live: false },
    refetchInterval: 60_000,
  })
}

export function useLedgerDay(day: string) {
  return useQuery({
    queryKey: [...KEYS.ledger, day],
    queryFn: ({ signal }) => api.get('/ledger/{day}', { path: { day }, signal }),
    meta: { live: false },
  })
}

/** Plans the next message of an occasion again. */
export function repairPlan(occasionId: string): Promise<{ planned: number }> {
  return api.post('/ledger/repair', { body: { occasionId, dryRun: false } })
}

/** Where the report of each closed day goes. Only for keys that may change settings. */
export function useReportTarget() {
  return useQuery({
    queryKey: KEYS.reportTarget,
    queryFn: ({ signal }) => api.get('/ledger/report', { signal }),
  })
}

export function setReportTarget(to: string | null) {
  return api.put('/ledger/report', { body: { to } })
}
