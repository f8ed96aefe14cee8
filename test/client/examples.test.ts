// Runs the examples unchanged, in a project that has Terce installed.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { Miniflare } from 'miniflare'
import { describe, expect, it } from 'vitest'
import { createTestApp } from '../http/support/test-app.ts'
import { OTHER_SECRET, SECRET, signed } from '../receiver/support/signed.ts'
import { useProject } from './support/project.ts'
import { useServer } from './support/serve.ts'

const project = useProject()
const start = useServer()

const MESSAGE = { eventId: 'e1', userId: 'u1', message: 'Hey, Ada' }
const fresh = (secrets = [SECRET]) => signed({ body: JSON.stringify(MESSAGE), at: Date.now(), secrets })

describe('examples/node', () => {
  it('creates, skips and changes people, and reports the invalid row', async () => {
    project.copy('node')
    const terce = createTestApp()
    const env = { TERCE_URL: await start(terce.app) }
    const first = await project.run('sync-people.ts', env)
    expect([first.code, first.stdout]).toEqual([
      0,
      'crm-1: created, first greeted at 2026-12-15T09:00:00+00:00\n' +
        'crm-2: created, first greeted at 2027-04-21T09:00:00+07:00\n',
    ])
    const people = JSON.parse(readFileSync(join(project.path, 'people.json'), 'utf8'))
    people[0].timezone = 'America/Vancouver'
    people.push({ ...people[1], externalId: 'crm-3', timezone: 'Jakarta' })
    writeFileSync(join(project.path, 'people.json'), JSON.stringify(people))
    const second = await project.run('sync-people.ts', env)
    expect([second.code, second.stdout]).toEqual([1, 'crm-1: changed, 1 moved\ncrm-2: unchanged\n'])
    expect(second.stderr).toMatch(/^crm-3: INVALID_INPUT: .*\ntimezone: Unknown timezone "Jakarta"/)
    await terce.store.close()
  })
})

describe('examples/python', () => {
  it('creates a person, moves their birthday to another hour, and prints what the API rejects', async ({
    skip,
  }) => {
    skip(spawnSync('python3', ['--version']).error !== undefined, 'python3 is not installed')
    const terce = createTestApp()
    const program = fileURLToPath(new URL('../../examples/python/terce.py', import.meta.url))
    const TERCE_URL = await start(terce.app)
    const run = async (...args: string[]) => {
      const child = spawn('python3', [program, ...args], { env: { ...process.env, TERCE_URL } })
      const printed = Promise.all([text(child.stdout), text(child.stderr)])
      const [code] = await once(child, 'exit')
      return [code, ...(await printed)]
    }
    const ada = ['crm/42', 'Ada', 'Lovelace', '1990-12-15']
    const moved = [0, '2026-12-15T08:15:00+00:00\n', '']
    expect(await run(...ada, 'Europe/London', '08:15')).toEqual(moved)
    expect(await run(...ada, 'Europe/London', '08:15')).toEqual(moved)
    const rejected = await run(...ada, 'Jakarta', '08:15')
    expect(rejected).toEqual([
      1,
      '',
      expect.stringMatching(/^INVALID_INPUT\ntimezone: Unknown timezone "Jakarta"/),
    ])
    await terce.store.close()
  })
})

describe('examples/outbox', () => {
  it('sends each user until Terce has them once, also if requests and responses are lost', async () => {
    project.copy('outbox')
    const terce = createTestApp()
    const { code, stdout, stderr } = await project.run(
      `
      import { DatabaseSync } from 'node:sqlite'
      import { createClient } from 'terce/client'
      import { SCHEMA, saveUser, sendOutbox } from './outbox.ts'
      const db = new DatabaseSync(':memory:')
      db.exec(SCHEMA)
      let calls = 0
      const client = createClient({
        url: process.env.TERCE_URL!,
        async fetch(url, init) {
          calls += 1
          if (calls === 1) throw new TypeError('connection refused')
          if (calls === 2) return new Response('Bad gateway', { status: 502 })
          const response = await fetch(url, init)
          if (calls === 3) throw new TypeError('the connection broke before the response')
          return response
        },
      })
      const ada = { firstName: 'Ada', lastName: 'Lovelace', dateOfBirth: '1990-12-15', timezone: 'UTC' }
      const left: number[] = []
      const rounds = async (count: number) => {
        for (let round = 0; round < count; round++) left.push(await sendOutbox(db, client))
      }
      saveUser(db, 'u/1', ada)
      await rounds(5)
      saveUser(db, 'u/1', { ...ada, timezone: 'Asia/Jakarta' })
      saveUser(db, 'u/2', { ...ada, timezone: 'Jakarta' })
      let rejected = null
      try { saveUser(db, 'u/3', { ...ada, lastName: null as never }) } catch { rejected = 'NOT NULL' }
      await rounds(2)
      const rows = db.prepare('SELECT user_id, problem IS NOT NULL AS problem FROM outbox').all()
      saveUser(db, 'u/2', ada)
      await rounds(1)
      console.log(JSON.stringify({ left, calls, rejected, rows, rest: db.prepare('SELECT * FROM outbox').all() }))
      `,
      { TERCE_URL: await start(terce.app) },
    )
    expect([code, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toEqual({
      left: [1, 1, 1, 0, 0, 0, 0, 0],
      calls: 7,
      rejected: 'NOT NULL',
      rows: [{ user_id: 'u/2', problem: 1 }],
      rest: [],
    })
    expect((await terce.send('/user')).json.items).toMatchObject([
      { externalId: 'u/1', timezone: 'Asia/Jakarta', version: 2 },
      { externalId: 'u/2', version: 1 },
    ])
    await terce.store.close()
  })

  it('runs as it is', async () => {
    project.copy('outbox')
    const terce = createTestApp()
    const { stdout } = await project.run('main.ts', { TERCE_URL: await start(terce.app) })
    expect(stdout).toBe('The outbox is empty.\n')
    expect((await terce.send('/user')).json.items).toMatchObject([{ externalId: 'user-1' }])
    await terce.store.close()
  })
})

describe('examples/next', () => {
  it('creates one person per form submission and stores each delivery once', async () => {
    project.copy('next')
    const terce = createTestApp()
    const env = { TERCE_URL: await start(terce.app), WEBHOOK_SECRET: SECRET, GREETINGS_DB: 'greetings.db' }
    const { code, stdout, stderr } = await project.run(
      `
      import { DatabaseSync } from 'node:sqlite'
      import { POST as hook } from './app/api/hook/route.ts'
      import { POST as form } from './app/api/person/route.ts'
      const post = (body: string, headers: Record<string, string>) =>
        new Request('http://localhost/', { method: 'POST', headers, body })
      const ada = { firstName: 'Ada', lastName: 'Lovelace', dateOfBirth: '1990-12-15', timezone: 'UTC' }
      const send = (person: object) => form(post(JSON.stringify(person), { 'idempotency-key': 'form-1' }))
      const [one, two] = [await (await send(ada)).json(), await (await send(ada)).json()]
      const wrong = await form(post(JSON.stringify({ ...ada, timezone: 'PST' }), {}))
      const deliveries = ${JSON.stringify([fresh(), fresh(), fresh([OTHER_SECRET])])}
      const statuses: number[] = []
      for (const { headers, body } of deliveries) statuses.push((await hook(post(body, headers))).status)
      const kept = new DatabaseSync('greetings.db').prepare('SELECT user_id, text FROM greeting').all()
      console.log(JSON.stringify({ same: one.id === two.id, greetedAt: one.greetedAt, wrong: await wrong.json(), statuses, kept }))
      `,
      env,
    )
    expect([code, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toEqual({
      same: true,
      greetedAt: '2026-12-15T09:00:00+00:00',
      wrong: { code: 'INVALID_INPUT', problems: [expect.objectContaining({ code: 'UNKNOWN_TIMEZONE' })] },
      statuses: [204, 204, 401],
      kept: [{ user_id: 'u1', text: 'Hey, Ada' }],
    })
    await terce.store.close()
  })
})

describe('examples/worker', () => {
  it('stores a repeated message once in D1 and rejects an unsigned message', async () => {
    const file = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
    const bundle = await build({
      entryPoints: [file('examples/worker/receiver.ts')],
      alias: { 'terce/receiver': file('src/receiver/receiver.ts') },
      bundle: true,
      format: 'esm',
      write: false,
    })
    const miniflare = new Miniflare({
      modules: true,
      cf: false,
      script: bundle.outputFiles[0]!.text,
      compatibilityDate: '2026-04-01',
      d1Databases: { DB: 'greetings' },
      bindings: { WEBHOOK_SECRET: SECRET },
    })
    try {
      const db = await miniflare.getD1Database('DB')
      await db.exec(readFileSync(file('examples/worker/schema.sql'), 'utf8').trim())
      const statuses: number[] = []
      for (const delivery of [fresh(), fresh(), fresh([OTHER_SECRET])]) {
        const { status } = await miniflare.dispatchFetch('http://localhost/', { method: 'POST', ...delivery })
        statuses.push(status)
      }
      expect(statuses).toEqual([204, 204, 401])
      expect((await db.prepare('SELECT user_id, text FROM greeting').all()).results).toEqual([
        { user_id: 'u1', text: 'Hey, Ada' },
      ])
    } finally {
      await miniflare.dispose()
    }
  })
})
