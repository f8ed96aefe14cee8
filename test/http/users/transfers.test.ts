// Import and export of people over HTTP, both as streams.
import { describe, expect, it } from 'vitest'
import { StoreUnavailableError } from '../../../src/domain/errors.ts'
import { makePeople } from '../../support/fixtures.ts'
import { ADA, createTestApp, type Json, type TestApp } from '../support/test-app.ts'

const HEADER = 'firstName,lastName,dateOfBirth,timezone,externalId\n'
const TABLE = `${HEADER}Ada,Lovelace,1990-12-15,America/Vancouver,crm-1\n,L,1990-12-15,CST,crm-2\n`
const CSV = { 'Content-Type': 'text/csv' }

function importTable({ send }: TestApp, text: string, headers: Record<string, string> = CSV, query = '') {
  return send(`/user/import${query}`, { method: 'POST', text, headers })
}

/** A chunked body without Content-Length. */
async function importStream({ app }: TestApp, pieces: Iterable<string>, end: 'closed' | 'broken' = 'closed') {
  const iterator = pieces[Symbol.iterator]()
  let pulled = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = iterator.next()
      if (!next.done) {
        pulled += 1
        return controller.enqueue(new TextEncoder().encode(next.value))
      }
      return end === 'closed' ? controller.close() : controller.error(new Error('connection lost'))
    },
  })
  const init = { method: 'POST', headers: CSV, body, duplex: 'half' }
  const response = await app.request('/user/import', init as RequestInit)
  return { status: response.status, json: (await response.json()) as Json, pulled }
}

describe('POST /user/import', () => {
  it('imports the valid rows, rejects the others, and reports each by line', async () => {
    const app = createTestApp()
    const { status, json } = await importTable(app, TABLE)
    expect(status).toBe(200)
    const { errors, ...counts } = json
    expect(counts).toEqual({
      ...{ read: 2, created: 1, unchanged: 0, different: 0, rejected: 1 },
      ...{ next: null, dryRun: false },
    })
    expect(errors).toEqual([
      { line: 3, field: 'firstName', code: 'INVALID_NAME', message: expect.any(String) },
      { line: 3, field: 'timezone', code: 'UNKNOWN_TIMEZONE', message: expect.stringContaining('"CST"') },
    ])
    expect((await app.send('/user')).json.items).toMatchObject([{ ...ADA, externalId: 'crm-1' }])
    expect((await importTable(app, TABLE)).json).toMatchObject({ created: 0, unchanged: 1, rejected: 1 })
    expect(app.planned).toEqual([Date.parse('2026-12-15T16:00:00Z')])
  })

  it('only counts in a dry run', async () => {
    const app = createTestApp()
    const { json } = await importTable(app, TABLE, CSV, '?dryRun=true')
    expect(json).toMatchObject({ created: 1, rejected: 1 })
    expect((await app.send('/user')).json.items).toEqual([])
    for (const query of ['?dryRun=1', '?dry=true', '?from=0'])
      expect((await importTable(app, TABLE, CSV, query)).json.code).toBe('INVALID_QUERY')
  })

  it('accepts the example of the API reference', async () => {
    const app = createTestApp()
    const { paths } = (await app.send('/openapi.json')).json
    const { example } = paths['/user/import'].post.requestBody.content['text/csv'].schema
    expect((await importTable(app, example)).json).toMatchObject({ read: 1, created: 1 })
  })

  it('reports missing columns', async () => {
    const { status, json } = await importTable(createTestApp(), 'firstName,lastName\nAda,Lovelace\n')
    expect([status, json.code]).toEqual([400, 'INVALID_INPUT'])
    expect(json.problems).toMatchObject([
      { field: 'dateOfBirth', code: 'MISSING_COLUMN' },
      { field: 'timezone', code: 'MISSING_COLUMN' },
    ])
  })

  it('says that a spreadsheet is not CSV', async () => {
    const { status, json } = await importTable(createTestApp(), 'PK\u0003\u0004\u0014\0\u0006\0\b\0,\n')
    const message = expect.stringContaining('Save it as CSV')
    expect([status, json.problems]).toEqual([400, [{ field: '', code: 'BROKEN_ROW', message }]])
  })

  it.each([
    [{ 'Content-Type': 'application/json' }, /application\/json.*text\/csv/],
    [{ 'Content-Type': 'text/csv; charset=iso-8859-1' }, /UTF-8/],
    [{ ...CSV, 'Content-Encoding': 'gzip' }, /compressed/],
  ])('rejects %j and says what to send', async (headers: Record<string, string>, why) => {
    const { status, json } = await importTable(createTestApp(), TABLE, headers)
    expect([status, json.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
    expect(json.detail).toMatch(why)
  })

  it('accepts a UTF-8 charset in any spelling', async () => {
    const headers = { 'Content-Type': 'Text/CSV; Charset="UTF-8"' }
    expect((await importTable(createTestApp(), TABLE, headers)).json.created).toBe(1)
  })

  it('rejects a Content-Length over 64 MiB before reading the body', async () => {
    const app = createTestApp()
    const headers = { ...CSV, 'Content-Length': String(64 * 1024 * 1024 + 1) }
    const { status, json } = await importTable(app, TABLE, headers)
    expect([status, json.code]).toEqual([413, 'BODY_TOO_LARGE'])
    expect(json.detail).toContain('Nobody was created.')
    expect((await app.send('/user')).json.items).toEqual([])
  })

  it('stops at 64 MiB without Content-Length and reports how many people were created', async () => {
    const app = createTestApp()
    const megabyte = 'x'.repeat(1024 * 1024)
    const rows = Array.from({ length: 500 }, (_, i) => `Ada,L,1990-12-15,Etc/UTC,crm-${i}\n`).join('')
    function* pieces() {
      yield HEADER + rows
      for (let i = 0; i < 200; i++) yield megabyte
    }
    const { status, json, pulled } = await importStream(app, pieces())
    expect([status, json.code]).toEqual([413, 'BODY_TOO_LARGE'])
    expect(json.detail).toContain(
      '500 people were created before that. Sending the table again creates no duplicates; from=501 skips the rows that are done.',
    )
    expect(pulled).toBeLessThan(70)
    expect(app.errors).toEqual([])
  })

  it('reports what it wrote, and where to continue, when the database fails after some rows', async () => {
    const app = createTestApp()
    const rows = Array.from({ length: 1_200 }, (_, i) => `Ada,L,1990-12-15,Etc/UTC,crm-${i}\n`)
    rows[3] = 'Ada,L,1990-12-15,CST,crm-3\n'
    rows[700] = 'Ada,L,1990-12-15,CST,crm-700\n'
    const { createUsers } = app.store
    let batches = 0
    app.store.createUsers = (...args) => {
      batches += 1
      return batches === 2 ? Promise.reject(new Error('the disk is full')) : createUsers(...args)
    }
    const table = HEADER + rows.join('')
    const { status, json } = await importTable(app, table)
    expect([status, json.code]).toEqual([500, 'INTERNAL'])
    expect(json.detail).toContain('500 people were created before that.')
    expect(json.detail).toContain('from=502 skips the rows that are done')
    const counts = { unchanged: 0, different: 0 }
    expect(json.soFar).toEqual({ read: 501, created: 500, rejected: 1, next: 502, ...counts })
    expect(app.errors).toEqual([new Error('the disk is full')])
    const rest = await importTable(app, table, CSV, '?from=502')
    expect(rest.json).toMatchObject({ read: 699, created: 698, rejected: 1, next: null, ...counts })
    expect(rest.json.errors).toMatchObject([{ line: 702 }])
    const entries = await app.store.listAuditEntries({ limit: 9, before: null, action: 'people.imported' })
    expect(entries.map(({ details }) => details)).toEqual(['{"created":698}', '{"created":500}'])
  })

  it('responds with 503 and what it wrote when the database is not available any more', async () => {
    const app = createTestApp()
    app.store.createUsers = () => Promise.reject(new StoreUnavailableError('a query', 'gone', {}))
    const { status, json, headers } = await importTable(app, TABLE)
    expect([status, json.code, headers.get('Retry-After')]).toEqual([503, 'DATABASE_UNAVAILABLE', '5'])
    expect(json.soFar).toMatchObject({ read: 0, created: 0, next: 1 })
  })

  it('reads 20,000 rows in a call of a function that is started on demand, and says where to continue', async () => {
    const app = createTestApp({ onDemand: true })
    const rows = Array.from({ length: 20_003 }, (_, i) => `Ada,L,1990-12-15,Etc/UTC,crm-${i}\n`).join('')
    const first = await importTable(app, HEADER + rows)
    expect(first.json).toMatchObject({ read: 20_000, created: 20_000, next: 20_001 })
    const rest = await importTable(app, HEADER + rows, CSV, '?from=20001')
    expect(rest.json).toMatchObject({ read: 3, created: 3, next: null })
  })

  it('stops after 5,000 rejected rows, and says where to continue', async () => {
    const app = createTestApp()
    const table = `${HEADER}Ada,L,1990-12-15,Etc/UTC,crm-1\n${'x\n'.repeat(5_001)}`
    const first = await importTable(app, table)
    expect(first.json).toMatchObject({ read: 5_001, created: 1, rejected: 5_000, next: 5_002 })
    const rest = await importTable(app, table, CSV, '?from=5002')
    expect(rest.json).toMatchObject({ read: 1, rejected: 1, next: null })
  })

  it('does not import a row that was cut off', async () => {
    const app = createTestApp()
    const half = `${HEADER}Ada,Lovelace,1990-12-15,America/Argentina`
    const { status, json } = await importStream(app, [half], 'broken')
    expect([status, json.code]).toEqual([400, 'INCOMPLETE_BODY'])
    expect((await app.send('/user')).json.items).toEqual([])
    expect(app.errors).toEqual([])
  })

  it('rejects only the row with invalid UTF-8', async () => {
    const { app, send } = createTestApp()
    const body = Buffer.concat([
      Buffer.from(HEADER),
      Buffer.from('Andr\xe9,L,1990-12-15,Etc/UTC,crm-1\n', 'latin1'),
      Buffer.from('André,L,1990-12-15,Etc/UTC,crm-2\n'),
    ])
    const response = await app.request('/user/import', { method: 'POST', headers: CSV, body })
    const errors = [{ line: 2, field: 'firstName', code: 'NOT_UTF8' }]
    expect(await response.json()).toMatchObject({ created: 1, errors })
    expect((await send('/user')).json.items).toMatchObject([{ firstName: 'André' }])
  })
})

describe('GET /user/export', () => {
  async function withPeople() {
    const app = createTestApp()
    await app.post('/user', { ...ADA, lastName: '=cmd', email: 'ada@example.com' })
    await app.post('/user', { ...ADA, firstName: 'Zoë', externalId: 'crm-1' })
    return app
  }

  it('returns CSV that can be imported again without changes', async () => {
    const app = await withPeople()
    const { status, headers, text } = await app.send('/user/export')
    expect(status).toBe(200)
    expect(headers.get('Content-Type')).toBe('text/csv; charset=utf-8')
    expect(headers.get('Content-Disposition')).toBe('attachment; filename="people.csv"')
    expect(headers.get('Cache-Control')).toBe('no-store')
    expect(text).toMatch(
      /^id,externalId,firstName,.*\r\n[^,]+,,Ada,'=cmd,.*\r\n[^,]+,crm-1,Zoë,.*\r\n#end,,,,,,,\r\n$/,
    )
    const again = { read: 2, created: 0, unchanged: 2, different: 0 }
    expect((await importTable(app, text)).json).toMatchObject(again)
  })

  it('returns JSON lines with each user as in GET /user/:id', async () => {
    const { app, send } = await withPeople()
    const response = await app.request('/user/export?format=json')
    expect(response.headers.get('Content-Type')).toBe('application/x-ndjson')
    const lines = (await response.text()).trimEnd().split('\n')
    const listed: { id: string }[] = (await send('/user')).json.items
    const people = await Promise.all(listed.map(async ({ id }) => (await send(`/user/${id}`)).json))
    expect(lines.map((line) => JSON.parse(line))).toEqual([...people, { end: true }])
  })

  it.each(['csv', 'json'])('returns pages whose join is the whole export (%s)', async (format) => {
    const { app, send, store } = createTestApp()
    await store.createUsers(makePeople(1_203))
    const whole = await (await app.request(`/user/export?format=${format}`)).text()
    const pages: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const after = cursor === '' ? '' : `&cursor=${cursor}`
      const response = await app.request(`/user/export?format=${format}&limit=600${after}`)
      pages.push(await response.text())
      cursor = response.headers.get('Terce-Next-Cursor')
    }
    expect(pages).toHaveLength(3)
    expect(pages.join('')).toBe(whole)
    for (const query of ['limit=0', 'limit=10001', 'cursor=x', 'format=xml'])
      expect((await send(`/user/export?${query}`)).json.code).toBe('INVALID_QUERY')
  })

  it('returns a page unless asked otherwise where functions are started on demand', async () => {
    const { app, store } = createTestApp({ onDemand: true })
    await store.createUsers(makePeople(10_001))
    const first = await app.request('/user/export')
    expect((await first.text()).trimEnd().split('\r\n')).toHaveLength(1 + 10_000)
    const rest = await app.request(`/user/export?cursor=${first.headers.get('Terce-Next-Cursor')}`)
    expect((await rest.text()).trimEnd().split('\r\n')).toHaveLength(1 + 1)
    expect(rest.headers.has('Terce-Next-Cursor')).toBe(false)
  })

  it('aborts the response when the database fails, so that a partial export is not mistaken for a complete one', async () => {
    const { app, store } = createTestApp()
    await store.createUsers(makePeople(2_000))
    const reader = (await app.request('/user/export')).body!.getReader()
    await reader.read()
    await store.close()
    const rest = async () => {
      while (!(await reader.read()).done);
    }
    await expect(rest()).rejects.toThrow()
  })

  it('returns a problem when the database fails before the first row', async () => {
    const { send, store, errors } = createTestApp()
    await store.close()
    const { status, json } = await send('/user/export?format=json')
    expect([status, json.code]).toEqual([500, 'INTERNAL'])
    expect(errors).toHaveLength(1)
  })
})
