// A receiver on this machine that takes everything, or refuses everything for good.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type TestReceiver = {
  url: string
  refuses: boolean
  /** Of what it took. */
  keys: string[]
  close(): void
}

export async function startReceiver(): Promise<TestReceiver> {
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      if (!receiver.refuses) receiver.keys.push(String(request.headers['x-idempotency-key']))
      response.writeHead(receiver.refuses ? 422 : 204).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const receiver: TestReceiver = {
    url: `http://127.0.0.1:${port}`,
    refuses: false,
    keys: [],
    close: () => server.close(),
  }
  return receiver
}
