// Control characters, quotes of SQL and numbers beyond the range of a column, in every parameter and body of the OpenAPI
// document, on both stores: control characters are a 4xx, and nothing is an internal error.
import { describe, expect, it } from 'vitest'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { useStage } from '../../stores/postgres/support/postgres-suite.ts'
import { ADA, createTestApp, type Json, NO_ONE, type TestApp } from '../support/test-app.ts'

const stage = useStage()
const STORES = { SQLite: async () => openSqliteStore(':memory:'), PostgreSQL: () => stage.open() }

const CONTROLS = ['\u0000', 'a\u0000b', '\u001b[2J', '\u0085']
/** As part of a statement instead of a parameter, each would be a syntax error. */
const QUOTES = ["'", `"'; DROP TABLE users; --`]
const NUMBERS = ['2147483648', '9999999999', '9223372036854775808', '1e400', '-2147483649']
const CURSORS = [...CONTROLS, ...NUMBERS, '2147483647'].map((text) => Buffer.from(text).toString('base64url'))

describe.each(Object.entries(STORES))('on %s', (_, open) => {
  it('no parameter of a query accepts a control character, and none causes a 5xx', async () => {
    const app = createTestApp({ store: await open() })
    const operations = operationsOf(app)
    const wrong: string[] = []
    for (const { method, path, parameters } of operations)
      for (const { name, in: place } of parameters.filter((one) => one.in !== 'header')) {
        const hostile = [...CONTROLS, ...QUOTES, ...NUMBERS, ...(name === 'cursor' ? CURSORS : [])]
        for (const value of hostile) {
          const encoded = encodeURIComponent(value)
          const filled = path.replaceAll(/\{(\w+)\}/g, (_all, one) => (one === name ? encoded : NO_ONE))
          const url = place === 'query' ? `${filled}?${name}=${encoded}` : filled
          const { status } = await app.app.request(url, withBody(method))
          const isRejected = place !== 'query' || !CONTROLS.includes(value) || (status >= 400 && status < 500)
          if (status >= 500 || !isRejected) wrong.push(`${method} ${url}: ${status}`)
        }
      }
    expect(wrong).toEqual([])
    expect(app.errors).toEqual([])
  }, 60_000)

  it('no field of a body causes a 5xx', async () => {
    const app = createTestApp({ store: await open() })
    const { user } = (await app.post('/user', ADA)).json
    const wrong: string[] = []
    for (const { method, path, body } of operationsOf(app)) {
      if (body === null) continue
      const url = path.replaceAll(/\{\w+\}/g, path.startsWith('/user/{id}') ? user.id : NO_ONE)
      for (const sent of variantsOf(body)) {
        const { status } = await app.app.request(url, withBody(method, sent))
        if (status >= 500) wrong.push(`${method} ${url} ${JSON.stringify(sent)}: ${status}`)
      }
    }
    expect(wrong).toEqual([])
    expect(app.errors).toEqual([])
  }, 60_000)
})

const withBody = (method: string, body: unknown = {}) => ({
  method,
  headers: { 'Content-Type': 'application/json' },
  ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
})

type Listed = { method: string; path: string; parameters: { name: string; in: string }[]; body: Json }

function operationsOf({ app }: TestApp): Listed[] {
  const document: Json = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'Terce', version: '1' },
  })
  const resolve = (schema: Json): Json =>
    schema?.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)] : schema
  return Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, { parameters = [], requestBody }]) => {
      const schema = resolve(requestBody?.content?.['application/json']?.schema)
      const fields = Object.keys(resolve(schema?.anyOf?.[0] ?? schema)?.properties ?? {})
      const body = schema && { ...Object.fromEntries(fields.map((name) => [name, null])), ...schema.example }
      return { method: method.toUpperCase(), path, parameters, body: body ?? null }
    }),
  )
}

/** The example with one hostile value; a field that the example lacks gets it too. */
function variantsOf(example: Record<string, Json>): Json[] {
  const given = Object.fromEntries(Object.entries(example).filter(([, value]) => value !== null))
  return Object.keys(example).flatMap((name) =>
    [...CONTROLS, ...QUOTES, ...NUMBERS.map(Number), ['\u0000'], { name: '\u0000' }].map((value) => ({
      ...given,
      [name]: value,
    })),
  )
}

it('a query of more than 50 parameters is rejected with one problem', async () => {
  const { send } = createTestApp()
  const { status, json } = await send(`/user?${Array.from({ length: 51 }, (_, i) => `p${i}=1`).join('&')}`)
  expect([status, json.code]).toEqual([400, 'INVALID_QUERY'])
  expect(json.problems).toMatchObject([{ field: '', message: expect.stringContaining('50') }])
})
