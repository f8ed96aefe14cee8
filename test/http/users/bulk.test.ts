// Bulk operations on all people who match a filter.
import { describe, expect, it } from 'vitest'
import { ADA, createTestApp, type Json } from '../support/test-app.ts'

describe('POST /people/delete', () => {
  it('only counts in a dry run, and deletes only people who match', async () => {
    const { send, post } = createTestApp()
    await post('/user', ADA)
    await post('/user', { ...ADA, firstName: 'Grace', timezone: 'UTC' })
    const tried = await post('/people/delete', { filter: { search: 'grace' }, dryRun: true })
    expect(tried.json).toEqual({ matched: 1, deleted: 0, nextCursor: null, dryRun: true })
    const done = await post('/people/delete', { filter: { timezone: 'UTC' } })
    expect(done.json).toMatchObject({ deleted: 1, dryRun: false })
    expect((await send('/user')).json.items).toMatchObject([{ firstName: 'Ada' }])
    expect(await post('/people/delete', {})).toMatchObject({ status: 400 })
  })
})

describe('POST /people/pause and /people/resume', () => {
  async function begin() {
    const app = createTestApp()
    for (const firstName of ['Ada', 'Grace', 'Eve']) {
      await app.post('/user', { ...ADA, firstName, timezone: firstName === 'Eve' ? 'UTC' : 'Asia/Tokyo' })
    }
    const nextOf = async () =>
      (await app.send('/user')).json.items.map((row: { next: object | null }) => row.next !== null)
    return { ...app, nextOf }
  }

  it('only count in a dry run, change only people who match, and can be repeated', async () => {
    const { post, nextOf } = await begin()
    const filter = { timezone: 'asia/tokyo' }
    const counted = { people: 2, matched: 2, changed: 2, inFlight: 0, nextCursor: null, dryRun: true }
    expect((await post('/people/pause', { filter, dryRun: true })).json).toEqual(counted)
    expect(await nextOf()).toEqual([true, true, true])
    expect((await post('/people/pause', { filter })).json).toEqual({ ...counted, dryRun: false })
    expect(await nextOf()).toEqual([false, false, true])
    expect((await post('/people/pause', { filter })).json).toMatchObject({ matched: 0 })
    expect((await post('/people/resume', { filter: {} })).json).toMatchObject({
      people: 3,
      matched: 2,
      changed: 2,
    })
    expect(await nextOf()).toEqual([true, true, true])
  })

  it.each(['before', 'after'])('leave what is paused alone %s everyone paused', async (when) => {
    const { post, send, nextOf } = await begin()
    const [ada, grace, eve] = (await send('/user')).json.items
    const occasions = (await send(`/user/${ada.id}/occasion`)).json.items
    const pauseAlone = async () => {
      await post(`/occasion/${occasions[0].id}/pause`, {})
      expect((await post('/people/pause', { filter: { ids: [grace.id] } })).json).toMatchObject({
        changed: 1,
      })
    }
    if (when === 'before') await pauseAlone()
    const matched = when === 'before' ? 1 : 3
    expect((await post('/people/pause', { filter: {} })).json).toMatchObject({ matched })
    if (when === 'after') await pauseAlone()
    expect((await post('/people/resume', { filter: {} })).json).toMatchObject({ matched: 1 })
    expect((await nextOf()).toSorted()).toEqual([false, false, true])
    const { json } = await post('/people/resume', { filter: { ids: [ada.id, grace.id, eve.id] } })
    expect(json).toMatchObject({ matched: 2, changed: 2 })
    expect(await nextOf()).toEqual([true, true, true])
  })

  it('continue at the cursor of the response', async () => {
    const { post, nextOf } = await begin()
    const request = { filter: {}, limit: 2, type: 'BIRTHDAY' }
    const first = await post('/people/pause', request)
    expect(first.json).toMatchObject({ people: 2, changed: 2 })
    const second = await post('/people/pause', { ...request, cursor: first.json.nextCursor })
    expect(second.json).toMatchObject({ people: 1, changed: 1, nextCursor: null })
    expect(await nextOf()).toEqual([false, false, false])
  })

  it('reject invalid bodies', async () => {
    const { post } = await begin()
    const filter = {}
    const paged = [
      { filter, limit: 0 },
      { filter, cursor: 'x' },
    ]
    for (const body of [{}, { filter: { timezone: 'PST' } }, { filter, type: 'birthday' }, ...paged]) {
      expect(await post('/people/pause', body), JSON.stringify(body)).toMatchObject({ status: 400 })
    }
  })
})

it('POST /people/send-time moves the occasions unless it is a dry run, and says which', async () => {
  const { post, send } = createTestApp()
  for (const firstName of ['Ada', 'Grace']) await post('/user', { ...ADA, firstName })
  const dueAt = async () => (await send('/user')).json.items.map(({ next }: Json) => next.local.slice(11, 16))
  const body = { filter: {}, localTime: '08:30', from: '09:00', limit: 1 }
  const counts = { people: 1, matched: 1, changed: 1, moved: 1, inFlight: 0 }
  const dry = await post('/people/send-time', { ...body, dryRun: true })
  expect(dry.json).toMatchObject({ ...counts, dryRun: true })
  expect(await dueAt()).toEqual(['09:00', '09:00'])
  const first = await post('/people/send-time', body)
  expect(first.json).toMatchObject({ ...counts, dryRun: false })
  const second = await post('/people/send-time', { ...body, cursor: first.json.nextCursor })
  expect(second.json).toEqual({ ...counts, dryRun: false, nextCursor: null })
  expect(await dueAt()).toEqual(['08:30', '08:30'])
  for (const wrong of [{ localTime: '8' }, { from: '25:00' }, { filter: undefined }])
    expect(await post('/people/send-time', { ...body, ...wrong })).toMatchObject({ status: 400 })
})
