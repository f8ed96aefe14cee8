// The audit log, the newest entries first.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from './client.ts'
import { KEYS } from './query-keys.ts'
import type { AuditEntry } from './settings-types.ts'
import type { Page } from './types.ts'

export type AuditFilter = { action: string; actor: string; object: string }

export function useAudit(filter: AuditFilter, cursor: string) {
  const { action, actor, object } = filter
  const query = {
    ...(action !== '' && { action }),
    ...(actor !== '' && { actor }),
    ...(object !== '' && { object }),
    ...(cursor !== '' && { cursor }),
  }
  return useQuery({
    queryKey: [...KEYS.audit, query],
    queryFn: () => call<Page<AuditEntry>>('GET', '/audit', { query }),
    placeholderData: keepPreviousData,
    meta: { live: false },
  })
}
