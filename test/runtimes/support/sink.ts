// A receiver on a free port that records requests and sends scripted responses.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Arrival = Pick<IncomingMessage, 'method' | 'headers'> & { at: number; key: string; body: string }
export type Sink = {
  url: string
  arrivals: Arrival[]
  /** Resolves when that many requests have arrived. */
  waitFor(count: number): Promise<void>
  close(): Promise<void>
}

export async function startSink(
  answer: (response: ServerResponse, arrival: Arrival, count: number) => void = (response) =>
    response.end('ok'),
): Promise<Sink> {
  const arrivals: Arrival[] = []
  const waiting = new Set<() => void>()
  const server = createServer(async (request, response) => {
    const at = Date.now()
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const arrival = {
      at,
      key: String(request.headers['x-idempotency-key']),
      body: Buffer.concat(chunks).toString('utf8'),
      method: request.method,
      headers: request.headers,
    }
    arrivals.push(arrival)
    for (const check of waiting) check()
    answer(response, arrival, arrivals.length)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    arrivals,
    waitFor: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (arrivals.length < count) return
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
