// The API, and how the run talks to it: every request is asked again until it is answered, through crashes, cuts and
// changes of the process. One process at a time; each has a nine o'clock of its own.
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { spawnTerce, type TerceProcess, unexplained } from './terce-process.ts'

export type Answer = { status: number; body: unknown; sentAt: number; answeredAt: number }
export type Request = { method: string; path: string; body?: unknown; headers?: Record<string, string> }

export type Office = {
  /** Replaces the API by one that plans new people for that time of day. False if the office was closed meanwhile. */
  reopen(deliverAt: string, how: 'SIGKILL' | 'SIGTERM'): Promise<boolean>
  /** Asks until there is an answer that is neither trouble nor silence nor a plea for time. */
  ask(request: Request): Promise<Answer>
  /** How many times a process was started. */
  openings(): number
  /** Which of them ended by itself and did not say why. */
  deserters: string[]
  stop(): Promise<void>
}

const ANSWER_WITHIN_MS = 4_000
const AGAIN_MS = 250
const ASKING_AT_ONCE = 24
const READY_WITHIN_MS = 15_000

export function createOffice(options: { env: Record<string, string>; folder: string }): Office {
  const processes = new Set<TerceProcess>()
  let current: { url: string; process: TerceProcess } | null = null
  let openings = 0
  const deserters: string[] = []
  let closed = false
  let asking = 0
  const line: (() => void)[] = []

  async function open(deliverAt: string): Promise<{ url: string; process: TerceProcess } | null> {
    while (!closed) {
      const port = await freePort()
      if (closed) break
      const env = { ...options.env, DELIVER_AT: deliverAt, PORT: String(port) }
      openings += 1
      const process = spawnTerce('api', env, join(options.folder, `api-${openings}.log`))
      processes.add(process)
      void process.exited.then(() => processes.delete(process))
      const url = `http://127.0.0.1:${port}`
      if (await isReady(url, process)) return { url, process }
      if (process.alive()) await process.end('SIGKILL')
      else note(process)
    }
    return null
  }

  /** So many at once, the others in line: an office with a crowd before it that asks again and again serves nobody. */
  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (asking >= ASKING_AT_ONCE) await new Promise<void>((resolve) => line.push(resolve))
    else asking += 1
    try {
      return await work()
    } finally {
      const next = line.shift()
      if (next === undefined) asking -= 1
      else next()
    }
  }

  function note(process: TerceProcess): void {
    const deserter = closed ? null : unexplained('An API', process)
    if (deserter !== null) deserters.push(deserter)
  }

  async function reopen(deliverAt: string, how: NodeJS.Signals): Promise<boolean> {
    const opened = await open(deliverAt)
    if (opened === null) return false
    const before = current
    current = opened
    void opened.process.exited.then(() => {
      if (closed || current !== opened) return
      note(opened.process)
      void reopen(deliverAt, how)
    })
    if (before?.process.alive()) void before.process.end(how)
    return true
  }

  async function isReady(url: string, process: TerceProcess): Promise<boolean> {
    const deadline = Date.now() + READY_WITHIN_MS
    while (process.alive() && !closed && Date.now() < deadline) {
      if ((await send(`${url}/readyz`, { method: 'GET', path: '' }))?.status === 200) return true
      await sleep(50)
    }
    return false
  }

  return {
    reopen,
    async ask(request) {
      let sentAt: number | null = null
      while (!closed) {
        const answer = await inTurn(async () => {
          sentAt ??= Date.now()
          return current && send(`${current.url}${request.path}`, request)
        })
        if (answer !== null && answer.status < 500 && answer.status !== 429)
          return { ...answer, sentAt: sentAt!, answeredAt: Date.now() }
        await sleep(AGAIN_MS)
      }
      throw new Error(`The office closed before it answered ${request.method} ${request.path}.`)
    },
    openings: () => openings,
    deserters,
    stop: async () => {
      closed = true
      await Promise.all([...processes].map((process) => process.end('SIGKILL')))
    },
  }
}

async function send(url: string, request: Request): Promise<{ status: number; body: unknown } | null> {
  try {
    const response = await fetch(url, {
      method: request.method,
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      headers: { 'content-type': 'application/json', ...request.headers },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? null : JSON.parse(text) }
  } catch {
    return null
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
