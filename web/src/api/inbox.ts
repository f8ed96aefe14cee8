// The development inbox.
import { useQuery } from '@tanstack/react-query'
import { api, given } from './client.ts'
import { KEYS } from './query-keys.ts'
import type { InboxMode } from './settings-types.ts'

export function useInbox({ cursor = '', enabled = true } = {}) {
  return useQuery({
    queryKey: [...KEYS.inbox, cursor],
    queryFn: ({ signal }) => api.get('/inbox', { query: given({ cursor }), signal }),
    enabled,
  })
}

export function setInboxMode(mode: InboxMode) {
  return api.put('/inbox/mode', { body: { mode } })
}

export function clearInbox() {
  return api.delete('/inbox')
}
