// A receiver on this machine: verifies each message, forwards it to a service, and passes the response back.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Message, verify } from '../receiver/receiver.ts'

export type ListenerSettings = {
  port: number
  /** Empty for no verification. */
  secrets: readonly string[]
  /** Null to respond with 204 without forwarding. */
  forwardTo: string | null
  onReceived: (received: ReceivedWebhook) => void
}

export type ReceivedWebhook = {
  at: string
  /** The idempotency key: the same in every attempt of a message. */
  key: string | null
  /** Null if the signature was not checked. */
  verified: boolean | null
  /** The response status. */
  status: number
  /** Why it was rejected or could not be forwarded. */
  problem: string | null
  durationMs: number
  message: Partial<Message> | null
}

type Reply = { status: number; headers: Record<string, string>; body: Uint8Array | string; problem?: string }

const MAX_BYTES = 1024 * 1024

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
  const reply =
    rejectionOf(request, body) ??
    (checked?.kind === 'rejected'
      ? plain(checked.status, `${checked.code}: ${checked.reason}`)
      : forwardTo === null
        ? { status: 204, headers: {}, body: '' }
        : await forward(forwardTo, request, { body: body!, signal: abortOnClose(response) }))
  response.writeHead(reply.status, reply.headers).end(reply.body)
  onReceived({
    at: new Date(startedAt).toISOString(),
    key: oneOf(request.headers['x-idempotency-key'] ?? request.headers['webhook-id']),
    verified: checked === null ? null : checked.kind === 'verified',
    status: reply.status,
    problem: reply.problem ?? null,
    durationMs: Date.now() - startedAt,
    message: body === null ? null : parse(body),
  })
}

/** Null if it is longer than MAX_BYTES. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size <= MAX_BYTES) chunks.push(chunk)
  }
  return size > MAX_BYTES ? null : Buffer.concat(chunks)
}

function rejectionOf({ method, headers }: IncomingMessage, body: Buffer | null): Reply | null {
  // Only browsers send it: a page of any site can post to this machine.
  if (headers.origin !== undefined) return plain(403, 'A request of a web page is rejected.')
  if (method !== 'POST')
    return { ...plain(405, `${method} is not supported. Use POST.`), headers: { Allow: 'POST' } }
  return body === null ? plain(413, 'The body is larger than 1 MiB.') : null
}

function plain(status: number, problem: string): Reply {
  return { status, headers: { 'Content-Type': 'text/plain' }, body: `${problem}\n`, problem }
}

/** Headers of the connection, not of the message. */
const HOP_HEADERS = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'expect',
  'upgrade',
])
/** The response headers that Terce reads. */
const RESPONSE_HEADERS = ['content-type', 'retry-after']

/** Forwards the body byte for byte, so that the service can verify the signature too. */
async function forward(
  url: string,
  { headers }: IncomingMessage,
  { body, signal }: { body: Buffer; signal: AbortSignal },
): Promise<Reply> {
  const passed = Object.entries(headers).filter(([name]) => !HOP_HEADERS.has(name))
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: passed.map(([name, value]): [string, string] => [name, oneOf(value) ?? '']),
      body: new Uint8Array(body),
      redirect: 'manual',
      signal,
    })
    const back = RESPONSE_HEADERS.flatMap((name) =>
      response.headers.has(name) ? [[name, response.headers.get(name)]] : [],
    )
    return {
      status: response.status,
      headers: Object.fromEntries(back),
      body: new Uint8Array(await response.arrayBuffer()),
    }
  } catch (error) {
    if (signal.aborted) return plain(502, 'The sender closed the connection before the service responded.')
    const { cause, message } = error as Error & { cause?: { code?: string } }
    return plain(502, `No response from ${url}: ${cause?.code ?? message}`)
  }
}

/** Aborts when the connection to the sender closes. */
function abortOnClose(response: ServerResponse): AbortSignal {
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
