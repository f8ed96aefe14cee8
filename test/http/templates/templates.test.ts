// Templates over HTTP: stored, read, replaced, deleted, and rejected if they cannot be rendered.
import { describe, expect, it } from 'vitest'
import { createTestApp } from '../support/test-app.ts'

const GERMAN = { body: 'Alles Gute, {{ firstName }}!', subject: 'Zum {{ age }}.' }

describe('PUT /template', () => {
  it('stores a template, with or without a language, and lists it', async () => {
    const { put, send } = createTestApp()
    const first = await put('/template/BIRTHDAY/pt-br', { body: 'Parabéns' })
    expect(first.status).toBe(201)
    expect(first.headers.get('ETag')).toBe('"v1"')
    expect(first.json).toEqual({
      type: 'BIRTHDAY',
      language: 'pt-BR',
      subject: null,
      body: 'Parabéns',
      createdAt: '2026-11-15T04:00:00.000Z',
      updatedAt: '2026-11-15T04:00:00.000Z',
      version: 1,
    })
    const second = await put('/template/BIRTHDAY', GERMAN)
    expect(second.json).toMatchObject({ ...GERMAN, language: null })
    expect((await send('/template')).json).toEqual({ items: [second.json, first.json] })
    expect((await send('/template/BIRTHDAY/PT-br')).json).toEqual(first.json)
    expect((await send('/template/BIRTHDAY')).json).toEqual(second.json)
  })

  it('rejects a template beyond the 200th, and still replaces one', async () => {
    const { put, send } = createTestApp()
    for (let i = 0; i < 200; i++) await put(`/template/T${i}`, { body: 'Hi' })
    const { status, json } = await put('/template/ONE_MORE', { body: 'Hi' })
    expect([status, json.code]).toEqual([409, 'LIMIT_REACHED'])
    expect((await put('/template/T7', { body: 'Hey' })).status).toBe(200)
    expect((await send('/template')).json.items).toHaveLength(200)
  })

  it('replaces the whole template and keeps createdAt', async () => {
    const { put, setClock } = createTestApp()
    await put('/template/BIRTHDAY/de', GERMAN)
    setClock('2026-11-16T04:00:00Z')
    const { status, json, headers } = await put('/template/BIRTHDAY/de', { body: 'Hoch!' })
    expect([status, headers.get('ETag')]).toEqual([200, '"v2"'])
    expect(json).toMatchObject({
      body: 'Hoch!',
      subject: null,
      createdAt: '2026-11-15T04:00:00.000Z',
      updatedAt: '2026-11-16T04:00:00.000Z',
      version: 2,
    })
  })

  it('replaces only the version in If-Match', async () => {
    const { put, send } = createTestApp()
    const change = (ifMatch: string) => put('/template/BIRTHDAY', GERMAN, { 'If-Match': ifMatch })
    expect((await change('*')).json.code).toBe('OUTDATED')
    expect((await change('"v1"')).status).toBe(412)
    await put('/template/BIRTHDAY', { body: 'One' })
    expect((await change('"v2"')).status).toBe(412)
    expect((await send('/template/BIRTHDAY')).json.body).toBe('One')
    expect((await change('"v1"')).status).toBe(200)
    expect((await change('*')).status).toBe(200)
    expect((await change('v3')).json.code).toBe('INVALID_HEADER')
  })

  it('applies all concurrent writes one after the other', async () => {
    const { put } = createTestApp()
    const texts = Array.from({ length: 20 }, (_, i) => `Text ${i}`)
    const answers = await Promise.all(texts.map((body) => put('/template/BIRTHDAY', { body })))
    const versions = answers.map(({ json }) => json.version).sort((a, b) => a - b)
    expect(versions).toEqual(texts.map((_, i) => i + 1))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  })

  it.each([
    [
      { body: 'Hi\n{{ nickname }}' },
      'body',
      'BAD_TEMPLATE',
      /^Line 2, column 4: Unknown variable "nickname"/,
    ],
    [{ body: 'Hi', subject: 'a\r\nBcc: b@c.de' }, 'subject', 'BAD_TEMPLATE', /control characters/],
    [{ body: '' }, 'body', 'BAD_TEMPLATE', /empty/],
    [{ body: `{{"a"${'|url_encode'.repeat(985)}}}` }, 'body', 'BAD_TEMPLATE', /at most 20 filters/],
    [
      { body: `{% assign a = "${'😀'.repeat(2_650)}" %}${'{% assign a = a | url_encode %}'.repeat(300)}` },
      'body',
      'TEMPLATE_LIMIT',
      /too much work/,
    ],
    [{ subject: 'Hi' }, 'body', 'REQUIRED', /required/],
    [{ body: 7 }, 'body', 'WRONG_TYPE', /string/],
    [{ body: 'Hi', html: 'Hi' }, 'html', 'UNKNOWN_FIELD', /html/],
  ])('rejects %j and stores nothing', async (body, field, code, message) => {
    const { put, send } = createTestApp()
    const { status, json } = await put('/template/BIRTHDAY', body)
    expect([status, json.code]).toEqual([400, 'INVALID_INPUT'])
    expect(json.problems).toEqual([{ field, code, message: expect.stringMatching(message) }])
    expect((await send('/template')).json.items).toEqual([])
  })

  it.each([
    ['/template/birthday', ['type']],
    ['/template/BIRTHDAY/german_', ['language']],
    ['/template/-/--', ['type', 'language']],
  ])('rejects %s and reports the invalid path parameters', async (path, fields) => {
    const { put } = createTestApp()
    const { status, json } = await put(path, { body: 'Hi' })
    expect(status).toBe(400)
    expect(json.problems.map(({ field }: { field: string }) => field)).toEqual(fields)
  })
})

describe('GET /template/:type', () => {
  it('returns 304 for an unchanged template', async () => {
    const { put, send } = createTestApp()
    await put('/template/BIRTHDAY/de', GERMAN)
    const read = (tag: string) => send('/template/BIRTHDAY/de', { headers: { 'If-None-Match': tag } })
    expect((await read('"v1"')).status).toBe(304)
    expect((await read('"v2"')).status).toBe(200)
  })

  it.each(['/template/BIRTHDAY', '/template/BIRTHDAY/de', '/template/nonsense', '/template/BIRTHDAY/_'])(
    'returns TEMPLATE_NOT_FOUND for %s',
    async (path) => {
      const { send } = createTestApp()
      expect((await send(path)).json.code).toBe('TEMPLATE_NOT_FOUND')
      expect((await send(path, { method: 'DELETE' })).json.code).toBe('TEMPLATE_NOT_FOUND')
    },
  )
})

describe('DELETE /template/:type', () => {
  it('deletes only the addressed template', async () => {
    const { put, send } = createTestApp()
    for (const path of ['/template/BIRTHDAY', '/template/BIRTHDAY/de']) await put(path, GERMAN)
    expect((await send('/template/BIRTHDAY', { method: 'DELETE' })).status).toBe(204)
    const { items } = (await send('/template')).json
    expect(items.map(({ language }: { language: string }) => language)).toEqual(['de'])
    expect((await send('/template/BIRTHDAY/DE', { method: 'DELETE' })).status).toBe(204)
    expect((await send('/template')).json.items).toEqual([])
  })
})
