// Reading events: filters, pages, and the attempts of an event.
import { describe, expect, it } from 'vitest'
import type { LedgerColumn } from '../../../src/domain/ledger/line.ts'
import { closedDay, linesOf } from '../../app/ledger/support/ledger-days.ts'
import { ADA, createTestApp } from '../support/test-app.ts'

async function withEvents() {
  const testApp = createTestApp()
  const users = ['UTC', 'Asia/Jakarta', 'America/Vancouver'].map((timezone) => ({ ...ADA, timezone }))
  const { json } = await testApp.post('/user/bulk', { users })
  const people: { user: { id: string }; nextBirthdayEvent: { id: string } }[] = json.results
  return { ...testApp, people }
}

const zones = (json: { items: { targetTimezone: string }[] }) =>
  json.items.map((event) => event.targetTimezone)

describe('GET /event', () => {
  it('lists events in order of due time', async () => {
    const { send } = await withEvents()
    expect(zones((await send('/event')).json)).toEqual(['Asia/Jakarta', 'UTC', 'America/Vancouver'])
  })

  it('returns every event once, page by page', async () => {
    const { send } = await withEvents()
    const first = (await send('/event?limit=2')).json
    const second = (await send(`/event?limit=2&cursor=${first.nextCursor}`)).json
    expect([...zones(first), ...zones(second)]).toEqual(['Asia/Jakarta', 'UTC', 'America/Vancouver'])
    expect(second.nextCursor).toBeNull()
  })

  it('filters by due time: dueFrom is inclusive, dueBefore exclusive', async () => {
    const { send } = await withEvents()
    const from = '2026-12-15T09:00:00Z'
    const before = '2026-12-15T16:00:00.000Z'
    expect(zones((await send(`/event?dueFrom=${from}&dueBefore=${before}`)).json)).toEqual(['UTC'])
    expect(
      zones((await send(`/event?dueFrom=${encodeURIComponent('2026-12-15T16:00:00+07:00')}`)).json),
    ).toEqual(['UTC', 'America/Vancouver'])
  })

  it('filters by status, type and person', async () => {
    const { send, store, people } = await withEvents()
    await store.claimDue({
      now: Date.parse('2026-12-15T03:00:00Z'),
      limit: 9,
      leaseMs: 60_000,
      claimedBy: 'worker',
      render: () => '{}',
    })
    expect(zones((await send('/event?status=PROCESSING&type=BIRTHDAY')).json)).toEqual(['Asia/Jakarta'])
    expect((await send('/event?type=WORK_ANNIVERSARY')).json.items).toEqual([])
    expect(zones((await send(`/user/${people[0]!.user.id}/event`)).json)).toEqual(['UTC'])
    expect((await send(`/user/${people[0]!.user.id}/event?status=FAILED`)).json.items).toEqual([])
  })
})

describe('GET /event, the newest first', () => {
  it('lists events in descending order of due time, page by page', async () => {
    const { send } = await withEvents()
    const first = (await send('/event?order=newest&limit=2')).json
    const second = (await send(`/event?order=newest&limit=2&cursor=${first.nextCursor}`)).json
    expect([...zones(first), ...zones(second)]).toEqual(['America/Vancouver', 'UTC', 'Asia/Jakarta'])
    expect((await send('/event?order=up')).json.problems[0]).toMatchObject({
      field: 'order',
      message: 'Must be oldest or newest.',
    })
  })
})

describe('GET /event by several states, or by id', () => {
  it('filters by states with commas between them, and names an unknown one', async () => {
    const { send } = await withEvents()
    expect(zones((await send('/event?status=PROCESSING,PENDING')).json)).toHaveLength(3)
    expect((await send('/event?status=PROCESSING,FAILED')).json.items).toEqual([])
    const { status, json } = await send('/event?status=PENDING,SENT')
    expect([status, json.problems[0].field]).toEqual([400, 'status'])
    expect(json.problems[0].message).toContain('PENDING, PROCESSING, COMPLETED, FAILED')
  })

  it('finds one event by its id', async () => {
    const { send, people } = await withEvents()
    const { id } = people[1]!.nextBirthdayEvent
    expect(zones((await send(`/event?id=${id.toUpperCase()}`)).json)).toEqual(['Asia/Jakarta'])
    expect((await send(`/event?id=${id}&status=FAILED`)).json.items).toEqual([])
    expect((await send('/event?id=x')).status).toBe(400)
  })

  it('finds an event by its idempotency key', async () => {
    const { send, people } = await withEvents()
    const { id } = people[1]!.nextBirthdayEvent
    const { idempotencyKey } = (await send(`/event/${id}`)).json
    const { items, nextCursor } = (await send(`/event?idempotencyKey=${idempotencyKey}&limit=1`)).json
    expect([items.map((event: { id: string }) => event.id), nextCursor]).toEqual([[id], null])
    expect((await send(`/event?idempotencyKey=event-${'0'.repeat(32)}`)).json).toEqual({
      items: [],
      nextCursor: null,
    })
    expect((await send('/event?idempotencyKey=7')).status).toBe(400)
  })

  it('finds events whose message may have arrived twice', async () => {
    const { send, store } = await withEvents()
    const claimAt = (at: string) =>
      store.claimDue({
        now: Date.parse(at),
        limit: 9,
        leaseMs: 60_000,
        claimedBy: 'worker',
        render: () => '{}',
      })
    await claimAt('2026-12-15T02:00:00Z')
    expect((await send('/event?unknownFrom=2026-12-15T00:00:00Z')).json.items).toEqual([])
    await claimAt('2026-12-15T03:00:00Z')
    expect(zones((await send('/event?unknownFrom=2026-12-15T00:00:00Z')).json)).toEqual(['Asia/Jakarta'])
    expect((await send('/event?unknownFrom=2026-12-16T00:00:00Z')).json.items).toEqual([])
  })
})

describe('GET /event/:id', () => {
  it('returns every attempt and the body that was sent', async () => {
    const { send, store, people } = await withEvents()
    const due = Date.parse('2026-12-15T02:00:00Z')
    const claim = async (now: number, claimedBy: string) => {
      const [claimed] = await store.claimDue({
        now,
        limit: 1,
        leaseMs: 60_000,
        claimedBy,
        render: () => '{"message":"Hey"}',
      })
      return { eventId: claimed!.id, version: claimed!.version }
    }
    const first = await claim(due, 'worker-1')
    const retry = {
      kind: 'retry' as const,
      wakeAt: due + 5000,
      error: 'Service Unavailable',
      statusCode: 503,
    }
    await store.settle([{ ...first, at: due + 100, ...retry }])
    const second = await claim(due + 5000, 'worker-2')
    await store.settle([
      {
        ...second,
        kind: 'terminal',
        at: due + 5200,
        status: 'COMPLETED',
        failure: null,
        statusCode: 200,
        planRevision: 0,
        successor: null,
      },
    ])
    const { json } = await send(`/event/${people[1]!.nextBirthdayEvent.id}`)
    expect(json).toMatchObject({
      status: 'COMPLETED',
      wakeAt: null,
      executedAt: '2026-12-15T02:00:05.200Z',
      retryCount: 1,
      deliveryPayload: { message: 'Hey' },
    })
    expect(json.attempts).toEqual([
      {
        number: 1,
        workerId: 'worker-1',
        startedAt: '2026-12-15T02:00:00.000Z',
        finishedAt: '2026-12-15T02:00:00.100Z',
        outcome: 'RETRY',
        statusCode: 503,
        error: 'Service Unavailable',
        channelId: null,
        channel: null,
        destination: null,
        response: null,
      },
      {
        number: 2,
        workerId: 'worker-2',
        startedAt: '2026-12-15T02:00:05.000Z',
        finishedAt: '2026-12-15T02:00:05.200Z',
        outcome: 'DELIVERED',
        statusCode: 200,
        error: null,
        channelId: null,
        channel: null,
        destination: null,
        response: null,
      },
    ])
  })
})

describe('GET /event/{id}, the line in the ledger', () => {
  it('is that of the last closed day, and null before a day with the event is closed', async () => {
    const { send, store, people } = await withEvents()
    const { user, nextBirthdayEvent } = people[0]!
    const [occasion] = (await send(`/user/${user.id}/occasion`)).json.items
    const inLedger = async () => (await send(`/event/${nextBirthdayEvent.id}`)).json.ledger
    async function account(day: string, column: LedgerColumn) {
      const lines = linesOf(day, [column], occasion.id).map((line) => ({
        ...line,
        eventId: nextBirthdayEvent.id,
      }))
      await store.openLedgerDay({ day, startedAt: 0 })
      await store.saveAccountPage({ day, from: null, to: 'done', people: 1, lines, newlySeen: [] })
      return () => store.closeLedgerDay(closedDay(day, lines))
    }
    const close = await account('2026-12-15', 'open')
    expect(await inLedger()).toBeNull()
    await close()
    const closeNext = await account('2026-12-16', 'delivered')
    expect(await inLedger()).toEqual({ day: '2026-12-15', column: 'open' })
    await closeNext()
    expect(await inLedger()).toEqual({ day: '2026-12-16', column: 'delivered' })
  })
})
