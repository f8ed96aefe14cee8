// Reading events: filters, pages, and the attempts of an event.
import { describe, expect, it } from 'vitest'
import { work } from '../support/event-steps.ts'
import { ADA, createTestApp } from '../support/test-app.ts'

async function withEvents() {
  const testApp = createTestApp()
  const users = ['UTC', 'Asia/Jakarta', 'America/Vancouver'].map((timezone) => ({ ...ADA, timezone }))
  const { json } = await testApp.post('/user/bulk', { users })
  const people: { user: { id: string }; nextBirthdayEvent: { id: string } }[] = json.results
  const found = async (query: string) => zones((await testApp.send(`/event?${query}`)).json)
  return { ...testApp, testApp, people, found }
}

const zones = (json: { items: { targetTimezone: string }[] }) =>
  json.items.map((event) => event.targetTimezone)

describe('GET /event', () => {
  it.each([
    ['oldest', ['Asia/Jakarta', 'UTC', 'America/Vancouver']],
    ['newest', ['America/Vancouver', 'UTC', 'Asia/Jakarta']],
  ])('lists events by due time, the %s first, and each once, page by page', async (order, expected) => {
    const { send, found } = await withEvents()
    expect(await found(order === 'oldest' ? '' : `order=${order}`)).toEqual(expected)
    const first = (await send(`/event?order=${order}&limit=2`)).json
    const second = (await send(`/event?order=${order}&limit=2&cursor=${first.nextCursor}`)).json
    expect([...zones(first), ...zones(second)]).toEqual(expected)
    expect(second.nextCursor).toBeNull()
  })

  it('filters by due time: dueFrom is inclusive, dueBefore exclusive', async () => {
    const { found } = await withEvents()
    expect(await found('dueFrom=2026-12-15T09:00:00Z&dueBefore=2026-12-15T16:00:00.000Z')).toEqual(['UTC'])
    const from = encodeURIComponent('2026-12-15T16:00:00+07:00')
    expect(await found(`dueFrom=${from}`)).toEqual(['UTC', 'America/Vancouver'])
  })

  it('filters by status, several with commas between them, by type and by person', async () => {
    const { testApp, send, found, people } = await withEvents()
    await work(testApp, Date.parse('2026-12-15T03:00:00Z'), null)
    expect(await found('status=PROCESSING&type=BIRTHDAY')).toEqual(['Asia/Jakarta'])
    expect(await found('status=PROCESSING,PENDING')).toHaveLength(3)
    expect(await found('type=WORK_ANNIVERSARY')).toEqual([])
    const ofPerson = `/user/${people[0]!.user.id}/event`
    expect(zones((await send(ofPerson)).json)).toEqual(['UTC'])
    expect((await send(`${ofPerson}?status=FAILED`)).json.items).toEqual([])
  })

  it('finds one event by its id or by its idempotency key', async () => {
    const { send, found, people } = await withEvents()
    const { id } = people[1]!.nextBirthdayEvent
    expect(await found(`id=${id.toUpperCase()}`)).toEqual(['Asia/Jakarta'])
    expect(await found(`id=${id}&status=FAILED`)).toEqual([])
    const { idempotencyKey } = (await send(`/event/${id}`)).json
    const { items, nextCursor } = (await send(`/event?idempotencyKey=${idempotencyKey}&limit=1`)).json
    expect([items.map((event: { id: string }) => event.id), nextCursor]).toEqual([[id], null])
    const none = (await send(`/event?idempotencyKey=event-${'0'.repeat(32)}`)).json
    expect(none).toEqual({ items: [], nextCursor: null })
  })

  it('finds events whose message may have arrived twice', async () => {
    const { testApp, found } = await withEvents()
    await work(testApp, Date.parse('2026-12-15T02:00:00Z'), null)
    expect(await found('unknownFrom=2026-12-15T00:00:00Z')).toEqual([])
    await work(testApp, Date.parse('2026-12-15T03:00:00Z'), null)
    expect(await found('unknownFrom=2026-12-15T00:00:00Z')).toEqual(['Asia/Jakarta'])
    expect(await found('unknownFrom=2026-12-16T00:00:00Z')).toEqual([])
  })

  it.each([
    ['order=up', 'order', 'Must be oldest or newest.'],
    ['status=PENDING,SENT', 'status', expect.stringContaining('PENDING, PROCESSING, COMPLETED, FAILED')],
    ['id=x', 'id', expect.any(String)],
    ['idempotencyKey=7', 'idempotencyKey', expect.any(String)],
  ])('rejects ?%s', async (query, field, message) => {
    const { status, json } = await createTestApp().send(`/event?${query}`)
    expect([status, json.problems[0]]).toEqual([400, expect.objectContaining({ field, message })])
  })
})

describe('GET /event/:id', () => {
  it('returns every attempt and the body that was sent', async () => {
    const { testApp, send, people } = await withEvents()
    const due = Date.parse('2026-12-15T02:00:00Z')
    await work(testApp, due, { kind: 'retry', error: 'Service Unavailable' })
    await work(testApp, due + 5_000, {}, 'worker-2')
    const { json } = await send(`/event/${people[1]!.nextBirthdayEvent.id}`)
    expect(json).toMatchObject({
      status: 'COMPLETED',
      wakeAt: null,
      executedAt: '2026-12-15T02:00:05.200Z',
      retryCount: 1,
      deliveryPayload: { message: 'Hey, Ada' },
    })
    const nowhere = { channelId: null, channel: null, destination: null, response: null }
    expect(json.attempts).toEqual([
      {
        number: 1,
        workerId: 'worker-1',
        startedAt: '2026-12-15T02:00:00.000Z',
        finishedAt: '2026-12-15T02:00:00.200Z',
        outcome: 'RETRY',
        statusCode: 503,
        error: 'Service Unavailable',
        ...nowhere,
      },
      {
        number: 2,
        workerId: 'worker-2',
        startedAt: '2026-12-15T02:00:05.000Z',
        finishedAt: '2026-12-15T02:00:05.200Z',
        outcome: 'DELIVERED',
        statusCode: 200,
        error: null,
        ...nowhere,
      },
    ])
  })
})
