// Template previews: render for an example, a described or a stored person, and store nothing.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { heapUsed } from '../../support/heap.ts'
import { ADA, createTestApp, NO_ONE } from '../support/test-app.ts'

const preview = (app: ReturnType<typeof createTestApp>, body: object) => app.post('/template/preview', body)

describe('POST /template/preview', () => {
  it('renders for an example person', async () => {
    const { status, json } = await preview(createTestApp(), { body: '{{ firstName }}, {{ age }}\nnow' })
    expect(status).toBe(200)
    expect(json).toEqual({
      message: 'Ada, 36\nnow',
      subject: 'Ada, 36',
      text: 'Ada, 36\nnow',
      html: 'Ada, 36<br>\nnow',
    })
  })

  it('renders for a described person at their next birthday', async () => {
    const { lastName } = ADA
    const person = { lastName, firstName: '<i>', birthDate: '1990-11-16', location: 'asia/tokyo' }
    const body = '<p>{{ firstName }} {{ localDate }} {{ timezone }}</p>'
    const { json } = await preview(createTestApp(), { body, subject: 'For {{ lastName }}', person })
    expect(json).toEqual({
      message: '<p><i> 2026-11-16 Asia/Tokyo</p>',
      subject: 'For Lovelace',
      text: '<i> 2026-11-16 Asia/Tokyo',
      html: '<p>&lt;i&gt; 2026-11-16 Asia/Tokyo</p>',
    })
  })

  it('renders for a stored user, also as a late message', async () => {
    const app = createTestApp()
    const { user } = (await app.post('/user', ADA)).json
    const body = '{{ type }} {{ occurrence }} {{ lateBySeconds }} {{ belated }}'
    const say = async (over: object) => (await preview(app, { body, userId: user.id, ...over })).json.message
    expect(await say({})).toBe('BIRTHDAY 2026 0 false')
    expect(await say({ lateBySeconds: 86_400 })).toBe('BIRTHDAY 2026 86400 true')
    expect(await say({ type: 'NAME_DAY' })).toBe('NAME_DAY 2026 0 false')
  })

  it.each([
    [null, {}],
    [null, { type: 'TASK_REMINDER' }],
    ['--12-15', { type: 'NAME_DAY' }],
  ])('renders for a person born on %s, without an age, for %j', async (dateOfBirth, over) => {
    const app = createTestApp()
    const person = { ...ADA, dateOfBirth }
    const body =
      '{{ firstName }},{{ age }},{{ years }},{{ localDate | size }},{{ date | size }},{{ daysUntil | size }}'
    const described = await preview(app, { body, person, ...over })
    expect([described.status, described.json.message]).toMatchObject([200, /^Ada,,,10,/])
    const { id } = (await app.post('/user', person)).json.user
    expect((await preview(app, { body, userId: id, ...over })).json).toEqual(described.json)
  })

  it('stores nothing and sends nothing', async () => {
    const app = createTestApp()
    await preview(app, { body: 'Hi', person: ADA })
    for (const path of ['/user', '/event', '/template']) expect((await app.send(path)).json.items).toEqual([])
    expect(app.planned).toEqual([])
  })

  it.each([
    [{ body: '{{ nickname }}' }, 'body', 'BAD_TEMPLATE'],
    [{ body: `{{ localDate | date: "${'%A'.repeat(8_000)}" | url_encode }}` }, 'body', 'TEMPLATE_LIMIT'],
    [{ body: 'Hi', type: 'name day' }, 'type', 'INVALID_VALUE'],
    [{ body: 'Hi', lateBySeconds: -1 }, 'lateBySeconds', 'INVALID_VALUE'],
    [{ body: 'Hi', person: { ...ADA, timezone: 'Mars' } }, 'person.timezone', 'UNKNOWN_TIMEZONE'],
    [{ body: 'Hi', person: 'Ada' }, 'person', 'WRONG_TYPE'],
    [{ body: 'Hi', person: ADA, userId: NO_ONE }, 'person', 'CONFLICTING_FIELDS'],
    [{ body: 'Hi', age: 3 }, 'age', 'UNKNOWN_FIELD'],
  ])('rejects %j', async (body, field, code) => {
    const { status, json } = await preview(createTestApp(), body)
    expect(status).toBe(400)
    expect(json.problems).toEqual([{ field, code, message: expect.any(String) }])
  })

  it('rejects a text that fails only for this person, without personal data in the problem', async () => {
    const person = { ...ADA, firstName: 'Secretname' }
    const body = '{% if firstName == "Secretname" %}{{ age | date: "%d" }}{% endif %}'
    const { status, json, text } = await preview(createTestApp(), { body, person })
    expect([status, json.problems[0].code]).toEqual([400, 'BAD_TEMPLATE'])
    expect(text).not.toContain('Secretname')
  })

  it.each([NO_ONE, 'nobody'])('returns USER_NOT_FOUND for the id %s', async (userId) => {
    expect((await preview(createTestApp(), { body: 'Hi', userId })).json.code).toBe('USER_NOT_FOUND')
  })

  it('responds to any body with 200, 400 or 404', async () => {
    const app = createTestApp()
    const parts = ['{{', '}}', '{%', '%}', ' firstName ', ' if ', ' endif ', ' | ', 'date: ', '"%d"', 'x']
    const word = fc.constantFrom(...parts)
    const text = fc.oneof(
      fc.constantFrom('Hi {{ firstName }}', '{% if belated %}late{% endif %}'),
      fc.array(word).map((words) => words.join('')),
      fc.string({ unit: 'binary' }),
    )
    const type = fc.oneof(fc.constantFrom('BIRTHDAY', 'NAME_DAY'), text)
    const person = fc.oneof(fc.constant(ADA), fc.jsonValue())
    const body = fc.record(
      { body: text, subject: text, type, userId: text, person },
      { requiredKeys: ['body'] },
    )
    const seen = new Set<number>()
    await fc.assert(
      fc.asyncProperty(body, async (sent) => {
        seen.add((await preview(app, sent)).status)
      }),
      { numRuns: 500 },
    )
    expect(app.errors).toEqual([])
    expect([...seen].filter((status) => ![200, 400, 404].includes(status))).toEqual([])
    expect(seen).toContain(200)
  })
})

it('keeps nothing of 200 rejected previews, whose compiled texts would take 310 MB', async () => {
  const app = createTestApp()
  const before = heapUsed()
  for (let i = 0; i < 200; i++) await preview(app, { body: `${'{{age|plus:1}}'.repeat(1_100)}${i}` })
  expect((heapUsed() - before) / 1_048_576).toBeLessThan(30)
}, 60_000)
