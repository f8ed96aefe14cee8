// A receiver in its own process: counts the POSTs, and responds 200. Sends its port to the parent, then responds to each message
// with the counts since the last reset; the message `reset` resets them.
// node bench/sink.ts [KEEP] [REJECT]: keeps one POST in KEEP whole (1,000), and responds 422 to one in REJECT (none).
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Kept = { at: number; headers: Record<string, string>; body: string }
export type Counts = {
  posts: number
  /** Distinct idempotency keys. */
  distinct: number
  /** POSTs with a signature, which is not verified here. */
  signed: number
  /** When the first and the last POST arrived, epoch milliseconds with a fraction; 0 if none has arrived. */
  firstAt: number
  lastAt: number
  kept: Kept[]
}

const [keep = 1_000, reject = 0] = process.argv.slice(2).map(Number)
const nothing = (): Counts => ({ posts: 0, distinct: 0, signed: 0, firstAt: 0, lastAt: 0, kept: [] })
let counts = nothing()
let keys = new Set<string>()

const server = createServer((request, response) => {
  const at = performance.timeOrigin + performance.now()
  if (counts.posts === 0) counts.firstAt = at
  counts.lastAt = at
  counts.posts += 1
  keys.add(request.headers['x-idempotency-key'] as string)
  if (request.headers['webhook-signature'] !== undefined) counts.signed += 1
  if (counts.posts % keep === 0) keepWhole(request, at, counts.kept)
  else request.resume()
  const status = reject > 0 && counts.posts % reject === 0 ? 422 : 200
  request.on('end', () => response.writeHead(status, { 'content-length': '2' }).end('ok'))
})

function keepWhole(request: IncomingMessage, at: number, kept: Kept[]): void {
  let body = ''
  request.setEncoding('utf8').on('data', (text) => (body += text))
  request.on('end', () => kept.push({ at, headers: request.headers as Record<string, string>, body }))
}

server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as AddressInfo).port }))

process.on('message', (message) => {
  process.send!({ ...counts, distinct: keys.size })
  if (message !== 'reset') return
  counts = nothing()
  keys = new Set()
})
// The benchmark has exited.
process.on('disconnect', () => process.exit())
