// Creating many people in one request: each is accepted or rejected on its own.
import { describe, expect, it } from 'vitest'
import { ADA, createTestApp } from '../support/test-app.ts'

describe('POST /user/bulk', () => {
  it('creates the valid people, rejects the others, and reports each by index', async () => {
    const { post, send, planned } = createTestApp()
    const [nameless, unclear] = [
      { ...ADA, firstName: '' },
      { ...ADA, location: 'UTC' },
    ]
    const users = [ADA, nameless, unclear, null, { ...ADA, timezone: 'UTC' }]
    const { status, json } = await post('/user/bulk', { users })
    expect(status).toBe(200)
    expect(json).toMatchObject({
      created: 2,
      rejected: 3,
      results: [
        { index: 0, status: 'created', user: ADA, nextBirthdayEvent: { occurrence: '2026' } },
        { index: 1, status: 'rejected', problems: [{ field: 'firstName', code: 'INVALID_NAME' }] },
        { index: 2, status: 'rejected', problems: [{ field: 'location', code: 'CONFLICTING_FIELDS' }] },
        { index: 3, status: 'rejected', problems: [{ field: '', code: 'WRONG_TYPE' }] },
        { index: 4, status: 'created', user: { timezone: 'UTC' } },
      ],
    })
    const stored = (await send('/user')).json.items
    expect(stored).toMatchObject([json.results[0].user, json.results[4].user])
    expect(planned).toEqual([Date.parse('2026-12-15T09:00:00Z')])
  })

  it('reports a person as rejected if another request creates their external id at that moment', async () => {
    const { post, send, store } = createTestApp()
    const createUsers = store.createUsers.bind(store)
    store.createUsers = async (...request) => {
      store.createUsers = createUsers
      await post('/user', { ...ADA, firstName: 'Grace', externalId: 'crm-2' })
      return createUsers(...request)
    }
    const users = ['crm-1', 'crm-2', 'crm-3'].map((externalId) => ({ ...ADA, externalId }))
    const { json } = await post('/user/bulk', { users })
    expect(json).toMatchObject({
      created: 2,
      rejected: 1,
      results: [{ status: 'created' }, { status: 'rejected' }, { status: 'created' }],
    })
    const stored = (await send('/user')).json.items as { externalId: string; firstName: string }[]
    const names = stored.map(({ externalId, firstName }) => `${externalId} ${firstName}`)
    expect(names.sort()).toEqual(['crm-1 Ada', 'crm-2 Grace', 'crm-3 Ada'])
  })

  it('accepts 1000 people with long names in one request', async () => {
    const { post } = createTestApp()
    const users = Array(1000).fill({ ...ADA, firstName: 'é'.repeat(100), lastName: 'ö'.repeat(100) })
    expect((await post('/user/bulk', { users })).json).toMatchObject({ created: 1000, rejected: 0 })
  })

  it('rejects a megabyte of nested brackets without crashing', async () => {
    const { send } = createTestApp()
    const depth = 500_000
    const text = `{"users":[${'['.repeat(depth)}${']'.repeat(depth)}]}`
    expect((await send('/user/bulk', { method: 'POST', text })).json).toMatchObject({ rejected: 1 })
  })
})
