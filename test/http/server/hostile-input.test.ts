// Hostile text in every field that takes text: no 5xx, and every stored name is visible and in one spelling.
import { describe, expect, it } from 'vitest'
import { ADA, createTestApp } from '../support/test-app.ts'

const REJECTED_TEXTS = {
  'only invisible characters': '\u200b\u2060\u3164\u2800',
  'a direction override': 'B \u202eevil',
  'a deprecated format character': 'A\u206aB',
  'a noncharacter': 'A\uffff',
  'a lone surrogate': 'A\ud800',
  'ninety accents on one letter': `Z${'\u0315'.repeat(90)}`,
  'an escape sequence': 'A\u001b[2J',
  'too many characters': 'a'.repeat(20_000),
  'too many accents before normalizing': 'e\u0301'.repeat(5_000),
}

const ACCEPTED_TEXTS = {
  'separate accents': 'Zoe\u0308',
  'a closed isolate': '\u2068يوسف\u2069',
  'an emoji of several characters': '👩\u200d👩\u200d👧',
  'an encoded-word': '=?utf-8?Q?=0D=0ABcc:_bob@example.com?=',
  markup: '<img src=x onerror=alert(1)>',
  'a template': '{{ firstName | url_encode }}{% if %}',
  __proto__: '__proto__',
}

const NEW_TASK = { title: 'Renew the passport', dueAt: '2026-11-20T12:00:00Z' }

/** The requests that take a text for people, and the fields of their responses that contain it. */
async function fieldsWith(text: string) {
  const app = createTestApp()
  const { user } = (await app.post('/user', ADA)).json
  const requests = {
    firstName: () => app.post('/user', { ...ADA, firstName: text }),
    lastName: () => app.put(`/user/${user.id}`, { lastName: text }),
    externalId: () => app.post('/user', { ...ADA, externalId: text }),
    title: () => app.post('/task', { ...NEW_TASK, userId: user.id, title: text }),
    'name of a key': () => app.post('/key', { name: text, scope: 'read' }),
  }
  return { app, requests }
}

describe.each(Object.entries(REJECTED_TEXTS))('a text with %s', (_, text) => {
  it('is rejected with a problem in every field for people', async () => {
    const { app, requests } = await fieldsWith(text)
    for (const [field, request] of Object.entries(requests)) {
      const { status, json } = await request()
      expect([field, status, json.code]).toEqual([field, 400, expect.stringMatching(/^INVALID_/)])
    }
    expect(app.errors).toEqual([])
  })
})

describe.each(Object.entries(ACCEPTED_TEXTS))('a text with %s', (_, text) => {
  it('is stored in NFC and returned in every field for people', async () => {
    const { app, requests } = await fieldsWith(text)
    for (const [field, request] of Object.entries(requests)) {
      const { status, text: response } = await request()
      expect([field, status < 300]).toEqual([field, true])
      expect(response).toContain(JSON.stringify(text.normalize('NFC')))
      if (field !== 'externalId') continue
      const query = new URLSearchParams({ externalId: text })
      expect((await app.send(`/user?${query}`)).json.items).toHaveLength(1)
    }
    expect(app.errors).toEqual([])
  })
})

describe('a hostile template', () => {
  const emoji = '😀'.repeat(2_650)
  it.each([
    ['chained url_encode', `{{"${emoji}"${'|url_encode'.repeat(985)}|size}}`],
    ['a doubling text', `{%assign a="ab"%}${'{%assign a=a|append:a%}'.repeat(400)}{{a}}`],
    ['deep nesting', '{%if 1%}'.repeat(2_000)],
  ])('with %s is rejected when it is previewed or stored', async (_, body) => {
    const app = createTestApp()
    const { user } = (await app.post('/user', ADA)).json
    const occasion = { type: 'NAME_DAY', date: '2020-01-01', template: body }
    const responses = [
      await app.post('/template/preview', { body }),
      await app.put('/template/BIRTHDAY', { body }),
      await app.post(`/user/${user.id}/occasion`, occasion),
    ]
    for (const { status, json } of responses) {
      expect([status, json.code]).toEqual([400, 'INVALID_INPUT'])
      expect(json.problems[0].code).toMatch(/^(BAD_TEMPLATE|TEMPLATE_LIMIT)$/)
    }
    expect(app.errors).toEqual([])
  })
})
