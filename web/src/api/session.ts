// The session of this browser, the sessions of other browsers, and the settings of the server.
import { useQuery } from '@tanstack/react-query'
import { call } from './client.ts'
import { KEYS } from './query-keys.ts'
import type { ListedSession } from './settings-types.ts'
import type { Session } from './types.ts'

export function useSession() {
  return useQuery({
    queryKey: KEYS.session,
    queryFn: () => call<Session>('GET', '/session'),
    staleTime: 60_000,
    meta: { live: false },
  })
}

export function signIn(key: string): Promise<void> {
  return call('POST', '/session', { body: { key } })
}

export function signOut(): Promise<void> {
  return call('DELETE', '/session')
}

export function useSessions() {
  return useQuery({
    queryKey: KEYS.sessions,
    queryFn: () => call<{ items: ListedSession[] }>('GET', '/session/list'),
    meta: { live: false },
  })
}

export function revokeSession(id: string): Promise<void> {
  return call('DELETE', `/session/${id}`)
}
