// The session: who is signed in, and the settings of the server.
import { useQuery } from '@tanstack/react-query'
import { call } from './client.ts'
import { KEYS } from './query-keys.ts'
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
