// The API process and its client: a request is repeated until it gets a response, through crashes, resets and restarts.
// One process at a time; each has its own DELIVER_AT.
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describeUnexplainedExit, spawnTerce, type TerceProcess } from './terce-process.ts'

export type ApiResponse = { status: number; body: unknown; sentAt: number; respondedAt: number }
export type Request = { method: string; path: string; body?: unknown; headers?: Record<string, string> }

export type Api = {
  /** Replaces the API process by one that plans new people for that time of day. False if the run has ended. */
  restart(deliverAt: string, how: 'SIGKILL' | 'SIGTERM'): Promise<boolean>
  /** Repeats the request until the response is neither a timeout, a 5xx nor a 429. */
  ask(request: Request): Promise<ApiResponse>
  /** How many processes were started. */
  starts(): number
  /** Processes that exited without a reason. */
  unexplainedExits: string[]
  stop(): Promise<void>
}

const RESPONSE_TIMEOUT_MS = 4_000
const RETRY_MS = 250
const MAX_CONCURRENT = 24
/** A start may hang on a lost connection, and is repeated. Twice as long each time, for a machine that is slow. */
const READY_WITHIN_MS = 15_000

export function createApi(options: {
  command: () => string
  env: Record<string, string>
  folder: string
}): Api {
  const processes = new Set<TerceProcess>()
  let current: { url: string; process: TerceProcess } | null = null
  let starts = 0
  const unexplainedExits: string[] = []
  let closed = false
  let active = 0
  const line: (() => void)[] = []

  async function open(deliverAt: string): Promise<{ url: string; process: TerceProcess } | null> {
    for (let withinMs = READY_WITHIN_MS; !closed; withinMs *= 2) {
      const port = await freePort()
      if (closed) break
      const env = { ...options.env, DELIVER_AT: deliverAt, PORT: String(port) }
      starts += 1
      const process = spawnTerce(options.command(), 'api', env, join(options.folder, `api-${starts}.log`))
      processes.add(process)
      void process.exited.then(() => processes.delete(process))
      const url = `http://127.0.0.1:${port}`
      if (await isReady(url, process, withinMs)) return { url, process }
      if (process.alive()) await process.end('SIGKILL')
      else note(process)
    }
    return null
  }

  /** Limits concurrent requests: an API flooded with repeated requests would serve none. */
  async function limitConcurrency<T>(work: () => Promise<T>): Promise<T> {
    if (active >= MAX_CONCURRENT) await new Promise<void>((resolve) => line.push(resolve))
    else active += 1
    try {
      return await work()
    } finally {
      const next = line.shift()
      if (next === undefined) active -= 1
      else next()
    }
  }

  function note(process: TerceProcess): void {
    const unexplainedExit = closed ? null : describeUnexplainedExit('An API', process)
    if (unexplainedExit !== null) unexplainedExits.push(unexplainedExit)
  }

  async function restart(deliverAt: string, how: NodeJS.Signals): Promise<boolean> {
    const opened = await open(deliverAt)
    if (opened === null) return false
    const before = current
    current = opened
    void opened.process.exited.then(() => {
      if (closed || current !== opened) return
      note(opened.process)
      void restart(deliverAt, how)
    })
    if (before?.process.alive()) void before.process.end(how)
    return true
  }

  async function isReady(url: string, process: TerceProcess, withinMs: number): Promise<boolean> {
    const deadline = Date.now() + withinMs
    while (process.alive() && !closed && Date.now() < deadline) {
      if ((await send(`${url}/readyz`, { method: 'GET', path: '' }))?.status === 200) return true
      await sleep(50)
    }
    return false
  }

  return {
    restart,
    async ask(request) {
      let sentAt: number | null = null
      while (!closed) {
        const response = await limitConcurrency(async () => {
          sentAt ??= Date.now()
          return current && send(`${current.url}${request.path}`, request)
        })
        if (response !== null && response.status < 500 && response.status !== 429)
          return { ...response, sentAt: sentAt!, respondedAt: Date.now() }
        await sleep(RETRY_MS)
      }
      throw new Error(`The run ended before a response to ${request.method} ${request.path}.`)
    },
    starts: () => starts,
    unexplainedExits,
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
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
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
