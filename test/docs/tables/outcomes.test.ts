// Tables that say what becomes of a message: by HTTP status, by the response of the receiver library, by failure code.
import { readdirSync, readFileSync } from 'node:fs'
import { STATUS_CODES } from 'node:http'
import { describe, expect, it } from 'vitest'
import { requestsTo } from '../../../src/channels/webhook/headers.ts'
import { readResponse } from '../../../src/channels/webhook/response.ts'
import { claimBatch } from '../../../src/engine/claim.ts'
import { attempt } from '../../../src/engine/deliver/attempt.ts'
import { BREAKER } from '../../../src/engine/deliver/circuit-breaker.ts'
import { createDestinationQueues } from '../../../src/engine/deliver/destination-queues.ts'
import { receive, type Seen, seenInMemory } from '../../../src/receiver/receiver.ts'
import { ALONE, makeClaim, makeDeps, NO_RECOVERY } from '../../engine/support/claims.ts'
import { createWorld } from '../../engine/support/world.ts'
import { NOW, OTHER_SECRET, requestOf, SECRET, signed } from '../../receiver/support/signed.ts'
import { createTestClock, makePerson, T0 } from '../../support/fixtures.ts'
import { readPage } from '../support/page.ts'
import { rowsOf, spansOf } from '../support/tables.ts'

const ROOT = new URL('../../../', import.meta.url).pathname
const page = readPage('webhooks.md')

/** Settles one event whose receiver responds with this status. */
async function settle(status: number) {
  const { deps, channel } = makeDeps()
  const claim = { ...makeClaim({ retryCount: 0 }), body: '{}' }
  channel.script(claim.id, async () => readResponse(status, undefined, T0))
  let suspended: string | null = null
  const destinations = {
    ...deps.destinations,
    suspend: (_: unknown, to: string) => {
      suspended = to
    },
  }
  const queues = createDestinationQueues({
    destinations,
    dice: () => 0,
    breaker: BREAKER,
    recovery: NO_RECOVERY,
    limiter: ALONE,
  })
  const { settlement } = await attempt({ ...deps, destinations }, claim, {
    queues,
    signal: new AbortController().signal,
  })
  const kind = settlement.kind === 'terminal' ? settlement.status : settlement.kind
  return { kind, suspended: suspended as string | null }
}

/** Every registered status of a final response. */
const STATUSES = Object.keys(STATUS_CODES)
  .map(Number)
  .filter((status) => status >= 200)

/** The statuses that a cell names; a class such as 4xx stands for those that no other cell names. */
function statusesIn(cell: string, named: ReadonlySet<number>): number[] {
  const classes = [...cell.matchAll(/\b(\d)xx\b/g)].flatMap(([, digit]) =>
    STATUSES.filter((status) => Math.floor(status / 100) === Number(digit) && !named.has(status)),
  )
  return [...[...cell.matchAll(/\b\d{3}\b/g)].map(([status]) => Number(status)), ...classes]
}

describe('the table of outcomes in docs/architecture.md', () => {
  const rows = rowsOf('docs/architecture.md', 'outcome of an attempt')
  const named = new Set(
    rows.flatMap(([cell]) => [...cell!.matchAll(/\b\d{3}\b/g)].map(([status]) => Number(status))),
  )

  it('says what becomes of an event with each registered status', async () => {
    const seen = new Set<number>()
    for (const [cell, effect, counts] of rows) {
      const outcome = /^\w+/.exec(cell!)![0]
      for (const status of statusesIn(cell!, named)) {
        seen.add(status)
        const { kind, suspended } = await settle(status)
        const expected = { delivered: 'COMPLETED', retry: 'retry', parked: 'parked', failed: 'FAILED' }[
          outcome
        ]
        expect([status, kind]).toEqual([status, expected])
        expect([status, counts === 'yes']).toEqual([status, kind === 'retry'])
        if (kind === 'COMPLETED' || kind === 'FAILED') expect(effect).toContain(kind)
        expect([status, suspended === 'DISABLED']).toEqual([
          status,
          effect!.includes(`${status} also disables the channel`),
        ])
      }
    }
    expect([...seen].sort()).toEqual(STATUSES)
  })
})

describe('the table of the receiver library in docs/webhooks.md', () => {
  const rows = rowsOf('docs/webhooks.md', 'request', 'response', 'effect in Terce')
  const receiver = (seen: Seen | null, handle: () => unknown = () => {}) =>
    receive({ secrets: [SECRET], seen, handle, now: () => NOW })

  /** Each request of the table, and the response to it. */
  const responses: Record<string, () => Promise<Response>> = {
    'a message that was handled, now or before': async () => {
      const receiving = receiver(seenInMemory({ capacity: 10 }))
      await receiving(requestOf(signed()))
      return receiving(requestOf(signed()))
    },
    'a copy of a message that is being handled': async () => {
      const { promise: isHandling, resolve } = Promise.withResolvers<void>()
      const receiving = receiver(seenInMemory({ capacity: 10 }), () => {
        resolve()
        return new Promise<void>(() => {})
      })
      receiving(requestOf(signed()))
      await isHandling
      return receiving(requestOf(signed()))
    },
    '`handle` threw': () =>
      receiver(null, () => {
        throw new Error('the disk is full')
      })(requestOf(signed())).catch(() => new Response(null, { status: 500 })),
    'a timestamp more than `toleranceSeconds` (300) away': () =>
      receiver(null)(requestOf(signed({ at: NOW - 301_000 }))),
    'no signature, or none that matches': () =>
      receiver(null)(requestOf(signed({ secrets: [OTHER_SECRET] }))),
    'a body of more than `maxBytes` (1 MiB)': () =>
      receiver(null)(requestOf(signed({ body: 'x'.repeat(1024 * 1024 + 1) }))),
    'a signed body that is not JSON': () => receiver(null)(requestOf(signed({ body: 'hello' }))),
  }

  it.each(rows)('%s: %s', async (request, response, effect) => {
    const respond = responses[request!]
    if (respond === undefined) throw new Error(`Add the request "${request}" to this test.`)
    const { status, headers } = await respond()
    expect(response).toContain(String(status))
    const [, retryAfter] = /Retry-After: (\d+)/.exec(response!) ?? []
    expect(headers.get('Retry-After') ?? undefined).toBe(retryAfter)
    const { kind, suspended } = await settle(status)
    if (kind === 'retry') expect(effect).toContain('retried')
    else expect(effect).toContain(`\`${suspended ?? kind}\``)
  })

  it('accepts a timestamp exactly as far away as it says', async () => {
    expect((await receiver(null)(requestOf(signed({ at: NOW - 300_000 })))).status).toBe(204)
  })
})

describe('the request in docs/webhooks.md', () => {
  const URL = 'https://example.com/hook'
  const delivery = { eventId: 'event', idempotencyKey: 'key', body: '{}', attempt: 1 }
  const rows = rowsOf('docs/webhooks.md', 'header', 'value').map(([name, value]) => ({
    name: spansOf(name!)[0]!.toLowerCase(),
    value: value!,
  }))

  it('lists the headers that are sent, and which are absent without a secret', () => {
    const clock = createTestClock(T0)
    const listed = rows.map(({ name }) => name).sort()
    expect(listed).toEqual(Object.keys(requestsTo(URL, [SECRET], clock)(delivery).headers).sort())
    const always = rows.filter(({ value }) => !value.includes('absent if there is no secret'))
    expect(always.map(({ name }) => name).sort()).toEqual(
      Object.keys(requestsTo(URL, [], clock)(delivery).headers).sort(),
    )
  })
})

describe('the failure codes of docs/guarantees.md', () => {
  const sources = ['src/engine', 'src/channels', 'src/domain/messages', 'src/library'].flatMap((folder) =>
    readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(`${ROOT}${folder}/${name}`, 'utf8')),
  )
  const source = sources.join('\n')
  const documented = rowsOf('docs/guarantees.md', 'reason', 'meaning').flatMap(([cell]) => spansOf(cell!))

  it('include every code that the engine or a channel writes before a colon', () => {
    const written = [...source.matchAll(/['`]([A-Z][A-Z]+(?:_[A-Z]+)*): /g)].map(([, code]) => code!)
    expect(written.length).toBeGreaterThan(8)
    const pages = ['guarantees.md', 'email.md', 'webhooks.md', 'security.md']
      .map((name) => readPage(name).text)
      .join('')
    const missing = new Set(
      written.filter((code) => !new RegExp(`\`(RETRIES_EXHAUSTED: …, the last: )?${code}\\b`).test(pages)),
    )
    expect([...missing]).toEqual([])
  })

  it('are codes that the source has', () => {
    const codes = documented.map((text) => /^[A-Z_]+/.exec(text)![0]).filter((code) => code !== 'HTTP')
    expect(codes.length).toBeGreaterThan(8)
    for (const code of codes) expect(source).toContain(code)
  })

  it('give each HTTP status that ends an event', async () => {
    const [[, meaning]] = rowsOf('docs/guarantees.md', 'reason', 'meaning') as [string[]]
    const except = [.../ but ([\d, and]+)$/.exec(meaning!)![1]!.matchAll(/\d+/g)].map(([status]) =>
      Number(status),
    )
    for (let status = 400; status < 500; status++)
      expect([status, (await settle(status)).kind === 'FAILED']).toEqual([status, !except.includes(status)])
  })
})

it('the body in docs/webhooks.md has the fields that are sent', async () => {
  const world = createWorld(T0)
  await world.put(makePerson({ targetAt: T0 }))
  const { ready } = await claimBatch(world.deps(), { limit: 1, leaseMs: 60_000, claimedBy: 'worker-1' })
  await world.close()
  expect(Object.keys(JSON.parse(page.blocks('json')[0]!))).toEqual(Object.keys(JSON.parse(ready[0]!.body)))
})
