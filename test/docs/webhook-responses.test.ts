// The table of responses in docs/webhooks.md against a running Terce: each status has the effect that the page says.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../http/support/test-app.ts'
import { type Sink, startSink } from '../runtimes/support/sink.ts'
import { startTerce, type TerceProcess } from '../runtimes/support/terce-process.ts'
import { readPage } from './support/page.ts'

const SAMPLES: Record<string, number[]> = {
  '2xx': [200, 204],
  '3xx': [301, 302],
  'any other 5xx': [500, 505],
  'any other 4xx': [400, 404, 422],
}

const section = readPage('webhooks.md')
  .text.split(/^## /m)
  .find((text) => text.startsWith('Response\n'))!
const rows = [...section.matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm)].slice(1).map(([, named, effect]) => {
  const parts = named!.split(', ')
  const statuses = parts.flatMap((part) => SAMPLES[part] ?? (/^\d{3}$/.test(part) ? [Number(part)] : []))
  return { statuses, effect: effect! }
})
const cases = rows.flatMap(({ statuses, effect }) => statuses.map((status) => ({ status, effect })))

/** What the page says becomes of the event, its attempt and its channel. */
function expectedOf(effect: string) {
  if (effect.includes('`PAUSED`')) return { event: 'PROCESSING', attempt: 'PARKED', channel: 'PAUSED' }
  if (effect.includes('`DISABLED`')) return { event: 'FAILED', attempt: 'FAILED', channel: 'DISABLED' }
  if (effect.includes('`FAILED`')) return { event: 'FAILED', attempt: 'FAILED', channel: 'ACTIVE' }
  if (effect.includes('`COMPLETED`')) return { event: 'COMPLETED', attempt: 'DELIVERED', channel: 'ACTIVE' }
  if (effect.includes('is parked')) return { event: 'PROCESSING', attempt: 'PARKED', channel: 'ACTIVE' }
  return { event: 'PROCESSING', attempt: 'RETRY', channel: 'ACTIVE' }
}

describe('the table of responses', () => {
  const folder = mkdtempSync(join(tmpdir(), 'terce-responses-'))
  let receiver: Sink
  let terce: TerceProcess

  beforeAll(async () => {
    receiver = await startSink((response, { body }) => {
      response.statusCode = Number(/STATUS_(\d+)/.exec(body)![1])
      response.end()
    })
    terce = await startTerce({
      DATABASE_URL: `sqlite:${join(folder, 'terce.db')}`,
      TERCE_SECRET_KEY: randomBytes(32).toString('base64'),
      ALLOW_PRIVATE_TARGETS: 'true',
      RETRY: '1d',
    })
  })

  afterAll(async () => {
    await terce.kill('SIGKILL')
    await receiver.close()
    rmSync(folder, { recursive: true })
  })

  async function call(path: string, body?: object): Promise<Json> {
    const post = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }
    const response = await fetch(terce.url + path, body && post)
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }

  it('has a row for each status that is treated on its own', () => {
    const statuses = cases.map(({ status }) => status)
    for (const status of [200, 302, 401, 403, 404, 408, 410, 425, 429, 500])
      expect(statuses).toContain(status)
  })

  it.each(cases)('$status has the effect that the page says', async ({ status, effect }) => {
    const type = `STATUS_${status}`
    const { channel } = await call('/channel', {
      name: `receiver-${status}`,
      kind: 'webhook',
      url: receiver.url,
    })
    const person = { firstName: 'Ada', lastName: 'Lovelace', dateOfBirth: '1990-06-15', timezone: 'UTC' }
    const { user } = await call('/user', person)
    const today = new Date().toISOString().slice(0, 10)
    const rule = {
      type,
      date: today,
      repeats: 'ONCE',
      localTime: '00:00',
      template: 'Hello',
      channel: channel.id,
      sendTodayNow: true,
    }
    await call(`/user/${user.id}/occasion`, rule)
    const look = async () => {
      const { items } = await call(`/user/${user.id}/event?type=${type}`)
      const { attempts, ...event } = await call(`/event/${items[0].id}`)
      const { items: channels } = await call('/channel')
      const [{ status: now }] = channels.filter(({ id }: Json) => id === channel.id)
      return { event: event.status, attempt: attempts.at(-1)?.outcome, channel: now }
    }
    await expect.poll(look, { timeout: 60_000 }).toEqual(expectedOf(effect))
  })
})
