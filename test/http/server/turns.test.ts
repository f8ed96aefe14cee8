// Turns: costly calls and imports of one key run one at a time, and leave the main thread to other work.
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { ADMIN, bearer, ENVIRONMENT_KEY } from '../support/test-access.ts'
import { ADA, createKeyedApp } from '../support/test-app.ts'

const OCCASION = {
  type: 'STANDUP',
  date: '2026-01-05',
  repeats: 'FREQ=WEEKLY',
  template: 'Hi {{ firstName }}',
}

/** An app whose timers fire when the test says so. Each reading of the CPU time is a millisecond later. */
async function begin(perMinute: { perMinute?: number } = { perMinute: 6_000 }) {
  let cpu = 0
  const pauses: { ms: number; end: () => void }[] = []
  const after = (ms: number, end: () => void) => {
    pauses.push({ ms, end })
    return { cancel() {} }
  }
  const app = createKeyedApp({ ...perMinute, timers: { cpuMs: () => ++cpu, after } })
  const { json } = await app.post('/key', { name: 'other', scope: 'write' }, ADMIN)
  const { user } = (await app.post('/user', { ...ADA, timezone: 'UTC' }, ADMIN)).json
  const statuses: number[] = []
  const call = (method: string, path: string, body: object, key = ENVIRONMENT_KEY) =>
    app
      .send(path.replace(':id', user.id), { method, body, headers: bearer(key) })
      .then(({ status }) => statuses.push(status))
  const settle = async () => {
    for (let turn = 0; turn < 50; turn++) await setImmediate()
    return statuses.length
  }
  return { app, call, settle, statuses, pauses, otherKey: json.key, cpu: () => cpu }
}

describe('costly calls of one key', () => {
  it.each([
    ['POST', '/template/preview', { body: 'Hi {{ firstName }}' }],
    ['PUT', '/template/BIRTHDAY', { body: 'Hi {{ firstName }}' }],
    ['POST', '/occasion/preview', { ...OCCASION, timezone: 'UTC' }],
    ['POST', '/user/:id/occasion', OCCASION],
  ])('run one at a time: %s %s', async (method, path, body) => {
    const { call, settle, pauses } = await begin()
    const calls = [1, 2, 3].map(() => call(method, path, body))
    expect(await settle()).toBe(1)
    pauses.shift()!.end()
    expect(await settle()).toBe(2)
    pauses.shift()!.end()
    await Promise.all(calls)
  })

  it('pause for at least twice the CPU time they took', async () => {
    const { call, settle, pauses, cpu } = await begin()
    const startedMs = cpu()
    void call('POST', '/template/preview', { body: 'Hi {{ age | plus: 1 }}' })
    await settle()
    expect(pauses[0]!.ms).toBeGreaterThanOrEqual(2 * (cpu() - startedMs))
  })

  it('do not delay those of another key, nor calls that are not costly', async () => {
    const { call, settle, otherKey } = await begin()
    for (let i = 0; i < 3; i++) void call('POST', '/template/preview', { body: 'Hi' })
    expect(await settle()).toBe(1)
    await call('POST', '/template/preview', { body: 'Hi' }, otherKey)
    await call('POST', '/user/:id/occasion', { ...OCCASION, template: null })
  })

  it('run at once where callers have no rate limit', async () => {
    const { call } = await begin({})
    await Promise.all([1, 2, 3].map(() => call('POST', '/template/preview', { body: 'Hi' })))
  })

  it('are rejected while 20 wait', async () => {
    const { call, settle, statuses, pauses } = await begin()
    const calls = Array.from({ length: 23 }, () => call('POST', '/template/preview', { body: 'Hi' }))
    await settle()
    expect(statuses.toSorted()).toEqual([200, 429, 429])
    while (statuses.length < calls.length) {
      pauses.shift()!.end()
      await settle()
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(21)
  })
})

describe('imports of one key', () => {
  const TABLE = `firstName,lastName,dateOfBirth,timezone\n${'Ada,L,1990-12-15,Etc/UTC\n'.repeat(30)}`

  async function beginImports() {
    const { app, settle, pauses, otherKey } = await begin()
    const start = (key = ENVIRONMENT_KEY, signal?: AbortSignal) => {
      const headers = { ...bearer(key), 'Content-Type': 'text/csv' }
      const init = { method: 'POST', headers, body: TABLE, ...(signal && { signal }) }
      return Promise.resolve(app.app.request('/user/import?dryRun=true', init))
    }
    const finish = async (response: Promise<Response>) => {
      let status: number | null = null
      void response.then((one) => {
        status = one.status
      })
      for (await settle(); status === null; await settle())
        for (const { end } of pauses.splice(0).filter(({ ms }) => ms === 0)) end()
      return (await response).json()
    }
    return { start, finish, settle, pauses, otherKey }
  }

  it('run one at a time, beside those of another key', async () => {
    const { start, finish, settle, pauses, otherKey } = await beginImports()
    const first = start()
    await settle()
    const second = start()
    await settle()
    pauses.find(({ ms }) => ms === 5_000)!.end()
    expect((await second).status).toBe(429)
    expect(await finish(start(otherKey))).toMatchObject({ read: 30 })
    expect(await finish(first)).toMatchObject({ read: 30 })
    expect(await finish(start())).toMatchObject({ read: 30 })
  })

  it('let other work run every two milliseconds of CPU time', async () => {
    const { start, settle, pauses } = await beginImports()
    void start()
    await settle()
    expect(pauses).toMatchObject([{ ms: 0 }])
  })

  it('end when the caller closes the connection', async () => {
    const { start, finish, settle, pauses } = await beginImports()
    const leaving = new AbortController()
    const left = start(ENVIRONMENT_KEY, leaving.signal)
    await settle()
    leaving.abort()
    const next = start()
    pauses.shift()!.end()
    expect((await left).status).toBe(400)
    expect(await finish(next)).toMatchObject({ read: 30 })
  })
})
