// The session of this browser, and the settings of the server.
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

export function signOut({ everywhere = false } = {}) {
  return api.delete('/session', { query: { everywhere: everywhere ? 'true' : 'false' } })
}
