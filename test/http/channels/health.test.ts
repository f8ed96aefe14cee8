// The state and the figures of one channel, the probe of its destination, and the inbox as the default channel.
import { describe, expect, it } from 'vitest'
import { INBOX_CHANNEL } from '../../../src/domain/settings/channel.ts'
import { createTestApp } from '../support/test-app.ts'

const NOW = Date.parse('2026-11-15T04:00:00Z')
const MINUTE = 60_000
const hook = (name: string) => ({ kind: 'webhook', name, url: 'https://example.com/', isDefault: true })
const at = (ms: number) => new Date(ms).toISOString()

describe('GET /channel/:id/health', () => {
  it('has the status, the destination, the waiting messages and the last 24 hours, of the inbox too', async () => {
    const { post, send, store } = createTestApp()
    const up = {
      ...{ status: 'ACTIVE', statusReason: null, heldUntil: null, heldBy: null, isDefault: true },
      ...{ downSince: null, lastError: null, nextProbeAt: null, waiting: 0, countedAt: at(NOW) },
      last24h: { delivered: 0, failed: 0, latency: null },
    }
    const health = async (id: string) => (await send(`/channel/${id}/health`)).json
    expect(await health(INBOX_CHANNEL)).toEqual({ id: INBOX_CHANNEL, name: 'inbox', ...up })
    const { id } = (await post('/channel', hook('crm'))).json.channel
    expect(await health(id)).toEqual({ id, name: 'crm', ...up })
    expect((await health(INBOX_CHANNEL)).isDefault).toBe(false)
    const outage = { since: NOW - MINUTE, error: 'HTTP 503', nextProbeAt: NOW + MINUTE }
    await store.markDown({ channelId: id, ...outage, seen: null })
    const down = { downSince: at(NOW - MINUTE), lastError: 'HTTP 503', nextProbeAt: at(NOW + MINUTE) }
    expect(await health(id)).toMatchObject(down)
    await post(`/channel/${id}/hold`, {})
    expect(await health(id)).toMatchObject({ ...down, status: 'HELD', statusReason: null })
  })

  it('is not found for an unknown channel', async () => {
    const { post, send } = createTestApp()
    const path = '/channel/019a84f1-8c00-7000-8000-2f6d1c9d3e4a'
    expect((await send(`${path}/health`)).json.code).toBe('CHANNEL_NOT_FOUND')
    expect((await post(`${path}/probe`, undefined)).json.code).toBe('CHANNEL_NOT_FOUND')
  })
})

it('POST /channel/:id/probe makes the next probe due now, only while the destination is down', async () => {
  const { post, store } = createTestApp()
  const { id } = (await post('/channel', hook('crm'))).json.channel
  const probe = async () => (await post(`/channel/${id}/probe`, undefined)).json.nextProbeAt
  expect(await probe()).toBeNull()
  const outage = { since: NOW, error: 'HTTP 503', nextProbeAt: NOW + MINUTE }
  await store.markDown({ channelId: id, ...outage, seen: null })
  expect([await probe(), await probe()]).toEqual([at(NOW), at(NOW)])
  expect(await store.listDestinations()).toMatchObject([{ downSince: NOW, nextProbeAt: NOW }])
})

it('POST /inbox/default makes the inbox the default, after any number of default channels', async () => {
  const { post, send } = createTestApp()
  for (const name of ['one', 'two', 'three']) await post('/channel', hook(name))
  expect((await post('/inbox/default', undefined)).status).toBe(204)
  const { items } = (await send('/channel')).json
  expect(items.map(({ isDefault }: { isDefault: boolean }) => isDefault)).toEqual([false, false, false])
  expect((await send(`/channel/${INBOX_CHANNEL}/health`)).json.isDefault).toBe(true)
})
