// A person by the caller's own id: read, and create or change.
import { describe, expect, it } from 'vitest'
import { ADA, createTestApp } from '../support/test-app.ts'

const PATH = '/user/by-external-id/crm-4711'
const codes = (json: { problems: { field: string; code: string }[] }) =>
  json.problems.map(({ field, code }) => `${field} ${code}`)

describe('PUT /user/by-external-id/:externalId', () => {
  it('creates the person, as POST /user does', async () => {
    const { put, send, planned } = createTestApp()
    const { status, json, headers } = await put(PATH, ADA)
    expect(status).toBe(201)
    expect(json).toMatchObject({
      created: true,
      user: { ...ADA, externalId: 'crm-4711', version: 1 },
      nextBirthdayEvent: { externalId: 'crm-4711', status: 'PENDING' },
    })
    expect(headers.get('Location')).toBe(`/user/${json.user.id}`)
    expect(headers.get('ETag')).toBe('"v1"')
    expect(planned).toHaveLength(1)
    expect((await send(`/user/${json.user.id}/event`)).json.items).toHaveLength(1)
  })

  it('writes nothing and keeps the version when it is repeated', async () => {
    const { put, send, setClock } = createTestApp()
    const { user } = (await put(PATH, ADA)).json
    setClock('2027-01-20T04:00:00Z')
    const again = await put(PATH, { ...ADA, externalId: 'crm-4711' })
    const unchanged = { created: false, user, rescheduled: 0, skipped: 0, moves: [] }
    expect(again).toMatchObject({ status: 200, json: unchanged })
    expect(again.headers.get('ETag')).toBe('"v1"')
    expect((await send('/user')).json.items).toEqual([expect.objectContaining(user)])
  })

  it('changes the person and moves their message, as PUT /user/:id does', async () => {
    const { put } = createTestApp()
    const { user } = (await put(PATH, { ...ADA, email: 'ada@example.com' })).json
    const { status, json } = await put(PATH, { ...ADA, timezone: 'Europe/London' })
    expect(status).toBe(200)
    expect(json).toMatchObject({
      created: false,
      user: { id: user.id, timezone: 'Europe/London', email: 'ada@example.com', version: 2 },
      rescheduled: 1,
      moves: [{ type: 'BIRTHDAY', to: { timezone: 'Europe/London' } }],
    })
    expect((await put(PATH, { ...ADA, timezone: 'Europe/London', email: null })).json.user.email).toBeNull()
  })

  it('with If-Match changes only that version, and creates nobody', async () => {
    const { put, send } = createTestApp()
    for (const tag of ['"v1"', '*'])
      expect((await put(PATH, ADA, { 'If-Match': tag })).json).toMatchObject({
        status: 412,
        code: 'OUTDATED',
      })
    expect((await send('/user')).json.items).toEqual([])
    await put(PATH, ADA)
    const renamed = { ...ADA, lastName: 'King' }
    expect((await put(PATH, renamed, { 'If-Match': '"v7"' })).status).toBe(412)
    const changed = await put(PATH, renamed, { 'If-Match': '"v1"' })
    expect(changed).toMatchObject({ status: 200, json: { user: { lastName: 'King', version: 2 } } })
    expect((await put(PATH, ADA, { 'If-Match': '*' })).json.user.version).toBe(3)
    expect((await put(PATH, ADA, { 'If-Match': 'v3' })).json.code).toBe('INVALID_HEADER')
  })

  it('with dryRun returns what would happen and writes nothing', async () => {
    const { put, send } = createTestApp()
    const dry = await put(`${PATH}?dryRun=true`, ADA)
    expect(dry).toMatchObject({ status: 200, json: { created: true, user: { externalId: 'crm-4711' } } })
    expect((await send('/user')).json.items).toEqual([])
    await put(PATH, ADA)
    const moved = await put(`${PATH}?dryRun=true`, { ...ADA, timezone: 'Europe/London' })
    expect(moved.json).toMatchObject({ created: false, rescheduled: 1, user: { version: 1 } })
    expect((await send(PATH)).json).toMatchObject({ timezone: ADA.timezone, version: 1 })
  })

  it('reports every problem of the body and the path, whether or not the person exists', async () => {
    const { put, send } = createTestApp()
    const bad = { ...ADA, lastName: ' ', timezone: 'Jakarta' }
    const { firstName: _, ...incomplete } = ADA
    for (const round of ['new', 'stored']) {
      expect(codes((await put(PATH, bad)).json), round).toEqual([
        'lastName INVALID_NAME',
        'timezone UNKNOWN_TIMEZONE',
      ])
      expect(codes((await put(PATH, incomplete)).json), round).toEqual(['firstName REQUIRED'])
      for (const externalId of ['crm-1', null])
        expect(codes((await put(PATH, { ...ADA, externalId })).json), round).toEqual([
          'externalId CONFLICTING_FIELDS',
        ])
      await put(PATH, ADA)
    }
    const long = `/user/by-external-id/${'x'.repeat(201)}`
    expect(codes((await put(long, bad)).json)).toContain('externalId INVALID_EXTERNAL_ID')
    expect((await send('/user')).json.items).toHaveLength(1)
  })

  it('accepts external ids with any characters', async () => {
    const { put, send } = createTestApp()
    for (const externalId of ['a/b', 'a b%', '雇員 7', '?x=1#y', 'event', 'bulk', '../user']) {
      const path = `/user/by-external-id/${encodeURIComponent(externalId)}`
      expect(await put(path, ADA)).toMatchObject({ status: 201, json: { user: { externalId } } })
      expect((await put(path, ADA)).status).toBe(200)
      expect(await send(path)).toMatchObject({ status: 200, json: { externalId } })
    }
    const [composed, decomposed] = ['é'.normalize('NFC'), 'é'.normalize('NFD')]
    await put(`/user/by-external-id/${encodeURIComponent(decomposed)}`, ADA)
    expect((await put(`/user/by-external-id/${encodeURIComponent(composed)}`, ADA)).status).toBe(200)
  })
})

describe('GET /user/by-external-id/:externalId', () => {
  it('returns the person with their ETag, and 304 for a known version', async () => {
    const { put, send } = createTestApp()
    const { user } = (await put(PATH, ADA)).json
    const read = await send(PATH)
    expect(read).toMatchObject({ status: 200, json: user })
    expect((await send(PATH, { headers: { 'If-None-Match': read.headers.get('ETag')! } })).status).toBe(304)
  })

  it('rejects an id that nobody has', async () => {
    const { send } = createTestApp()
    for (const path of [PATH, `/user/by-external-id/${'x'.repeat(300)}`, '/user/by-external-id/%00'])
      expect(await send(path)).toMatchObject({ status: 404, json: { code: 'USER_NOT_FOUND' } })
  })
})
