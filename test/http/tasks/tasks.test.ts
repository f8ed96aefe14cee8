// Tasks over HTTP: accepted and rejected input, and the responses.
import { describe, expect, it } from 'vitest'
import { work } from '../support/event-steps.ts'
import { ADA, createTestApp, NO_ONE } from '../support/test-app.ts'

async function begin() {
  const app = createTestApp()
  const { json } = await app.post('/user', ADA)
  const userId: string = json.user.id
  return { ...app, userId, body: { userId, title: 'Renew the passport', dueAt: '2026-11-20T12:00:00Z' } }
}

describe('POST /task', () => {
  it('creates a task and returns when its reminder is due', async () => {
    const { post, body, userId, planned } = await begin()
    const { status, json, headers } = await post('/task', body)
    expect(status).toBe(201)
    expect(headers.get('Location')).toBe(`/task/${json.id}`)
    expect(json).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      userId,
      externalId: null,
      title: 'Renew the passport',
      dueAt: '2026-11-20T12:00:00.000Z',
      remindBefore: 'PT24H',
      quietHours: null,
      data: null,
      completed: false,
      completedAt: null,
      reminderSentAt: null,
      createdAt: '2026-11-15T04:00:00.000Z',
      updatedAt: '2026-11-15T04:00:00.000Z',
      version: 1,
      nextReminderAt: '2026-11-19T12:00:00.000Z',
      audit: [],
    })
    expect(planned.at(-1)).toBe(Date.parse('2026-11-19T12:00:00Z'))
  })

  it('reports all invalid fields and stores nothing', async () => {
    const { post, send, body } = await begin()
    const { status, json } = await post('/task', { ...body, title: '', dueAt: 'soon', remindBefore: '1 day' })
    expect(status).toBe(400)
    const fields = json.problems.map(({ field }: { field: string }) => field)
    expect(fields).toEqual(['title', 'dueAt', 'remindBefore'])
    expect((await send('/task')).json.items).toEqual([])
    expect(await post('/task', { ...body, userId: NO_ONE })).toMatchObject({ status: 404 })
  })
})

describe('an instant that does not exist', () => {
  it.each(['2028-02-31T16:00:00Z', '0000-01-01T00:00:00Z', '2028-02-28T24:00:00Z', '2028-02-28T16:00:00'])(
    'is rejected everywhere: %s',
    async (instant) => {
      const { post, put, send, body, userId } = await begin()
      const { id } = (await post('/task', body)).json
      const party = { type: 'PARTY', date: '2020-01-01', userId, from: instant }
      const rejected = [
        await post('/task', { ...body, dueAt: instant }),
        await put(`/task/${id}`, { dueAt: instant }),
        await send(`/task?dueFrom=${instant}`),
        await send(`/event?dueBefore=${instant}`),
        await post('/event/replay', { failedFrom: instant }),
        await post('/occasion/preview', party),
      ]
      expect(rejected.map(({ status }) => status)).toEqual(rejected.map(() => 400))
      expect((await send(`/task/${id}`)).json.dueAt).toBe('2026-11-20T12:00:00.000Z')
    },
  )
})

describe('a task', () => {
  it('is read, changed, completed and deleted', async () => {
    const { post, put, send, body } = await begin()
    const { json } = await post('/task', body)
    const path = `/task/${json.id}`
    expect((await send(path)).json).toEqual(json)
    const moved = await put(path, { dueAt: '2026-11-22T14:00:00+02:00', remindBefore: 'PT2H' })
    expect(moved.json).toMatchObject({
      dueAt: '2026-11-22T12:00:00.000Z',
      remindBefore: 'PT2H',
      nextReminderAt: '2026-11-22T10:00:00.000Z',
      version: 2,
    })
    expect(await put(path, { title: 'x' }, { 'If-Match': '"v1"' })).toMatchObject({ status: 412 })
    expect(await put(path, {})).toMatchObject({ status: 400, json: { code: 'NOTHING_TO_CHANGE' } })
    const done = await post(`${path}/complete`, undefined)
    const completedAt = '2026-11-15T04:00:00.000Z'
    expect(done.json).toMatchObject({ completed: true, completedAt, nextReminderAt: null })
    expect((await post(`${path}/complete`, undefined)).json.completed).toBe(true)
    expect(await send(path, { method: 'DELETE' })).toMatchObject({ status: 204 })
    expect(await send(path)).toMatchObject({ status: 404, json: { code: 'TASK_NOT_FOUND' } })
  })

  it('lists each reminder that was delivered, with its time and worker', async () => {
    const app = await begin()
    const { id: taskId } = (await app.post('/task', app.body)).json
    const [eventId] = await work(app, Date.parse('2026-11-19T12:00:00Z'), { reminded: taskId })
    const { reminderSentAt: timestamp, audit } = (await app.send(`/task/${taskId}`)).json
    expect(timestamp).toBe('2026-11-19T12:00:00.200Z')
    expect(audit).toEqual([{ action: 'reminder_sent', taskId, timestamp, workerRunId: 'worker-1', eventId }])
  })

  it('is found by due time, user, and state', async () => {
    const { post, send, body, userId } = await begin()
    const { json: first } = await post('/task', body)
    const { json: second } = await post('/task', { ...body, title: 'Later', dueAt: '2027-01-01T00:00:00Z' })
    await post(`/task/${second.id}/complete`, undefined)
    const found = async (query: string) =>
      (await send(`/task?${query}`)).json.items.map(({ id }: { id: string }) => id)
    expect(await found('')).toEqual([first.id, second.id])
    expect(await found('dueBefore=2026-12-01T00:00:00Z')).toEqual([first.id])
    expect(await found('dueFrom=2026-12-01T00:00:00Z')).toEqual([second.id])
    expect(await found('completed=false')).toEqual([first.id])
    expect(await found('reminded=true')).toEqual([])
    expect(await found(`userId=${userId}&limit=1`)).toEqual([first.id])
    expect(await send('/task?due=soon')).toMatchObject({ status: 400 })
  })

  it('owns the occasion of its reminder, which cannot be changed or deleted directly', async () => {
    const { post, put, body, send, userId } = await begin()
    const { json } = await post('/task', body)
    expect(await put(`/occasion/${json.id}`, { localTime: '10:00' })).toMatchObject({
      status: 409,
      json: { code: 'OCCASION_OWNED' },
    })
    expect(await send(`/occasion/${json.id}`, { method: 'DELETE' })).toMatchObject({ status: 409 })
    expect((await send(`/user/${userId}/occasion`)).json.items).toHaveLength(1)
  })
})
