// Request bodies that are sent too slowly: their connection is closed.
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { closeSlowBodies } from '../../../src/runtimes/node/slow-bodies.ts'
import { createTestClock, SECOND } from '../../support/fixtures.ts'

let server: Server
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

async function start() {
  const clock = createTestClock(0)
  server = createServer((request, response) => {
    request.on('error', () => {})
    request.resume().on('end', () => response.end('ok'))
  })
  closeSlowBodies(server, clock)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const received = new Promise<void>((resolve) => server.once('request', () => resolve()))
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  let text = ''
  socket.on('data', (data) => {
    text += data
  })
  const closed = new Promise<void>((resolve) => socket.on('error', () => {}).on('close', () => resolve()))
  return { clock, socket, received, closed, text: () => text }
}

const HEAD = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n'

it('a request whose body trickles is closed after half a minute', async () => {
  const { clock, socket, received, closed } = await start()
  socket.write(HEAD)
  await received
  for (let second = 0; second < 40; second++) {
    if (!socket.destroyed) socket.write('a')
    await clock.advance(SECOND)
    await new Promise(setImmediate)
  }
  await closed
  expect(socket.destroyed).toBe(true)
})

it('a request whose body arrives at a kilobyte a second goes on, and gets its response', async () => {
  const { clock, socket, received, text } = await start()
  socket.write(HEAD)
  await received
  for (let sent = 0; sent < 1_000_000; sent += 10_000) {
    await new Promise<void>((resolve) => socket.write('a'.repeat(10_000), () => resolve()))
    await new Promise((resolve) => setTimeout(resolve, 2))
    await clock.advance(SECOND)
  }
  await expect.poll(text).toContain('ok')
})
