// Sending an event before its time: where it is allowed, and that nothing else of the event changes.
import { describe, expect, it } from 'vitest'
import { createPerson, FAILED, work } from '../support/event-steps.ts'
import { ADA, createTestApp } from '../support/test-app.ts'

const NOW = Date.parse('2026-11-15T04:00:00Z')

describe('POST /event/:id/send-now', () => {
  it('makes a pending event due at once, and keeps its occurrence, instant and key', async () => {
    const testApp = createTestApp()
    const { nextBirthdayEvent: event } = await createPerson(testApp)
    const sent = await testApp.post(`/event/${event.id}/send-now`, {})
    expect(sent).toMatchObject({
      status: 200,
      json: { ...event, wakeAt: '2026-11-15T04:00:00.000Z', version: 2, updatedAt: expect.any(String) },
    })
    expect((await testApp.send(`/event/${event.id}`)).json).toMatchObject({ ...sent.json, moves: [] })
    expect(testApp.planned).toContain(NOW)
    const again = await testApp.post(`/event/${event.id}/send-now`, {})
    expect(again).toMatchObject({ status: 200, json: { version: 2 } })
    expect(await work(testApp, NOW, null)).toEqual([event.id])
  })

  it('is not there for callers with a key, unless ALLOW_SEND_NOW is true', async () => {
    const environmentKey = 'a-key-of-the-environment'
    const headers = { Authorization: `Bearer ${environmentKey}` }
    for (const allowSendNow of [undefined, true] as const) {
      const testApp = createTestApp({ environmentKey, ...(allowSendNow && { allowSendNow }) })
      const { json } = await testApp.post('/user', ADA, headers)
      const path = `/event/${json.nextBirthdayEvent.id}/send-now`
      expect((await testApp.post(path, {})).status).toBe(401)
      expect(await testApp.post(path, {}, headers)).toMatchObject(
        allowSendNow ? { status: 200 } : { status: 404, json: { code: 'ROUTE_NOT_FOUND' } },
      )
    }
  })

  it('rejects an event that is claimed or settled, and one that does not exist', async () => {
    const testApp = createTestApp()
    const { nextBirthdayEvent: event } = await createPerson(testApp)
    const path = `/event/${event.id}/send-now`
    await testApp.post(path, {})
    await work(testApp, NOW, null)
    expect(await testApp.post(path, {})).toMatchObject({ status: 409, json: { code: 'NOT_PENDING' } })
    await work(testApp, NOW + 120_000, FAILED)
    const settled = await testApp.post(path, {})
    expect(settled.json).toMatchObject({ code: 'NOT_PENDING', detail: expect.stringContaining('FAILED') })
    const missing = await testApp.post('/event/019b2279-4400-7000-8000-2f6b1c9d3e4a/send-now', {})
    expect(missing).toMatchObject({ status: 404, json: { code: 'EVENT_NOT_FOUND' } })
  })
})
