// Keeps what is on screen current: the server says when something changed; where it cannot, we ask every two seconds.
import type { QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { renewAll } from './api/renew.ts'

export type Liveness = 'connecting' | 'live' | 'polling' | 'unreachable'

const POLL_MS = 2_000
/** However many changes come at once, one refresh is enough; and one a second, however long they go on. */
const GATHER_MS = 250
const APART_MS = 1_000
/** The server keeps its counts for a second, so one look more after the last change. */
const SETTLED_MS = 1_300
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
  let gathering: ReturnType<typeof setTimeout> | undefined
  let settling: ReturnType<typeof setTimeout> | undefined
  let retrying: ReturnType<typeof setTimeout> | undefined
  let source: EventSource | null = null

  let refreshedAt = 0
  const refresh = () => {
    gathering = undefined
    refreshedAt = Date.now()
    if (document.hidden) return
    void renewAll(client)
  }
  const soon = () => {
    gathering ??= setTimeout(refresh, Math.max(GATHER_MS, refreshedAt + APART_MS - Date.now()))
    clearTimeout(settling)
    settling = setTimeout(refresh, SETTLED_MS)
  }

  const connect = () => {
    source?.close()
    source = new EventSource('/live')
    source.addEventListener('open', () => {
      become('live')
      soon()
    })
    source.addEventListener('change', soon)
    source.addEventListener('error', () => {
      become(navigator.onLine ? 'polling' : 'unreachable')
      // Refused for good, as by a server without it or before signing in: try again now and then.
      if (source?.readyState !== EventSource.CLOSED) return
      clearTimeout(retrying)
      retrying = setTimeout(connect, LONG_MS)
    })
  }
  connect()

  const polling = setInterval(() => state !== 'live' && refresh(), POLL_MS)
  const long = setInterval(refresh, LONG_MS)
  const onVisible = () => !document.hidden && refresh()
  document.addEventListener('visibilitychange', onVisible)
  return () => {
    source?.close()
    clearTimeout(gathering)
    clearTimeout(settling)
    clearTimeout(retrying)
    clearInterval(polling)
    clearInterval(long)
    document.removeEventListener('visibilitychange', onVisible)
  }
}
