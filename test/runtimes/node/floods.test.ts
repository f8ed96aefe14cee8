// Clients without a key that send much and read nothing: the memory and the work of a connection are bounded.
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { afterEach, expect, it } from 'vitest'
import { BODY_LIMIT, readBytes } from '../../../src/http/server/body.ts'
import { heapUsed } from '../../support/heap.ts'

const MEGABYTE = 1_000_000

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup()
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

it('4 bodies of 60,000 one-byte chunks that do not end retain less than 10 MB', async () => {
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
  const clients = Array.from({ length: 4 }, () => dial(port))
  for (const client of clients) client.write(sent)
  const received = () => connections.map(({ bytesRead }) => bytesRead)
  await expect.poll(received).toEqual(Array(4).fill(sent.length))
  await expect.poll(() => (heapUsed() - before) / MEGABYTE).toBeLessThan(10)
  const responses = clients.map((client) => new Promise((resolve) => client.once('data', resolve)))
  for (const client of clients) client.write('0\r\n\r\n')
  for (const response of await Promise.all(responses)) expect(String(response)).toMatch(/\r\n\r\n60000$/)
})
