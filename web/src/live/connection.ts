// Keeps the page current. The server announces its own changes over a live connection; changes by other processes, and
// servers without a live connection, are covered by polling every two seconds.
import type { QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { whenReachable } from '../api/client.ts'
import { refreshAll } from '../api/invalidate.ts'
import { API_BASE } from '../base.ts'
import { createRefreshTimer } from './refresh-timer.ts'

export type Connection = 'connecting' | 'live' | 'polling' | 'late' | 'unreachable'

const POLL_MS = 2_000
const RECONNECT_MS = 30_000
/** A page whose last response is older is not current, in any state of its stream. */
const LATE_MS = 10_000

let state: Connection = 'connecting'
let respondedAt = Date.now()
const listeners = new Set<() => void>()

function setState(next: Connection): void {
  if (next === state) return
  state = next
  for (const listener of listeners) listener()
}

export function connectionState(): Connection {
  return state
}

export function useConnection(): Connection {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, connectionState)
}

/** When the server last responded, by the clock of the browser. */
export function lastResponseAt(): number {
  return respondedAt
}

export function startLive(client: QueryClient): () => void {
  let retrying: ReturnType<typeof setTimeout> | undefined
  let source: EventSource | null = null

  const refresh = createRefreshTimer(async () => {
    if (!document.hidden) await refreshAll(client)
  })

  let isReachable = true
  let hasFailed = false
  respondedAt = Date.now()
  const update = () => {
    if (!isReachable) return setState('unreachable')
    if (Date.now() - respondedAt > LATE_MS) return setState('late')
    if (source?.readyState === EventSource.OPEN) return setState('live')
    setState(hasFailed ? 'polling' : 'connecting')
  }

  const connect = () => {
    source?.close()
    source = new EventSource(`${API_BASE}/live`)
    source.addEventListener('open', () => {
      update()
      refresh.soon()
    })
    source.addEventListener('change', refresh.soon)
    source.addEventListener('error', () => {
      hasFailed = true
      update()
      // Closed for good: the server has no live connection, or the reader is not signed in. Retry now and then.
      if (source?.readyState !== EventSource.CLOSED) return
      clearTimeout(retrying)
      retrying = setTimeout(connect, RECONNECT_MS)
    })
  }
  connect()

  whenReachable((hasResponded) => {
    isReachable = hasResponded
    if (hasResponded) respondedAt = Date.now()
    update()
  })

  const polling = setInterval(() => {
    update()
    refresh.again()
  }, POLL_MS)
  const onVisible = () => !document.hidden && refresh.now()
  document.addEventListener('visibilitychange', onVisible)
  return () => {
    source?.close()
    refresh.stop()
    clearTimeout(retrying)
    clearInterval(polling)
    document.removeEventListener('visibilitychange', onVisible)
  }
}
