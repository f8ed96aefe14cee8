// A local receiver that accepts every message, or rejects every message.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export type TestReceiver = {
  url: string
  rejects: boolean
  /** The status of a rejection. */
  status: number
  /** Idempotency keys of the accepted messages. */
  keys: string[]
  /** The accepted messages. */
  messages: { headers: IncomingHttpHeaders; body: string }[]
  start(): Promise<void>
  close(): void
}

export async function startReceiver(): Promise<TestReceiver> {
  const receiver = createReceiver()
  await receiver.start()
  return receiver
}

/** Without a URL until it is started. */
export function createReceiver(): TestReceiver {
  const server = createServer((request, response) => {
    const { headers } = request
    text(request).then((body) => {
      if (!receiver.rejects) {
        receiver.keys.push(String(headers['x-idempotency-key']))
        receiver.messages.push({ headers, body })
      }
      if (receiver.rejects) response.writeHead(receiver.status).end('rejected by the test')
      else response.writeHead(204).end()
    })
  })
  const receiver: TestReceiver = {
    url: '',
    rejects: false,
    status: 422,
    keys: [],
    messages: [],
    start: async () => {
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    },
    close: () => server.close(),
  }
  return receiver
}
