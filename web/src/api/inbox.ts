// The development inbox.
import { useQuery } from '@tanstack/react-query'
import { call } from './client.ts'
import { KEYS } from './query-keys.ts'
import type { Inbox, InboxMode } from './settings-types.ts'

export function useInbox({ enabled = true } = {}) {
  return useQuery({ queryKey: KEYS.inbox, queryFn: () => call<Inbox>('GET', '/inbox'), enabled })
}

export function setInboxMode(mode: InboxMode): Promise<void> {
  return call('PUT', '/inbox/behaviour', { body: { mode } })
}

export function clearInbox(): Promise<void> {
  return call('DELETE', '/inbox')
}
