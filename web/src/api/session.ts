// The session of this browser, the sessions of other browsers, and the settings of the server.
import { useQuery } from '@tanstack/react-query'
import { api } from './client.ts'
import { KEYS } from './query-keys.ts'

export function useSession() {
  return useQuery({
    queryKey: KEYS.session,
    queryFn: ({ signal }) => api.get('/session', { signal }),
    staleTime: 60_000,
    meta: { live: false },
  })
}

/** Whether this browser may change channels and other settings. */
export function useMayManage(): boolean {
  const session = useSession().data
  return session?.open === true || session?.scope === 'admin'
}

export function signIn(key: string) {
  return api.post('/session', { body: { key } })
}

export function signOut() {
  return api.delete('/session')
}

export function useSessions() {
  return useQuery({
    queryKey: KEYS.sessions,
    queryFn: ({ signal }) => api.get('/session/list', { signal }),
    meta: { live: false },
  })
}

export function revokeSession(id: string) {
  return api.delete('/session/{id}', { path: { id } })
}
