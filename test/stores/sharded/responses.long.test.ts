// The API over 64 shards responds as it does over one SQLite store with the same people.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createIds } from '../../../src/domain/events/uuid.ts'
import { tzdb } from '../../../src/domain/time/tzdb.ts'
import { planSuccessor } from '../../../src/engine/plan.ts'
import type { Settlement } from '../../../src/ports/claim.ts'
import type { Store } from '../../../src/ports/store.ts'
import { failed } from '../../contracts/store/steps.ts'
import { createTestApp, type Sent, type TestApp } from '../../http/support/test-app.ts'
import { HOUR, seededDice } from '../../support/fixtures.ts'
import { claimingAll, openShards } from './support/open.ts'

const NOW = '2026-11-15T04:00:00Z'
const ZONES = ['Asia/Tokyo', 'Europe/London', 'America/Vancouver', 'Africa/Nairobi']
const NAMES = ['Ada', 'Émile', 'ﬁona', '😀 Grace', 'Zoë', 'ada', 'Łukasz', 'Ōta']

let one: TestApp
let sharded: TestApp
/** Stores that can claim. */
let stores: Store[]

beforeAll(async () => {
  const shards = openShards(64)
  one = createTestApp()
  sharded = createTestApp({ store: shards.store })
  stores = [one.store, claimingAll(shards.store, shards.stores)]
  await same('/user/import', { method: 'POST', text: csv(200), headers: { 'Content-Type': 'text/csv' } })
  for (let i = 0; i < 40; i += 1) await same('/user', post({ ...person(i), externalId: undefined }))
  await same('/user/bulk', post({ users: [person(500), person(1), { ...person(501), timezone: 'Mars' }] }))
  await same('/user/by-external-id/crm-77', { method: 'PUT', body: { ...person(77), lastName: 'Changed' } })
  await same('/user/by-external-id/crm-600', { method: 'PUT', body: person(600) })
  const { items } = (await same('/user?limit=100')).json
  for (const [i, { id }] of items.entries()) {
    if (i % 5 === 0)
      await same(`/user/${id}/occasion`, post({ type: 'WORK_ANNIVERSARY', date: '2020-11-16' }))
    if (i % 7 === 0)
      await same('/task', post({ userId: id, title: `Task ${i}`, dueAt: '2026-11-18T09:00:00Z' }))
    if (i % 9 === 0) await same('/feed', post({ userId: id }))
  }
  await pass(Date.parse(NOW) + 30 * HOUR)
  for (const app of [one, sharded]) app.setClock('2026-11-16T10:00:00Z')
}, 120_000)
afterAll(() => Promise.all([one.store.close(), sharded.store.close()]))

const post = (body: unknown): Sent => ({ method: 'POST', body })

function person(i: number) {
  return {
    firstName: NAMES[i % NAMES.length]!,
    lastName: `Lovelace ${i % 50}`,
    dateOfBirth: `1990-${i % 3 === 0 ? '11' : '06'}-${15 + (i % 5)}`,
    timezone: ZONES[i % ZONES.length]!,
    externalId: `crm-${i}`,
  }
}

function csv(count: number): string {
  const rows = Array.from({ length: count }, (_, i) =>
    Object.values({ ...person(i), externalId: i % 4 === 0 ? '' : `crm-${i}` }),
  )
  return `${['firstName', 'lastName', 'dateOfBirth', 'timezone', 'externalId'].join()}\n${rows.map((row) => row.join()).join('\n')}\n`
}

/** Sends the request to both, compares the responses, and returns that of the shards. */
async function same(path: string, sent: Sent = {}) {
  const [expected, found] = [await one.send(path, sent), await sharded.send(path, sent)]
  const shown = ({ status, text, json }: typeof found) => ({ status, body: json ?? text })
  expect(shown(found), path).toEqual(shown(expected))
  expect([...one.errors, ...sharded.errors]).toEqual([])
  return found
}

/** Every page of a list, compared page by page. Returns how many items there were. */
async function sameList(path: string): Promise<number> {
  let [cursor, count]: [string | null, number] = [null, 0]
  do {
    const next: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const { json } = await same(`${path}${next}`)
    count += json.items.length
    cursor = json.nextCursor
  } while (cursor !== null)
  return count
}

/** Delivers what is due, and lets every fourth event fail, with equal ids on both sides. */
async function pass(now: number): Promise<void> {
  const outcomes = stores.map(async (store) => {
    const planner = { ids: createIds(seededDice(3)), table: tzdb }
    const claim = {
      now,
      limit: 5_000,
      leaseMs: HOUR,
      claimedBy: 'worker-1',
      render: () => '{"text":"Hello"}',
    }
    const claims = (await store.claimDue(claim)).sort((a, b) => (a.id < b.id ? -1 : 1))
    const settlements = claims.map((claim, i): Settlement => {
      const successor = planSuccessor(planner, claim, { now, delivered: i % 4 !== 0 })
      const base = failed(claim, `HTTP 50${i % 3}`)
      return {
        ...base,
        at: now + i,
        successor,
        ...(i % 4 !== 0 && { status: 'COMPLETED' as const, failure: null, statusCode: 200 }),
      } as Settlement
    })
    const { settled, stale, replan } = await store.settle(settlements)
    return { settled: settled.sort(), stale, replan }
  })
  const [expected, found] = await Promise.all(outcomes)
  expect(expected!.settled.length).toBeGreaterThan(20)
  expect(found).toEqual(expected)
}

describe('over 64 shards', () => {
  it.each([
    '/user?limit=17',
    '/user?limit=100',
    '/user?limit=50&sort=-createdAt',
    '/user?limit=50&sort=name',
    '/user?limit=33&sort=-name',
    '/user?limit=50&sort=dueAt',
    '/user?limit=20&search=ada&sort=name',
    '/user?limit=20&timezone=Asia/Tokyo&sort=dueAt',
    '/user?limit=20&type=WORK_ANNIVERSARY',
    '/user?limit=20&failed=true',
    '/user?limit=20&dueWithin=3d',
    '/user?limit=20&externalId=crm-9',
    '/people?limit=40&sort=name',
    '/event?limit=30',
    '/event?limit=30&order=newest',
    '/event?limit=10&status=FAILED',
    '/event?limit=50&status=PENDING&dueFrom=2026-11-20T00:00:00Z&dueBefore=2027-06-20T00:00:00Z',
    '/event?limit=10&type=TASK_REMINDER',
    '/task?limit=5',
    '/upcoming/event?limit=25',
    '/upcoming/event?limit=9&date=2026-11-17',
  ])('GET %s has the pages of one store', async (path) => {
    expect(await sameList(path)).toBeGreaterThan(0)
  })

  it.each([
    '/today',
    '/upcoming',
    '/failures',
    '/tz',
    '/occasion-type',
    '/feed',
    '/channel',
    '/audit',
    '/live',
  ])('GET %s responds as one store', async (path) => {
    await same(path)
  })

  it('exports the lines of one store, shard by shard', async () => {
    const lines = await Promise.all(
      [one, sharded].map(async (app) =>
        (await app.send('/user/export?format=csv')).text.trimEnd().split(/\r?\n/),
      ),
    )
    expect(lines[0]!.length).toBeGreaterThan(200)
    expect(lines[1]![0]).toBe(lines[0]![0])
    expect(lines[1]!.toSorted()).toEqual(lines[0]!.toSorted())
  })

  it('imports its own export again without a change', async () => {
    const { text } = await sharded.send('/user/export?format=csv')
    const sent = { method: 'POST', text, headers: { 'Content-Type': 'text/csv' } }
    const { json } = await same('/user/import', sent)
    expect(json).toMatchObject({ created: 0, differing: 0, refused: 0 })
  })

  it('reads a person, an event and its story as one store does', async () => {
    const { items } = (await same('/event?limit=20&status=FAILED')).json
    for (const { id, userId } of items) {
      for (const path of [
        `/user/${userId}`,
        `/user/${userId}/occasion`,
        `/user/${userId}/event`,
        `/event/${id}`,
      ])
        await same(path)
      await same(`/event/${id}/explain`)
    }
  })

  it('replays, pauses, resumes and deletes as one store does', async () => {
    await same('/event/replay', post({ filter: { status: 'FAILED' }, dryRun: true }))
    await same('/event/replay', post({ reason: 'HTTP 501', limit: 10 }))
    await same('/people/pause', post({ filter: { timezone: 'Asia/Tokyo' } }))
    await sameList('/user?limit=50&paused=true')
    await same('/people/resume', post({ filter: { search: 'ada' } }))
    await sameList('/event?limit=100')
    await same('/people/delete', post({ filter: { timezone: 'Europe/London' } }))
    expect(await sameList('/user?limit=100')).toBeGreaterThan(100)
    await same('/failures')
    await same('/today')
  })

  it('repeats the response of a request with an idempotency key', async () => {
    const headers = { 'Idempotency-Key': 'key-1' }
    const named = { ...post({ ...person(700) }), headers }
    const unnamed = {
      ...post({ ...person(701), externalId: undefined }),
      headers: { 'Idempotency-Key': 'key-2' },
    }
    for (const sent of [named, unnamed]) {
      const first = await same('/user', sent)
      const again = await same('/user', sent)
      expect([again.text, again.headers.get('Idempotent-Replayed')]).toEqual([first.text, 'true'])
      const task = {
        ...post({ userId: first.json.user.id, title: 'Call', dueAt: '2026-12-01T09:00:00Z' }),
        headers: { 'Idempotency-Key': `task of ${first.json.user.id}`.replaceAll(' ', '-') },
      }
      expect((await same('/task', task)).text).toBe((await same('/task', task)).text)
    }
    const nobody = {
      ...post({ users: [701, 702].map((i) => ({ ...person(i), externalId: undefined })) }),
      headers: { 'Idempotency-Key': 'key-3' },
    }
    expect((await same('/user/bulk', nobody)).text).toBe((await same('/user/bulk', nobody)).text)
  })

  it('rejects what would need two shards with a problem of its own', async () => {
    const bulk = {
      ...post({ users: [person(801), person(802), person(803)] }),
      headers: { 'Idempotency-Key': 'key-4' },
    }
    expect(await sharded.send('/user/bulk', bulk)).toMatchObject({
      status: 422,
      json: { code: 'KEY_ACROSS_SHARDS' },
    })
    const [user] = (await sharded.send('/user?externalId=crm-9')).json.items
    const change = { method: 'PUT', body: { externalId: 'another' } }
    expect(await sharded.send(`/user/${user.id}`, change)).toMatchObject({
      status: 409,
      json: { code: 'EXTERNAL_ID_FIXED' },
    })
  })
})
