// The ledger: the accounts of all days, and the lines of one day.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, given } from './client.ts'
import { KEYS } from './query-keys.ts'
import type { LedgerColumn } from './types.ts'

/** A year and the day that is not closed yet. A day changes once, when it is closed, so the list is not refetched on every change. */
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

const LINES = 50

/** A page of the lines of a day; `column` is empty for all columns. */
export function useLedgerDay(day: string, column: LedgerColumn | '', cursor: string) {
  return useQuery({
    queryKey: [...KEYS.ledger, day, column, cursor],
    queryFn: ({ signal }) =>
      api.get('/ledger/{day}', { path: { day }, query: given({ column, cursor, limit: LINES }), signal }),
    placeholderData: keepPreviousData,
    meta: { live: false },
  })
}
