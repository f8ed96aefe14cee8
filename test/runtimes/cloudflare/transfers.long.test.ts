// Requests over many people in the Worker, with D1's limit of queries in one call.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../../src/client/client.ts'
import { openD1Store } from '../../../src/stores/d1/d1-store.ts'
import { DAY, makePeople } from '../../support/fixtures.ts'
import { type D1InWorkerd, startD1 } from '../../support/workerd/d1.ts'
import { callerOf, KEY, keepOutput, terceWorker } from '../../support/workerd/terce.ts'

/** Fewer than the 1,000 of D1, so that few people reach it. */
const QUERIES = 250

let d1: D1InWorkerd
let client: ReturnType<typeof createClient>

beforeAll(async () => {
  const vars = { TERCE_API_KEYS: `tests:admin:${KEY}` }
  const workers = [
    await terceWorker('terce', vars, { queries: QUERIES }),
    await terceWorker('as-deployed', vars, { queries: 1_000 }),
  ]
  d1 = await startD1(workers, { handleRuntimeStdio: keepOutput([]) })
  const worker = (await d1.miniflare.getWorker('terce')) as unknown as { fetch: typeof fetch }
  client = createClient({
    url: 'https://terce.example',
    key: KEY,
    fetch: (url, init) => worker.fetch(url, init),
  })
})
afterAll(() => d1.stop())

describe('an export from D1', () => {
  it('has everyone, in pages within the limit of queries, each page complete', async () => {
    const store = openD1Store(d1.db)
    const people = makePeople(20_100)
    for (let from = 0; from < people.length; from += 2_000)
      await store.createUsers(people.slice(from, from + 2_000))
    const pages: string[] = []
    for await (const page of client.exportPeople()) pages.push(page)
    expect(pages).toHaveLength(3)
    const lines = pages.join('').trimEnd().split('\r\n')
    expect(lines).toHaveLength(1 + 20_100 + 1)
    expect(new Set(lines).size).toBe(lines.length)
  })

  it('can be imported again, with one look-up for many people', async () => {
    const pages: string[] = []
    for await (const page of client.exportPeople()) pages.push(page)
    expect(await client.importPeople(pages.join(''))).toMatchObject({
      read: 20_100,
      unchanged: 20_100,
      created: 0,
    })
  })
})

describe('an import into D1', () => {
  const tableOf = (count: number, name: string) =>
    `firstName,lastName,dateOfBirth,timezone\n${Array.from({ length: count }, (_, i) => `${name}${i},B,1990-01-01,UTC\n`).join('')}`

  it('continues by itself after the rows that fit into the queries of a call', async () => {
    const table = tableOf(20_500, 'N')
    expect(await client.post('/user/import', { body: table })).toMatchObject({
      created: 20_000,
      next: 20_001,
    })
    expect(await client.importPeople(table)).toMatchObject({ created: 500, unchanged: 20_000, next: null })
  })
})

describe('operations by filter on D1', () => {
  const filter = { timezone: 'Asia/Tokyo' }
  type Counts = { changed: number; deleted: number; nextCursor: string | null }

  /** Sends the request until it has gone through everyone, and returns the sum of the counts. */
  async function untilDone(path: string, request: object): Promise<number> {
    const { call } = await callerOf(d1.miniflare, 'as-deployed')
    let sum = 0
    let cursor: string | null | undefined
    while (cursor !== null) {
      const sent = { ...request, ...(cursor && { cursor }) }
      const { status, body }: { status: number; body: Counts } = await call('POST', path, sent)
      expect(status).toBe(200)
      sum += body.changed ?? body.deleted
      cursor = body.nextCursor
    }
    return sum
  }

  it('pause, resume and delete 3,000 people within 1,000 queries a request', async () => {
    const store = openD1Store(d1.db)
    const people = makePeople(3_000, () => ({ ...filter, targetAt: Date.now() + 50 * DAY }))
    await store.createUsers(people)
    const { id } = people[0]!.user
    const open = async () => (await store.readPerson(id))!.plans[0]!.open
    for (const limit of [500, 10_000]) {
      expect(await untilDone('/people/pause', { filter, limit })).toBe(3_000)
      expect(await open()).toBeNull()
      expect(await untilDone('/people/resume', { filter, limit })).toBe(3_000)
      expect(await open()).toMatchObject({ status: 'PENDING' })
    }
    expect(await untilDone('/people/delete', { filter })).toBe(3_000)
    expect(await store.findUser(id)).toBeNull()
  })
})
