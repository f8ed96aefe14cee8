// The output of a process contains no personal data, from creation to deletion and when the database breaks.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { linesSaying, startTerce } from '../../stores/postgres/support/processes.ts'
import { seedDuePeople } from '../support/due-people.ts'
import { startSink } from '../support/sink.ts'

const PEOPLE = [
  { firstName: 'Zoë-Mae "Quux"', lastName: "O'Brien; DROP TABLE users", email: 'zoe@quux.example' },
  { firstName: '李小龍', lastName: '%s {{firstName}} \\u0041', email: 'bruce+lee@dragon.example' },
  { firstName: 'constructor', lastName: '__proto__', email: null },
]
const [ZOE, BRUCE] = PEOPLE as [(typeof PEOPLE)[0], (typeof PEOPLE)[0]]
/** Personal data, text from the receiver, and secrets: none may be in the output. */
const PRIVATE =
  /Zo(ë|\\u00eb)|Quux|Brien|DROP TABLE|小龍|dragon|bruce|198[78]-|constructor|__proto__|Hey,|your birthday|overheard|sekret/i

let folder: string
const cleanups: (() => Promise<unknown>)[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'terce-privacy-'))
})
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  rmSync(folder, { recursive: true })
})

async function until(look: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await look())) await new Promise((resolve) => setTimeout(resolve, 20))
}

describe('the output of a process', () => {
  it('contains no personal data through deliveries, failures, changes and a broken database', async () => {
    const file = join(folder, 'terce.db')
    const [zoe, bruce] = await seedDuePeople(
      file,
      PEOPLE.map(({ email, ...names }) => (email === null ? names : { ...names, email })),
    )
    const tries = new Map<string, number>()
    const receiver = await startSink((response, { body, key }) => {
      tries.set(key, (tries.get(key) ?? 0) + 1)
      // One event is delivered at the second attempt, one never, and each response echoes the request.
      const gone = body.includes('小龍')
      response.statusCode = gone ? 404 : tries.get(key) === 1 ? 500 : 200
      response.statusMessage = 'overheard'
      response.end(`overheard ${body}`)
    })
    cleanups.push(() => receiver.close())
    const terce = await startTerce('all', {
      DATABASE_URL: `sqlite:${file}`,
      WEBHOOK_URL: `${receiver.url}?token=sekret`,
      RETRY: '50ms,50ms,50ms',
      LOG_LEVEL: 'trace',
    })
    cleanups.push(() => terce.end('SIGKILL'))
    const call = async (method: string, path: string, body?: unknown) => {
      const response = await fetch(`${terce.url}${path}`, {
        method,
        headers: { 'content-type': 'application/json', authorization: 'Bearer sekret' },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await response.text()
      return { status: response.status, json: text.startsWith('{') ? JSON.parse(text) : null }
    }
    const statusOf = async (id: string) => (await call('GET', `/event/${id}`)).json.status
    await until(async () => (await statusOf(zoe!.eventId)) === 'COMPLETED')
    await until(async () => (await statusOf(bruce!.eventId)) === 'FAILED')

    const person = { ...ZOE, dateOfBirth: '1987-02-29', timezone: 'Europe/Rome' }
    expect((await call('POST', '/user', person)).status, 'no such day').toBe(400)
    expect((await call('POST', '/user', { ...person, dateOfBirth: '1987-02-28' })).status).toBe(201)
    for (const bad of ['{"firstName": "Zoë', '[]', { Quux: 1 }, { ...person, timezone: 'Quux/Brien' }]) {
      expect((await call('POST', '/user', bad)).status).toBe(400)
    }
    expect((await call('GET', `/user?search=${encodeURIComponent(BRUCE.firstName)}`)).status).toBe(200)
    expect((await call('GET', '/user/Quux?email=zoe@quux.example')).status).toBe(404)
    expect((await call('GET', '/Quux/Brien')).status).toBe(404)
    expect((await call('PUT', `/user/${zoe!.userId}`, { ...BRUCE, timezone: 'Asia/Jakarta' })).status).toBe(
      200,
    )
    expect((await call('POST', `/event/${bruce!.eventId}/replay`)).status).toBe(201)
    await until(() => linesSaying(terce, 'no more retries').length === 2)
    expect((await call('GET', `/event/${bruce!.eventId}/explain`)).status).toBe(200)
    expect((await call('DELETE', `/user/${bruce!.userId}`)).status).toBe(204)

    // Break the database.
    const db = new DatabaseSync(file)
    db.exec(
      'PRAGMA busy_timeout = 5000; ALTER TABLE users RENAME TO gone; UPDATE events SET wake_at = 0 WHERE wake_at IS NOT NULL',
    )
    db.close()
    const broken = { ...person, dateOfBirth: '1987-02-28' }
    expect((await call('POST', '/user', broken)).status).toBe(500)
    expect((await call('GET', `/user?search=${encodeURIComponent(BRUCE.firstName)}`)).status).toBe(500)
    await until(() => linesSaying(terce, 'A request failed').length >= 2)
    // The release wakes the worker, whose claim reads the person.
    for (const change of ['hold', 'release']) await call('POST', `/channel/${change}`, {})
    await until(() => linesSaying(terce, 'retrying in').length >= 1)
    await terce.end('SIGTERM')

    const output = terce.output()
    for (const words of [
      'Delivery succeeded',
      'will be retried',
      'no more retries',
      'Events rescheduled',
      'Events settled',
    ]) {
      expect(output, 'it did log').toContain(words)
    }
    const lines = output.split('\n')
    expect(lines.filter((line) => PRIVATE.test(line))).toEqual([])
    // Types are counted, but not named beside a person: the type and the time of a line would say when the birthday is.
    expect(lines.filter((line) => /BIRTHDAY/.test(line) && /userId|eventId/.test(line))).toEqual([])
  })
})
