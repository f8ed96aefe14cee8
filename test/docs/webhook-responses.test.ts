// The table of responses in docs/webhooks.md against a running Terce: each status has the effect that the page says.
import { expect, it } from 'vitest'
import type { Json } from '../http/support/test-app.ts'
import { startSink } from '../runtimes/support/sink.ts'
import { until } from '../support/until.ts'
import { readPage, withShell } from './support/page.ts'

const SAMPLES: Record<string, number[]> = {
  '2xx': [200, 204],
  '3xx': [301, 302],
  'any other 5xx': [500, 505],
  'any other 4xx': [400, 404, 422],
}

/** What the page says becomes of the event, its attempt and its channel. */
function expectedOf(effect: string) {
  if (effect.includes('`PAUSED`')) return 'PROCESSING, PARKED, PAUSED'
  if (effect.includes('`DISABLED`')) return 'FAILED, FAILED, DISABLED'
  if (effect.includes('`FAILED`')) return 'FAILED, FAILED, ACTIVE'
  if (effect.includes('`COMPLETED`')) return 'COMPLETED, DELIVERED, ACTIVE'
  return effect.includes('is parked') ? 'PROCESSING, PARKED, ACTIVE' : 'PROCESSING, RETRY, ACTIVE'
}

const [, section] = readPage('webhooks.md').text.split(/^## Response\n/m)
const rows = [...section!.split(/^## /m)[0]!.matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm)].slice(1)
const expected = rows.flatMap(([, named, effect]) => {
  const statuses = named!.split(', ').flatMap((part) => SAMPLES[part] ?? (Number(part) || []))
  return statuses.map((status) => [status, expectedOf(effect!)] as const)
})

it('each status has the effect on the event, the attempt and the channel that the page says', async () => {
  const receiver = await startSink((response, { body }) => {
    response.statusCode = Number(/STATUS_(\d+)/.exec(body)![1])
    response.end()
  })
  const settings = {
    TERCE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    ALLOW_PRIVATE_TARGETS: 'true',
    RETRY: '1d',
  }
  await withShell(
    async ({ url }) => {
      const call = async (path: string, body?: object): Promise<Json> => {
        const headers = { 'content-type': 'application/json' }
        const post = { method: 'POST', headers, body: JSON.stringify(body) }
        const response = await fetch(url + path, body && post)
        if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
        return response.json()
      }
      const person = { firstName: 'Ada', lastName: 'Lovelace', dateOfBirth: '1990-06-15', timezone: 'UTC' }
      const { user } = await call('/user', person)
      const date = new Date().toISOString().slice(0, 10)
      const once = { date, repeats: 'ONCE', localTime: '00:00', template: 'Hello', sendTodayNow: true }
      for (const [status] of expected) {
        const { channel } = await call('/channel', {
          name: `receiver-${status}`,
          kind: 'webhook',
          url: receiver.url,
        })
        await call(`/user/${user.id}/occasion`, { ...once, type: `STATUS_${status}`, channel: channel.id })
      }
      const effectOf = async (status: number) => {
        const { items } = await call(`/user/${user.id}/event?type=STATUS_${status}`)
        const { attempts, ...event } = await call(`/event/${items[0].id}`)
        const { items: channels } = await call('/channel')
        const channel = channels.find(({ name }: Json) => name === `receiver-${status}`)
        return `${event.status}, ${attempts.at(-1)?.outcome}, ${channel.status}`
      }
      for (const [status, effect] of expected)
        await until(
          `${status}: ${effect}`,
          () => effectOf(status),
          (seen) => seen === effect,
        )
    },
    { settings },
  )
  await receiver.close()
  const statuses = expected.map(([status]) => status)
  expect(statuses).toEqual(expect.arrayContaining([200, 302, 401, 403, 404, 408, 410, 425, 429, 500, 503]))
})
