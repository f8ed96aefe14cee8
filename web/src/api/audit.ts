// The audit log, the newest entries first.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, given } from './client.ts'
import { KEYS } from './query-keys.ts'
import type { AuditEntry } from './settings-types.ts'

export type AuditFilter = { action: AuditEntry['action'] | ''; actor: string; object: string }

export function useAudit(filter: AuditFilter, cursor: string) {
  const query = given({ ...filter, cursor })
  return useQuery({
    queryKey: [...KEYS.audit, query],
    queryFn: ({ signal }) => api.get('/audit', { query, signal }),
    placeholderData: keepPreviousData,
    meta: { live: false },
  })
}
