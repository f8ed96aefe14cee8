// The development inbox: a receiver that can also reject deliveries or hang.
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { createInbox } from '../../../src/http/inbox/inbox.ts'
import { ADA, createTestApp, INBOX_SECRET, NO_ONE, type TestApp } from '../support/test-app.ts'

const deliver = ({ send }: TestApp, key: string | null, body = `{"message":"Hey, ${key}"}`) =>
  send('/inbox', { method: 'POST', text: body, headers: key === null ? {} : { 'X-Idempotency-Key': key } })

describe('the development inbox', () => {
  it('lists deliveries, newest first', async () => {
    const testApp = createTestApp()
    await deliver(testApp, 'event-1')
    testApp.setClock('2026-11-15T05:00:00Z')
    expect((await deliver(testApp, 'event-2')).status).toBe(204)
    const { json } = await testApp.send('/inbox')
    expect(json).toMatchObject({ mode: 'accept', rejected: 0 })
    expect(json.items).toEqual([
      {
        idempotencyKey: 'event-2',
        message: 'Hey, event-2',
        body: '{"message":"Hey, event-2"}',
        headers: { 'content-type': 'application/json', 'x-idempotency-key': 'event-2' },
        verified: null,
        receivedAt: '2026-11-15T05:00:00.000Z',
        timesReceived: 1,
        timesRejected: 0,
      },
      expect.objectContaining({ idempotencyKey: 'event-1' }),
    ])
  })

  it('verifies the signature of a signed delivery', async () => {
    const { send } = createTestApp()
    const at = new Date('2026-11-15T04:00:00Z')
    const body = '{"message":"Hey, Ada"}'
    const signature = new Webhook(INBOX_SECRET).sign('event-1', at, body)
    const timestamp = String(at.getTime() / 1000)
    const headers = {
      'webhook-id': 'event-1',
      'webhook-timestamp': timestamp,
      'webhook-signature': signature,
    }
    for (const text of [body, body.replace('Ada', 'Eve')])
      await send('/inbox', { method: 'POST', text, headers })
    const [forged, genuine] = (await send('/inbox')).json.items
    expect(forged).toMatchObject({ message: 'Hey, Eve', verified: false })
    expect(genuine).toMatchObject({ message: 'Hey, Ada', verified: true })
  })

  it('counts deliveries with the same idempotency key as one message', async () => {
    const testApp = createTestApp()
    for (let i = 0; i < 3; i++) await deliver(testApp, 'event-1')
    const { json } = await testApp.send('/inbox')
    expect(json.items).toMatchObject([{ idempotencyKey: 'event-1', timesReceived: 3 }])
  })

  it('accepts any body, and treats each delivery without a key as a message of its own', async () => {
    const testApp = createTestApp()
    for (const body of ['', 'null', '{"message":7}']) await deliver(testApp, null, body)
    const { json } = await testApp.send('/inbox')
    expect(json.items).toMatchObject([
      { idempotencyKey: null, message: null, body: '{"message":7}' },
      { message: null, body: 'null' },
      { message: null, body: '' },
    ])
  })

  it('keeps at most `capacity` messages', async () => {
    const testApp = createTestApp()
    for (let i = 0; i < 5; i++) await deliver(testApp, `event-${i}`)
    const { items } = (await testApp.send('/inbox')).json
    const kept = ['event-4', 'event-3', 'event-2']
    expect(items).toMatchObject(kept.map((idempotencyKey) => ({ idempotencyKey })))
  })

  it('has pages of at most 50 messages, and keeps 4 MB of JSON in all', () => {
    const inbox = createInbox({ capacity: 1_000, token: '', secrets: [] })
    const control = '\u0001'.repeat(60_000)
    const receive = (body: string) =>
      inbox.receive(
        { idempotencyKey: null, body, headers: {}, receivedAt: 0, verified: null },
        new AbortController().signal,
      )
    for (let i = 0; i < 20; i++) void receive(control)
    expect(JSON.stringify(inbox.page({ limit: 1_000, cursor: null })).length).toBeLessThan(4_010_000)
    expect(inbox.size()).toBe(11)
    for (let i = 0; i < 60; i++) void receive('x')
    const first = inbox.page({ limit: 50, cursor: null })
    const rest = inbox.page({ limit: 50, cursor: first.nextCursor })
    expect([first.items.length, rest.items.length, rest.nextCursor]).toEqual([50, 21, null])
    expect(new Set([...first.items, ...rest.items].map(({ number }) => number)).size).toBe(71)
    inbox.clear()
    for (let i = 0; i < 12; i++) void receive(control)
    expect(inbox.size()).toBe(11)
  })

  it('returns pages of the wanted size', async () => {
    const testApp = createTestApp()
    for (const key of ['event-1', 'event-2']) await deliver(testApp, key)
    const { nextCursor } = (await testApp.send('/inbox?limit=1')).json
    const { json } = await testApp.send(`/inbox?limit=1&cursor=${nextCursor}`)
    expect(json).toMatchObject({ total: 2, items: [{ idempotencyKey: 'event-1' }], nextCursor: null })
    expect((await testApp.send('/inbox?limit=51')).json.code).toBe('INVALID_QUERY')
  })

  it('rejects and counts deliveries in reject mode, and stores none of them', async () => {
    const testApp = createTestApp()
    expect((await testApp.put('/inbox/mode', { mode: 'reject' })).json).toEqual({ mode: 'reject' })
    expect((await deliver(testApp, 'event-1')).json).toMatchObject({ status: 503, code: 'INBOX_REJECTS' })
    expect((await testApp.send('/inbox')).json).toMatchObject({ mode: 'reject', rejected: 1, items: [] })
    await testApp.put('/inbox/mode', { mode: 'accept' })
    await deliver(testApp, 'event-1')
    const items = [{ timesReceived: 1, timesRejected: 1 }]
    expect((await testApp.send('/inbox')).json).toMatchObject({ rejected: 1, items })
  })

  it('hangs in hang mode until the mode changes', async () => {
    const testApp = createTestApp()
    await testApp.put('/inbox/mode', { mode: 'hang' })
    let answered = false
    const hanging = deliver(testApp, 'event-1').finally(() => {
      answered = true
    })
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(answered).toBe(false)
    expect((await testApp.send('/inbox')).json.items).toEqual([])
    await testApp.put('/inbox/mode', { mode: 'accept' })
    expect((await hanging).status).toBe(204)
    expect((await testApp.send('/inbox')).json.items).toHaveLength(1)
  })

  it('drops a hanging delivery when the sender disconnects', async () => {
    const testApp = createTestApp()
    await testApp.put('/inbox/mode', { mode: 'hang' })
    const sender = new AbortController()
    const hanging = testApp.app.request('/inbox', { method: 'POST', body: '{}', signal: sender.signal })
    await new Promise((resolve) => setTimeout(resolve, 20))
    sender.abort()
    await hanging
    await testApp.put('/inbox/mode', { mode: 'accept' })
    expect((await testApp.send('/inbox')).json).toMatchObject({ rejected: 0, items: [] })
  })

  it('keeps only its behaviour when it is cleared', async () => {
    const testApp = createTestApp()
    await deliver(testApp, 'event-1')
    await testApp.put('/inbox/mode', { mode: 'reject' })
    await deliver(testApp, 'event-1')
    expect((await testApp.send('/inbox', { method: 'DELETE' })).status).toBe(204)
    expect((await testApp.send('/inbox')).json).toEqual({
      mode: 'reject',
      rejected: 0,
      total: 0,
      items: [],
      nextCursor: null,
    })
  })

  it('rejects a body over 64 KiB and an unknown behaviour', async () => {
    const testApp = createTestApp()
    expect((await deliver(testApp, 'event-1', 'x'.repeat(64 * 1024 + 1))).status).toBe(413)
    const { json } = await testApp.put('/inbox/mode', { mode: 'sulk' })
    expect(json.problems).toMatchObject([{ field: 'mode', code: 'INVALID_VALUE' }])
  })

  it('has no routes and no documentation when it is disabled', async () => {
    const { send } = createTestApp({ inbox: null })
    expect((await send('/inbox')).json.code).toBe('ROUTE_NOT_FOUND')
    expect((await send('/docs')).text).not.toContain('/inbox')
  })

  it('keeps no message about a deleted person, nor one that was in flight', async () => {
    const testApp = createTestApp()
    const { user } = (await testApp.post('/user', ADA)).json
    const about = (userId: string) => JSON.stringify({ userId, message: 'Hey, Ada Lovelace' })
    await deliver(testApp, 'event-1', about(user.id))
    await deliver(testApp, 'event-2', about(NO_ONE))
    await testApp.send(`/user/${user.id}`, { method: 'DELETE' })
    expect((await deliver(testApp, 'event-3', about(user.id))).status).toBe(204)
    const { items } = (await testApp.send('/inbox')).json
    expect(items).toMatchObject([{ idempotencyKey: 'event-2' }])
  })
})
