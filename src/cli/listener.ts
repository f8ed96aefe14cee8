// A receiver on this machine: verifies what comes, hands it on to another service, and passes its answer back.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Message, verify } from '../receiver/receiver.ts'

export type ListenerSettings = {
  port: number
  /** None for taking whatever comes. */
  secrets: readonly string[]
  /** Null for answering by ourselves. */
  forwardTo: string | null
  onReceived: (received: Received) => void
}

export type Received = {
  at: string
  /** What every repetition of the message has in common. */
  key: string | null
  /** Null if it was not checked. */
  verified: boolean | null
  /** What was answered. */
  status: number
  /** Why it was refused, or could not be handed on. */
  problem: string | null
  durationMs: number
  message: Partial<Message> | null
}

type Answer = { status: number; headers: Record<string, string>; body: Uint8Array | string; problem?: string }

const MOST_BYTES = 1024 * 1024

export async function startListener(
  settings: ListenerSettings,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    receive(request, response, settings).catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(settings.port, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  { secrets, forwardTo, onReceived }: ListenerSettings,
): Promise<void> {
  const startedAt = Date.now()
  const body = await readBody(request)
  const checked =
    body === null || secrets.length === 0
      ? null
      : await verify({ headers: request.headers, body, secrets, now: startedAt })
  const answer =
    refusalOf(request, body) ??
    (checked?.kind === 'refused'
      ? plain(checked.status, `${checked.code}: ${checked.reason}`)
      : forwardTo === null
        ? { status: 204, headers: {}, body: '' }
        : await forward(forwardTo, request, { body: body!, signal: hangUp(response) }))
  response.writeHead(answer.status, answer.headers).end(answer.body)
  onReceived({
    at: new Date(startedAt).toISOString(),
    key: oneOf(request.headers['x-idempotency-key'] ?? request.headers['webhook-id']),
    verified: checked === null ? null : checked.kind === 'verified',
    status: answer.status,
    problem: answer.problem ?? null,
    durationMs: Date.now() - startedAt,
    message: body === null ? null : parse(body),
  })
}

/** Null if there is too much of it. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size <= MOST_BYTES) chunks.push(chunk)
  }
  return size > MOST_BYTES ? null : Buffer.concat(chunks)
}

function refusalOf({ method }: IncomingMessage, body: Buffer | null): Answer | null {
  if (method !== 'POST')
    return { ...plain(405, `${method} is not taken here, only POST.`), headers: { Allow: 'POST' } }
  return body === null ? plain(413, 'The body has more than 1 MiB.') : null
}

function plain(status: number, problem: string): Answer {
  return { status, headers: { 'Content-Type': 'text/plain' }, body: `${problem}\n`, problem }
}

/** About the line between us and the sender, not about the message. */
const OF_THE_LINE = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'expect',
  'upgrade',
])
/** What Terce looks at in an answer. */
const PASSED_BACK = ['content-type', 'retry-after']

/** As it came, byte for byte: whoever it is for may want to verify it, too. */
async function forward(
  url: string,
  { headers }: IncomingMessage,
  { body, signal }: { body: Buffer; signal: AbortSignal },
): Promise<Answer> {
  const passed = Object.entries(headers).filter(([name]) => !OF_THE_LINE.has(name))
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: passed.map(([name, value]): [string, string] => [name, oneOf(value) ?? '']),
      body: new Uint8Array(body),
      redirect: 'manual',
      signal,
    })
    const back = PASSED_BACK.flatMap((name) =>
      answer.headers.has(name) ? [[name, answer.headers.get(name)]] : [],
    )
    return {
      status: answer.status,
      headers: Object.fromEntries(back),
      body: new Uint8Array(await answer.arrayBuffer()),
    }
  } catch (error) {
    if (signal.aborted) return plain(502, 'The sender hung up before there was an answer.')
    const { cause, message } = error as Error & { cause?: { code?: string } }
    return plain(502, `${url} does not answer: ${cause?.code ?? message}`)
  }
}

/** Aborted once there is nobody to answer. */
function hangUp(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  return gone.signal
}

function oneOf(header: string | string[] | undefined): string | null {
  return (Array.isArray(header) ? header.join(', ') : header) ?? null
}

function parse(body: Buffer): Partial<Message> | null {
  try {
    const message: unknown = JSON.parse(body.toString('utf8'))
    return typeof message === 'object' ? message : null
  } catch {
    return null
  }
}
