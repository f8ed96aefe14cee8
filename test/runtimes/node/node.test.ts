import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createPeople, preparePerson } from '../../../src/app/users/create.ts'
import { createIds } from '../../../src/domain/events/uuid.ts'
import { tzdb } from '../../../src/domain/time/tzdb.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { clockAt } from '../../support/fixtures.ts'
import { type Sink, startSink } from '../support/sink.ts'
import { runTerce, startTerce, type TerceProcess } from '../support/terce-process.ts'

let folder: string
let database: string
const cleanups: (() => Promise<unknown>)[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'terce-'))
  database = `sqlite:${join(folder, 'terce.db')}`
})

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  rmSync(folder, { recursive: true })
})

async function terce(env: Record<string, string>): Promise<TerceProcess> {
  const running = await startTerce({ DATABASE_URL: database, ...env })
  cleanups.push(() => running.kill('SIGKILL'))
  return running
}

async function sink(answer?: Parameters<typeof startSink>[0]): Promise<Sink> {
  const started = await startSink(answer)
  cleanups.push(() => started.close())
  return started
}

/** Puts a person into the database whose message fell due a minute ago. */
async function seedDuePerson() {
  const dueAt = Math.floor(Date.now() / 1000 - 60) * 1000
  const iso = new Date(dueAt).toISOString()
  const store = openSqliteStore(database.slice('sqlite:'.length))
  const clock = clockAt(dueAt - 1000)
  const planner = { ids: createIds(Math.random), table: tzdb }
  const deps = { store, planner, clock, telemetry() {}, deliverAt: iso.slice(11, 19), onPlanned() {} }
  const dateOfBirth = `1992-${iso.slice(5, 10)}`
  const person = preparePerson(deps, { firstName: 'Ada', lastName: 'Lovelace', dateOfBirth, timezone: 'UTC' })
  if (!person.ok) throw new Error('the seeded person is not valid')
  await createPeople(deps, [person.value])
  await store.close()
  return { userId: person.value.user.id, eventId: person.value.events[0]!.id, dueAt }
}

/** Starts Terce with a DELIVER_AT that is soon, but late enough to create a person before. */
async function createPersonDueSoon(env: Record<string, string>) {
  for (let leadMs = 2_000; ; leadMs *= 2) {
    const dueAt = Math.ceil((Date.now() + leadMs) / 1000) * 1000
    const iso = new Date(dueAt).toISOString()
    const running = await terce({ ...env, DELIVER_AT: iso.slice(11, 19) })
    const created = await createAda(running.url, `1992-${iso.slice(5, 10)}`)
    if (Date.parse(created.nextBirthdayEvent.targetTimestampUTC) === dueAt)
      return { ...running, ...created, dueAt }
    await running.kill('SIGKILL')
  }
}

async function createAda(url: string, dateOfBirth: string, more: object = {}) {
  const response = await fetch(`${url}/user`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ firstName: 'Ada', lastName: 'Lovelace', dateOfBirth, timezone: 'UTC', ...more }),
  })
  expect(response.status).toBe(201)
  return (await response.json()) as {
    user: { id: string }
    nextBirthdayEvent: { id: string; idempotencyKey: string; targetTimestampUTC: string }
  }
}

async function getEvent(url: string, id: string) {
  const response = await fetch(`${url}/event/${id}`)
  return (await response.json()) as Record<string, unknown> & { attempts: Record<string, unknown>[] }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
}

async function eventually<T>(look: () => Promise<T>, until: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await look()
    if (until(value)) return value
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

describe('terce in one process', () => {
  it('sends a message that is due when a change of the default channel was acknowledged to that channel', async () => {
    const sinks = [await sink(), await sink()]
    const { url } = await terce({ DELIVER_AT: '00:00' })
    const call = async (method: string, path: string, body: object) => {
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) })
      return (await response.json()) as { channel: { id: string } }
    }
    const ids: string[] = []
    for (const [i, { url: to }] of sinks.entries())
      ids.push((await call('POST', '/channel', { kind: 'webhook', name: `${i}`, url: to })).channel.id)
    const dateOfBirth = `1992-${new Date().toISOString().slice(5, 10)}`
    for (let turn = 0; turn < 6; turn++) {
      await call('PUT', `/channel/${ids[turn % 2]}`, { isDefault: true })
      const { user } = await createAda(url, dateOfBirth, { sendTodayNow: true })
      await sinks[turn % 2]!.waitFor(Math.floor(turn / 2) + 1)
      expect(JSON.parse(sinks[turn % 2]!.arrivals.at(-1)!.body).userId).toBe(user.id)
    }
  })

  it('rejects a request with two Host headers', async () => {
    const { port } = new URL((await terce({})).url)
    const statusOf = async (hosts: string) => {
      const socket = connect(Number(port), '127.0.0.1')
      socket.write(`GET /healthz HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`)
      let text = ''
      for await (const data of socket) text += data
      return text.split(' ')[1]
    }
    expect(await statusOf(`Host: localhost:${port}\r\n`)).toBe('200')
    expect(await statusOf(`Host: localhost:${port}\r\nhost: other.example\r\n`)).toBe('400')
  })

  it('sends a birthday message at the instant, not before, and plans next year', async () => {
    const receiver = await sink()
    const { url, user, nextBirthdayEvent, dueAt } = await createPersonDueSoon({ WEBHOOK_URL: receiver.url })
    await receiver.waitFor(1)

    const [arrival] = receiver.arrivals
    expect(arrival!.at).toBeGreaterThanOrEqual(dueAt)
    expect(arrival!.key).toBe(nextBirthdayEvent.idempotencyKey)
    expect(JSON.parse(arrival!.body)).toMatchObject({
      eventId: nextBirthdayEvent.id,
      type: 'BIRTHDAY',
      message: "Hey, Ada Lovelace it's your birthday",
    })
    const event = await eventually(
      () => getEvent(url, nextBirthdayEvent.id),
      ({ status }) => status === 'COMPLETED',
    )
    expect(event.attempts).toMatchObject([{ number: 1, outcome: 'DELIVERED', statusCode: 200 }])
    const { items } = (await (await fetch(`${url}/user/${user.id}/event`)).json()) as {
      items: { status: string }[]
    }
    expect(items.map(({ status }) => status)).toEqual(['COMPLETED', 'PENDING'])
  })

  it('sends the same key and the same bytes again after kill -9 between send and settle', async () => {
    const { userId, eventId } = await seedDuePerson()
    const silent = await sink(() => {})
    const first = await terce({ WEBHOOK_URL: silent.url, LEASE_MS: '1000' })
    await silent.waitFor(1)
    await first.kill('SIGKILL')

    const receiver = await sink()
    const second = await terce({ WEBHOOK_URL: receiver.url })
    await fetch(`${second.url}/user/${userId}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ firstName: 'Augusta' }),
    })
    await receiver.waitFor(1)
    expect(receiver.arrivals[0]).toMatchObject({
      key: silent.arrivals[0]!.key,
      body: silent.arrivals[0]!.body,
    })
    const event = await eventually(
      () => getEvent(second.url, eventId),
      ({ status }) => status === 'COMPLETED',
    )
    expect(event.version).toBe(4)
    expect(receiver.arrivals).toHaveLength(1)
  })

  it('delivers to the built-in inbox without WEBHOOK_URL, and retries while the inbox is failing', async () => {
    const running = await createPersonDueSoon({ RETRY: Array(60).fill('200ms').join(',') })
    const behave = (mode: string) =>
      fetch(`${running.url}/inbox/mode`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ mode }),
      })
    type Inbox = { rejected: number; items: { message: string; timesReceived: number }[] }
    const inbox = async () => (await (await fetch(`${running.url}/inbox`)).json()) as Inbox
    await behave('reject')
    await eventually(inbox, ({ rejected }) => rejected >= 1)
    await behave('accept')
    const { items } = await eventually(inbox, (now) => now.items.length > 0)
    expect(items).toMatchObject([{ message: "Hey, Ada Lovelace it's your birthday", timesReceived: 1 }])
  })

  it('finishes deliveries in flight on SIGTERM and exits with 0', async () => {
    const { eventId } = await seedDuePerson()
    const answers: (() => void)[] = []
    const receiver = await sink((response) => answers.push(() => response.end('ok')))
    const running = await terce({ WEBHOOK_URL: receiver.url })
    await receiver.waitFor(1)
    const exited = running.kill('SIGTERM')
    answers[0]!()
    expect(await exited).toBe(0)

    const again = await terce({ WEBHOOK_URL: receiver.url })
    expect(await getEvent(again.url, eventId)).toMatchObject({ status: 'COMPLETED' })
    expect(receiver.arrivals).toHaveLength(1)
  })

  it('stops when the npm that started it stops', async () => {
    const port = await freePort()
    const env = { ...process.env, PORT: String(port), DATABASE_URL: database }
    const npm = spawn('npm', ['start'], { cwd: new URL('../../..', import.meta.url), env, stdio: 'ignore' })
    const exited = once(npm, 'exit')
    const healthy = () =>
      fetch(`http://127.0.0.1:${port}/healthz`).then(
        () => true,
        () => false,
      )
    await eventually(healthy, (up) => up)
    npm.kill('SIGTERM')
    await exited
    await eventually(healthy, (up) => !up)
  })

  it('reports overdue events after it was down, and delivers them', async () => {
    const { dueAt } = await seedDuePerson()
    const receiver = await sink()
    const running = await terce({ WEBHOOK_URL: receiver.url })
    await receiver.waitFor(1)
    const at = new Date(dueAt).toISOString()
    const report = `"count":1,"oldestEventTimestamp":"${at}","newestEventTimestamp":"${at}","msg":"Missed events found"`
    expect(running.output()).toContain(report)
    expect(JSON.parse(receiver.arrivals[0]!.body).lateBySeconds).toBeGreaterThanOrEqual(60)
  })
})

describe('terce at its start', () => {
  it('names every invalid setting in one line each, and exits with 2', async () => {
    const { code, output } = await runTerce({
      PORT: 'http',
      DELIVER_AT: '9am',
      RETRY: 'often',
      DATABASE_URL: database,
    })
    expect(code).toBe(2)
    expect(output.trim().split('\n')).toEqual([
      'terce: PORT=http is not usable. Give a port number from 0 to 65535.',
      'terce: DELIVER_AT=9am is not usable. Give a time of day as HH:MM, such as 09:00.',
      'terce: RETRY=often is not usable. Give quick, standard, none, or the waits, such as 1s,2s,4s or 18x10s.',
    ])
  })

  it('reports a port that is in use', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    const { port } = taken.address() as AddressInfo
    const { code, output } = await runTerce({ PORT: String(port), DATABASE_URL: database })
    taken.close()
    expect(code).toBe(1)
    expect(output).toContain(`Port ${port} is in use. Set PORT to a free port.`)
  })

  it('does not listen on the network without an API key, and starts with one', async () => {
    const open = { HOST: '0.0.0.0', DATABASE_URL: database }
    const rejected = await runTerce(open)
    expect(rejected.code).toBe(2)
    expect(rejected.output).toMatch(
      /HOST=0\.0\.0\.0 would let anybody .* in: there is no API key\. Create one/,
    )
    const made = await runTerce({ DATABASE_URL: database }, [
      'keys',
      'create',
      '--name',
      'ci',
      '--scope',
      'read',
      '--json',
    ])
    const { key } = JSON.parse(made.output.split('\n')[0]!) as { key: string }
    const terce = await startTerce(open)
    const url = terce.url.replace('0.0.0.0', '127.0.0.1')
    const statuses = [{}, { Authorization: `Bearer ${key}` }].map(
      async (headers: Record<string, string>) => (await fetch(`${url}/user`, { headers })).status,
    )
    expect(await Promise.all(statuses)).toEqual([401, 200])
    expect(terce.output()).not.toContain(key)
    expect(terce.output()).toContain('access     with an API key')
    await terce.kill('SIGTERM')
  })

  it('rejects requests to a network address after the last key was revoked, also for localhost', async () => {
    const env = { DATABASE_URL: database }
    const made = await runTerce(env, ['keys', 'create', '--name', 'ci', '--scope', 'admin', '--json'])
    await runTerce(env, ['keys', 'revoke', JSON.parse(made.output).id])
    const { url } = await terce({ HOST: '0.0.0.0' })
    expect((await fetch(`${url.replace('0.0.0.0', 'localhost')}/user`)).status).toBe(401)
  })

  it('prints the default access and delivery target, without the token of the inbox', async () => {
    const { url, output } = await terce({})
    expect(output()).toContain('access     this machine only (no API key yet: terce keys create)')
    expect(output()).toContain(`delivery   to the built-in inbox, ${url}/inbox (set WEBHOOK_URL to change)`)
    expect(output()).not.toContain('token=')
  })

  it('prints its usage with --help', async () => {
    const { code, output } = await runTerce({}, ['--help'])
    expect(code).toBe(0)
    expect(output).toMatch(/Usage: terce/)
  })
})
