// Fuzzing: no request causes a 5xx, and rejected input is never stored.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ADA, createTestApp } from '../support/test-app.ts'

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\u0000', '\ud800', '__proto__', ' '),
)
const value = fc.oneof(
  { weight: 3, arbitrary: text },
  { weight: 2, arbitrary: fc.constantFrom(...Object.values(ADA), 'asia/jakarta', '2026-11-15', 'a@b', null) },
  fc.jsonValue(),
)
const names = ['firstName', 'lastName', 'dateOfBirth', 'birthDate', 'timezone', 'location', 'email']
const person = fc
  .tuple(
    fc.constantFrom(ADA, {}),
    fc.dictionary(fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...names) }, text), value, { maxKeys: 3 }),
  )
  .map(([base, fields]) => ({ ...base, ...fields }))
const body = fc.oneof(
  { weight: 6, arbitrary: person.map((json) => JSON.stringify(json)) },
  fc.jsonValue().map((json) => JSON.stringify(json)),
  text,
)

it('POST /user responds to any body with 201 or 400, and stores only on 201', async () => {
  const { send, errors } = createTestApp()
  const seen = new Set<number>()
  await fc.assert(
    fc.asyncProperty(body, async (sent) => {
      const { status, json } = await send('/user', { method: 'POST', text: sent })
      seen.add(status)
      expect([201, 400]).toContain(status)
      const { items } = (await send('/user')).json
      expect(items).toMatchObject(status === 201 ? [json.user] : [])
      if (status === 201) await send(`/user/${json.user.id}`, { method: 'DELETE' })
    }),
    { numRuns: 400 },
  )
  expect(errors).toEqual([])
  expect([...seen].sort()).toEqual([201, 400])
})

it('PUT /user/:id responds to any body with 200 or 400, and changes only on 200', async () => {
  const { send, post, errors } = createTestApp()
  let { user } = (await post('/user', ADA)).json
  const seen = new Set<number>()
  await fc.assert(
    fc.asyncProperty(body, async (sent) => {
      const { status, json } = await send(`/user/${user.id}`, { method: 'PUT', text: sent })
      seen.add(status)
      expect([200, 400]).toContain(status)
      if (status === 200) user = json.user
      expect((await send(`/user/${user.id}`)).json).toEqual(user)
    }),
    { numRuns: 400 },
  )
  expect(errors).toEqual([])
  expect([...seen].sort()).toEqual([200, 400])
})

it('the API responds to any path and query without a 5xx', async () => {
  const { app, errors } = createTestApp()
  const words = ['user', 'event', 'bulk', 'inbox', '%', '%00', '%ff', '..', 'limit=1', '?', '&cursor=', '#']
  const part = fc.oneof(fc.constantFrom(...words), fc.webPath(), fc.webQueryParameters())
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 4 }), async (parts) => {
      const response = await app.request(`http://localhost/${parts.join('/')}`)
      expect(response.status).toBeLessThan(500)
    }),
    { numRuns: 300 },
  )
  expect(errors).toEqual([])
})
