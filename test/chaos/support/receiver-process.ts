// The receiver process. It logs every arrival before it replies.
import { appendFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Arrival } from './receiver.ts'
import { type ReceiverMode, type Reply, replyTo } from './receiver-behaviour.ts'

const [logFile, seedText] = process.argv.slice(2) as [string, string]
const seed = Number(seedText)
const seen = new Map<string, number>()
let mode: ReceiverMode = 'mixed'

const server = createServer(async (request, response) => {
  const at = Date.now()
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer)
  } catch {
    // The sender crashed during the request: nothing arrived.
    return
  }
  const key = String(request.headers['x-idempotency-key'])
  const nth = (seen.get(key) ?? 0) + 1
  seen.set(key, nth)
  const reply = replyTo(mode, { seed, key, nth })
  const arrival: Arrival = { at, key, body: Buffer.concat(chunks).toString('utf8'), ...outcomeOf(reply) }
  appendFileSync(logFile, `${JSON.stringify(arrival)}\n`)
  send(response, reply)
})

function outcomeOf(reply: Reply): Pick<Arrival, 'accepted' | 'status'> {
  switch (reply.kind) {
    case 'accept':
      return { accepted: true, status: 200 }
    case 'reject':
      return { accepted: false, status: reply.status }
    case 'reset':
      return { accepted: reply.accepted, status: null }
    case 'hang':
      return { accepted: false, status: null }
    case 'lie':
      return { accepted: false, status: 200 }
  }
}

function send(response: ServerResponse, reply: Reply): void {
  switch (reply.kind) {
    case 'accept':
      setTimeout(() => response.end('ok'), reply.afterMs)
      return
    case 'lie':
      response.end('ok')
      return
    case 'reject': {
      const headers = reply.retryAfterS === null ? {} : { 'retry-after': String(reply.retryAfterS) }
      response.writeHead(reply.status, headers).end()
      return
    }
    case 'reset':
      response.socket?.resetAndDestroy()
      return
    case 'hang':
      // No reply: the sender closes the connection at its timeout.
      return
  }
}

process.on('message', (message: { mode: ReceiverMode }) => {
  mode = message.mode
  process.send!({ mode })
})
// The parent process is gone.
process.on('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as AddressInfo).port }))
