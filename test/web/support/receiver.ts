// A local receiver that accepts every message, or rejects every message.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type TestReceiver = {
  url: string
  rejects: boolean
  /** The status of a rejection. */
  status: number
  /** Idempotency keys of the accepted messages. */
  keys: string[]
  close(): void
}

export async function startReceiver(): Promise<TestReceiver> {
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      if (!receiver.rejects) receiver.keys.push(String(request.headers['x-idempotency-key']))
      if (receiver.rejects) response.writeHead(receiver.status).end('rejected by the test')
      else response.writeHead(204).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const receiver: TestReceiver = {
    url: `http://127.0.0.1:${port}`,
    rejects: false,
    status: 422,
    keys: [],
    close: () => server.close(),
  }
  return receiver
}
