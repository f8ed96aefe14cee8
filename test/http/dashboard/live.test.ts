// Live streams: they end with the key that opened them, and each key may have a limited number.
import { describe, expect, it } from 'vitest'
import type { Change, Live } from '../../../src/app/dashboard/live.ts'
import { ADMIN, bearer } from '../support/test-access.ts'
import { createKeyedApp } from '../support/test-app.ts'

function keyed() {
  const listeners = new Set<(change: Change) => void>()
  const live: Live = {
    listen: (onChange) => {
      listeners.add(onChange)
      return () => void listeners.delete(onChange)
    },
    touch() {},
    telemetry() {},
  }
  const app = createKeyedApp({ live })
  const change = () => {
    for (const listener of listeners) listener({ kinds: ['user'] })
  }
  const open = async (headers: Record<string, string>) => {
    const response = await app.app.request('/live', { headers })
    const reader = response.body!.getReader()
    await reader.read()
    return { status: response.status, read: () => reader.read(), close: () => reader.cancel() }
  }
  return { ...app, listeners, change, open }
}

describe('a live stream', () => {
  it('ends when its key is revoked, without a further change', async () => {
    const app = keyed()
    const made = (await app.post('/key', { name: 'tv', scope: 'read' }, ADMIN)).json
    const stream = await app.open(bearer(made.key))
    app.change()
    expect(new TextDecoder().decode((await stream.read()).value)).toContain('"kinds":["user"]')
    await app.send(`/key/${made.apiKey.id}`, { method: 'DELETE', headers: ADMIN })
    app.change()
    expect((await stream.read()).done).toBe(true)
    expect(app.listeners.size).toBe(0)
  })

  it('is one of fifty for a key at most; another key, and a stream after one was closed, are not affected', async () => {
    const app = keyed()
    const { key } = (await app.post('/key', { name: 'tv', scope: 'read' }, ADMIN)).json
    const streams = await Promise.all(Array.from({ length: 50 }, () => app.open(bearer(key))))
    const rejected = await app.send('/live', { headers: bearer(key) })
    expect([rejected.status, rejected.headers.get('Retry-After')]).toEqual([429, '30'])
    streams.push(await app.open(ADMIN))
    await streams.shift()!.close()
    await expect.poll(() => app.listeners.size).toBe(50)
    streams.push(await app.open(bearer(key)))
    expect(streams.at(-1)!.status).toBe(200)
    for (const { close } of streams) await close()
  })
})
