// Clients without a key that send much and read nothing: the memory and the work of a connection are bounded.
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { afterEach, describe, expect, it } from 'vitest'
import { BODY_LIMIT, readBytes } from '../../../src/http/server/body.ts'
import { createPort } from '../../../src/runtimes/node/port.ts'
import { heapUsed } from '../../support/heap.ts'

const MEGABYTE = 1_000_000

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function listen(server: Server): Promise<number> {
  cleanups.push(() => {
    server.closeAllConnections()
    server.close()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

function dial(port: number): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  cleanups.push(() => socket.destroy())
  return socket
}

it('2 bodies of 60,000 one-byte chunks that do not end retain less than 10 MB', async () => {
  const server = createServer(
    getRequestListener(
      async (request) => new Response(String((await readBytes(request, BODY_LIMIT)).length)),
    ),
  )
  const connections: Socket[] = []
  server.on('connection', (socket) => connections.push(socket))
  const port = await listen(server)
  const head = 'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n'
  const sent = Buffer.from(head + '1\r\n \r\n'.repeat(60_000))
  const before = heapUsed()
  const clients = Array.from({ length: 2 }, () => dial(port))
  for (const client of clients) client.write(sent)
  const received = () => connections.map(({ bytesRead }) => bytesRead)
  await expect.poll(received).toEqual(Array(2).fill(sent.length))
  await expect.poll(() => (heapUsed() - before) / MEGABYTE).toBeLessThan(10)
  const responses = clients.map((client) => new Promise((resolve) => client.once('data', resolve)))
  for (const client of clients) client.write('0\r\n\r\n')
  for (const response of await Promise.all(responses)) expect(String(response)).toMatch(/\r\n\r\n60000$/)
})

describe('a connection with many requests at once', () => {
  /** The smallest request that is valid. */
  const requests = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => `GET /${from + i} HTTP/1.1\r\nHost:a\r\n\r\n`).join('')

  async function serve(handler: RequestListener): Promise<Socket> {
    const port = createPort(0, '127.0.0.1')
    cleanups.push(() => port.close())
    return dial(Number(new URL(await port.serve(handler)).port))
  }

  /** What the client receives, without the heads. */
  function received(client: Socket): () => string {
    let text = ''
    client.on('data', (data) => {
      text += data
    })
    return () =>
      text
        .split(/HTTP\/1\.1 [\s\S]*?\r\n\r\n/)
        .slice(1)
        .join(' ')
  }

  const numbers = (to: number) => Array.from({ length: to }, (_, i) => `/${i}`).join(' ')

  it('has a few of them handled until there are responses, and gets all 2,000 in order when it reads', async () => {
    const waiting: [url: string, ServerResponse][] = []
    let handled = 0
    let isReleased = false
    const client = await serve((request, response) => {
      handled += 1
      if (isReleased) response.end(request.url)
      else waiting.push([request.url!, response])
    })
    client.write(requests(0, 2_000))
    await expect.poll(() => handled).toBeGreaterThan(0)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(handled).toBeLessThan(60)
    const text = received(client)
    isReleased = true
    for (const [url, response] of waiting) response.end(url)
    await expect.poll(text).toBe(numbers(2_000))
  })

  it('has a few of them in flight if it reads nothing', async () => {
    const body = 'x'.repeat(100_000)
    let handled = 0
    let finished = 0
    let most = 0
    const client = await serve((_, response) => {
      handled += 1
      most = Math.max(most, handled - finished)
      response.once('close', () => {
        finished += 1
      })
      response.end(body)
    })
    client.pause()
    client.write(requests(0, 2_000))
    let before = -1
    await expect
      .poll(
        () => {
          const isStill = handled > 0 && handled === before
          before = handled
          return isStill
        },
        { interval: 200 },
      )
      .toBe(true)
    expect(most).toBeLessThan(60)
    expect(handled).toBeLessThan(1_000)
  })

  it.each(['in one write', 'byte by byte'])('gets 200 responses in order, sent %s', async (how) => {
    const client = await serve((request, response) => setImmediate(() => response.end(request.url)))
    const text = received(client)
    const sent = requests(0, 200)
    if (how === 'in one write') client.write(sent)
    else {
      client.setNoDelay()
      for (const byte of sent) client.write(byte)
    }
    await expect.poll(text).toBe(numbers(200))
  })

  it('gets the bodies of 30 requests back in order, with a length or in chunks, each followed by the next request', async () => {
    const client = await serve((request, response) => {
      const parts: Buffer[] = []
      request.on('data', (part) => parts.push(part)).on('end', () => response.end(Buffer.concat(parts)))
    })
    const text = received(client)
    const bodies = Array.from({ length: 30 }, (_, i) => `${i}:`.repeat(1 + 700 * i))
    const chunked = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
    const sent = bodies.map((body, i) =>
      i % 2 === 0
        ? `POST / HTTP/1.1\r\nHost:a\r\nContent-Length: ${body.length}\r\n\r\n${body}`
        : `POST / HTTP/1.1\r\nHost:a\r\nTransfer-Encoding: chunked\r\n\r\n${chunked(body)}`,
    )
    client.write(sent.join(''))
    await expect.poll(text).toBe(bodies.join(' '))
  })

  it('gets a response to a request with Upgrade, which is ignored, and to the next one', async () => {
    const client = await serve((request, response) => response.end(request.url))
    const text = received(client)
    client.write('GET /0 HTTP/1.1\r\nHost:a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
    await expect.poll(text).toBe('/0')
    client.write(requests(1, 2))
    await expect.poll(text).toBe(numbers(2))
  })

  it('gets 400 after the responses to the requests before one that is malformed, and is closed', async () => {
    const client = await serve((request, response) => response.end(request.url))
    let all = ''
    client.on('data', (data) => {
      all += data
    })
    client.write(`${requests(0, 3)}nonsense\r\n\r\n${requests(3, 100)}`)
    await expect.poll(() => client.destroyed).toBe(true)
    expect(all).toMatch(/^HTTP\/1\.1 (200|400)/)
    expect(all).not.toContain('/3')
  })
})
