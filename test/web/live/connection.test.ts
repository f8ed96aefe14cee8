// The state of the live connection, with a stubbed EventSource and fetch.
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { api } from '../../../web/src/api/client.ts'
import { connectionState, lastResponseAt, startLive } from '../../../web/src/live/connection.ts'

class FakeSource extends EventTarget {
  static readonly OPEN = 1
  static readonly CLOSED = 2
  static latest: FakeSource
  static opened = 0
  readyState = 0
  constructor() {
    super()
    FakeSource.latest = this
    FakeSource.opened++
  }
  emit(type: string, readyState: number): void {
    this.readyState = readyState
    this.dispatchEvent(new Event(type))
  }
  close(): void {
    this.readyState = FakeSource.CLOSED
  }
}

let isUp: boolean
let delayMs: number
let aborted: number
let requests: number
let stop: () => void
let client: QueryClient

beforeEach(() => {
  vi.useFakeTimers()
  isUp = true
  delayMs = 0
  aborted = 0
  requests = 0
  FakeSource.opened = 0
  vi.stubGlobal('EventSource', FakeSource)
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: false }))
  vi.stubGlobal('fetch', async (_: string, { signal }: RequestInit) => {
    requests++
    signal?.addEventListener('abort', () => aborted++)
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs))
    if (!isUp) throw new TypeError('Failed to fetch')
    return Response.json({})
  })
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const query = new QueryObserver(client, {
    queryKey: ['today'],
    queryFn: ({ signal }) => api.get('/today', { signal }),
  })
  const unsubscribe = query.subscribe(() => {})
  const end = startLive(client)
  stop = () => {
    end()
    unsubscribe()
    client.clear()
  }
})
afterEach(() => {
  stop()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('the live connection', () => {
  it('is live once the stream is open, and refetches after a change', async () => {
    FakeSource.latest.emit('open', FakeSource.OPEN)
    expect(connectionState()).toBe('live')
    await vi.advanceTimersByTimeAsync(1_500)
    const before = requests
    FakeSource.latest.dispatchEvent(new Event('change'))
    await vi.advanceTimersByTimeAsync(1_100)
    expect(requests).toBeGreaterThan(before)
  })

  it('stays live on a server that takes three seconds, without aborting a request', async () => {
    delayMs = 3_000
    FakeSource.latest.emit('open', FakeSource.OPEN)
    for (let second = 0; second < 60; second++) {
      FakeSource.latest.dispatchEvent(new Event('change'))
      await vi.advanceTimersByTimeAsync(1_000)
      expect(connectionState()).toBe('live')
    }
    expect(aborted).toBe(0)
    expect(requests).toBeGreaterThanOrEqual(9)
  })

  it('is late once the last response is ten seconds old, and live again after the next one', async () => {
    FakeSource.latest.emit('open', FakeSource.OPEN)
    await vi.advanceTimersByTimeAsync(5_000)
    delayMs = 20_000
    await vi.advanceTimersByTimeAsync(16_000)
    expect(connectionState()).toBe('late')
    await vi.advanceTimersByTimeAsync(6_000)
    expect(connectionState()).toBe('live')
  })

  it('polls every two seconds without a stream, and opens one again after thirty', async () => {
    FakeSource.latest.emit('error', FakeSource.CLOSED)
    expect(connectionState()).toBe('polling')
    const before = requests
    await vi.advanceTimersByTimeAsync(10_000)
    expect(requests - before).toBeGreaterThanOrEqual(4)
    await vi.advanceTimersByTimeAsync(20_000)
    expect(FakeSource.opened).toBe(2)
  })

  it('is unreachable while requests get no response, dates the data, and recovers by itself', async () => {
    FakeSource.latest.emit('open', FakeSource.OPEN)
    await vi.advanceTimersByTimeAsync(3_000)
    isUp = false
    const lostAt = Date.now()
    FakeSource.latest.emit('error', 0)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(connectionState()).toBe('unreachable')
    expect(lastResponseAt()).toBeLessThanOrEqual(lostAt)
    isUp = true
    await vi.advanceTimersByTimeAsync(4_000)
    expect(connectionState()).toBe('polling')
    expect(lastResponseAt()).toBeGreaterThan(lostAt)
    FakeSource.latest.emit('open', FakeSource.OPEN)
    expect(connectionState()).toBe('live')
  })
})
