// The development inbox.
import { useQuery } from '@tanstack/react-query'
import { api } from './client.ts'
import { KEYS } from './query-keys.ts'
import type { InboxMode } from './settings-types.ts'

export function useInbox({ enabled = true } = {}) {
  return useQuery({ queryKey: KEYS.inbox, queryFn: ({ signal }) => api.get('/inbox', { signal }), enabled })
}

export function setInboxMode(mode: InboxMode) {
  return api.put('/inbox/mode', { body: { mode } })
}

export function clearInbox() {
  return api.delete('/inbox')
}
