// Attempts of one cheap client to stop a server that has the memory of the container files: 512 MiB, of which Node takes a heap of 271 MB.
// The main thread must stay free: the measure is the CPU time that it uses in one turn of the event loop, which the load of the machine
// does not change.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTerce, type TerceProcess } from '../support/terce-process.ts'

const MEBIBYTE = 1024 * 1024
const PEOPLE = 8_000
const keyOf = (scope: string) => `${scope}-key-of-thirty-two-characters`
const bearer = (scope: string) => ({ Authorization: `Bearer ${keyOf(scope)}` })

let folder: string
let terce: TerceProcess

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'terce-denial-'))
  const keys = ['read', 'write', 'admin'].map((scope) => `${scope}:${scope}:${keyOf(scope)}`)
  terce = await startTerce(
    { DATABASE_URL: `sqlite:${join(folder, 'terce.db')}`, TERCE_API_KEYS: keys.join() },
    [],
    ['--max-old-space-size=271', '--import', METER],
  )
  expect(await importRows(PEOPLE, '').then((response) => response.json())).toMatchObject({ created: PEOPLE })
})

afterAll(async () => {
  await terce.kill('SIGKILL')
  rmSync(folder, { recursive: true })
})

const read = async (path: string) => (await fetch(terce.url + path, { headers: bearer('read') })).text()

function importRows(rows: number, query: string, init: RequestInit = {}): Promise<Response> {
  const lines = Array.from({ length: rows }, (_, i) => `Ada ${i},Lovelace,1990-12-15,UTC`)
  const body = `firstName,lastName,dateOfBirth,timezone\n${lines.join('\n')}\n`
  const headers = { ...bearer('write'), 'Content-Type': 'text/csv' }
  return fetch(`${terce.url}/user/import${query}`, { method: 'POST', headers, body, ...init })
}

/** Connections that send the same text, and read nothing. */
async function flood(connections: number, text: string, ms: number): Promise<void> {
  const { port } = new URL(terce.url)
  const sockets = Array.from({ length: connections }, (): Socket => {
    const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
    socket.pause().write(text)
    return socket
  })
  await setTimeout(ms)
  for (const socket of sockets) socket.destroy()
}

/** The largest memory of the process so far. */
function peakBytes(): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${terce.pid}/status`, 'utf8'))![1]) * 1024
}

/** Loaded before Terce: a signal prints the most CPU time of the main thread between two runs of a timer. */
const METER = `data:text/javascript,${encodeURIComponent(`
  let most = 0
  let last = process.threadCpuUsage()
  setInterval(() => {
    const { user, system } = process.threadCpuUsage()
    most = Math.max(most, user + system - last.user - last.system)
    last = { user, system }
  }, 1).unref()
  process.on('SIGUSR2', () => {
    console.error('longest turn: ' + most + ' us')
    most = 0
  })`)}`

/** The most CPU time of a turn since the last call. */
async function longestTurnMs(): Promise<number> {
  const { length } = terce.output()
  process.kill(terce.pid, 'SIGUSR2')
  const printed = () => /longest turn: (\d+) us/.exec(terce.output().slice(length))?.[1]
  await expect.poll(printed).toBeDefined()
  return Number(printed()) / 1_000
}

const times = <T>(count: number, work: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, i) => work(i)))

/** A body of 60,000 chunks that does not end. */
const chunked = (path: string, key = '') =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\n${key}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(60_000)}`

it.each<[name: string, attack: () => Promise<unknown>, cpuMs: number]>([
  ['bodies of one-byte chunks without a key', () => flood(20, chunked('/session'), 2_000), 150],
  [
    'bodies of one-byte chunks with a key',
    () => flood(20, chunked('/user', `X-Api-Key: ${keyOf('write')}\r\n`), 2_000),
    150,
  ],
  [
    'pipelined requests whose responses are not read',
    () => flood(60, 'GET /docs HTTP/1.1\r\nHost:a\r\n\r\n'.repeat(2_166), 2_000),
    400,
  ],
  [
    'eight exports at once',
    () => times(8, async () => expect(await read('/user/export')).toMatch(/#end,*\s*$/)),
    250,
  ],
  [
    'four dry runs of an import at once',
    async () => {
      const responses = await times(4, () => importRows(15_000, '?dryRun=true'))
      expect(responses.map(({ status }) => status)).toContain(200)
    },
    100,
  ],
  [
    'a full inbox and four reads of it',
    async () => {
      const headers = bearer('write')
      const body = '\u0001'.repeat(65_000)
      for (let i = 0; i < 100; i++) await fetch(`${terce.url}/inbox`, { method: 'POST', headers, body })
      await times(4, () => read('/inbox'))
    },
    250,
  ],
  [
    'as many large templates as there can be and four reads of one',
    async () => {
      const body = JSON.stringify({ body: 'x'.repeat(16_000) })
      const headers = { ...bearer('write'), 'Content-Type': 'application/json' }
      const put = (i: number) => fetch(`${terce.url}/template/T${i}`, { method: 'PUT', headers, body })
      for (let i = 0; i < 200; i++) expect((await put(i)).status).toBe(201)
      expect((await put(200)).status).toBe(409)
      await times(4, () => read('/template/T1'))
    },
    250,
  ],
  [
    'eight requests at once with 3,300 parameters',
    () => times(8, () => read(`/user?${Array.from({ length: 3_300 }, (_, i) => i.toString(16)).join('&')}`)),
    100,
  ],
])('%s leave the main thread free', async (_, attack, most) => {
  await longestTurnMs()
  await attack()
  const turn = await longestTurnMs()
  expect(turn).toBeLessThan(most)
  expect(peakBytes()).toBeLessThan(512 * MEBIBYTE)
  expect((await fetch(`${terce.url}/healthz`)).status).toBe(200)
})
