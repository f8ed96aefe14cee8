// Keeps what is on screen current: the server says when something changed; where it cannot, we ask every two seconds.
import type { QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { renewAll } from './api/renew.ts'
import { createPace } from './pace.ts'

export type Liveness = 'connecting' | 'live' | 'polling' | 'unreachable'

const POLL_MS = 2_000
/** Even without a word from the server: counts of the last 24 hours change by themselves. */
const LONG_MS = 30_000

let state: Liveness = 'connecting'
const listeners = new Set<() => void>()

function become(next: Liveness): void {
  if (next === state) return
  state = next
  for (const listener of listeners) listener()
}

export function useLiveness(): Liveness {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => state,
  )
}

export function startLive(client: QueryClient): () => void {
  let retrying: ReturnType<typeof setTimeout> | undefined
  let source: EventSource | null = null

  const pace = createPace(async () => {
    if (!document.hidden) await renewAll(client)
  })

  const connect = () => {
    source?.close()
    source = new EventSource('/live')
    source.addEventListener('open', () => {
      become('live')
      pace.soon()
    })
    source.addEventListener('change', pace.soon)
    source.addEventListener('error', () => {
      become(navigator.onLine ? 'polling' : 'unreachable')
      // Refused for good, as by a server without it or before signing in: try again now and then.
      if (source?.readyState !== EventSource.CLOSED) return
      clearTimeout(retrying)
      retrying = setTimeout(connect, LONG_MS)
    })
  }
  connect()

  const polling = setInterval(() => state !== 'live' && pace.now(), POLL_MS)
  const long = setInterval(pace.now, LONG_MS)
  const onVisible = () => !document.hidden && pace.now()
  document.addEventListener('visibilitychange', onVisible)
  return () => {
    source?.close()
    pace.stop()
    clearTimeout(retrying)
    clearInterval(polling)
    clearInterval(long)
    document.removeEventListener('visibilitychange', onVisible)
  }
}
