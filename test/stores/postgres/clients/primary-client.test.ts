// A server that ends a connection at the moment it is accepted, as a shutdown does.
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createPool } from '../../../../src/stores/postgres/connection.ts'

/** Of the PostgreSQL protocol: a type, the length of the rest, the rest. */
function message(type: string, rest: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(rest.length + 4)
  return Buffer.concat([Buffer.from(type), length, rest])
}

const AUTHENTICATED = message('R', Buffer.alloc(4))
const READY = message('Z', Buffer.from('I'))
const SHUT_DOWN = message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection\0\0'))

describe('a client of the pool', () => {
  it('rejects its next query if the server ended the connection in the packet that accepted it', async () => {
    // The driver handles all messages of a packet before the caller of connect() runs and could listen for errors.
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.end(Buffer.concat([AUTHENTICATED, READY, SHUT_DOWN])))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const pool = createPool(`postgres://terce@127.0.0.1:${port}/terce`, 1)
    onTestFinished(async () => {
      await pool.end()
      server.close()
    })
    const client = await pool.connect()
    await expect(client.query('SELECT 1')).rejects.toThrow()
    client.release(true)
  })
})
