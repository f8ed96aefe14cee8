// A receiver that misbehaves at the socket level, and records every request it could read.
import { type AddressInfo, createServer, type Socket } from 'node:net'

export type Received = { headers: Record<string, string>; body: Buffer }

/** Actions on a connection: when it is opened, and when a whole request was received. */
export type Misdeed = { onConnect?(socket: Socket): void; onRequest?(socket: Socket, count: number): void }

export type HostileSink = {
  url: string
  requests: Received[]
  /** How many bytes were written to clients, socket buffers included. */
  bytesSent(): number
  /** Open connections. */
  connections(): number
  close(): Promise<void>
}

export async function startHostileSink(misdeed: Misdeed): Promise<HostileSink> {
  const requests: Received[] = []
  const sockets = new Set<Socket>()
  let bytesOfClosed = 0
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      bytesOfClosed += socket.bytesWritten
    })
    misdeed.onConnect?.(socket)
    let pending: Buffer = Buffer.alloc(0)
    socket.on('data', (chunk: Buffer) => {
      pending = Buffer.concat([pending, chunk])
      for (let read = readRequest(pending); read !== null; read = readRequest(pending)) {
        pending = read.rest
        requests.push(read.request)
        misdeed.onRequest?.(socket, requests.length)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    requests,
    bytesSent: () => [...sockets].reduce((sum, socket) => sum + socket.bytesWritten, bytesOfClosed),
    connections: () => sockets.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

function readRequest(bytes: Buffer): { request: Received; rest: Buffer } | null {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return null
  const lines = bytes.subarray(0, end).toString('latin1').split('\r\n').slice(1)
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  )
  const bodyEnd = end + 4 + Number(headers['content-length'] ?? 0)
  if (bytes.length < bodyEnd) return null
  return { request: { headers, body: bytes.subarray(end + 4, bodyEnd) }, rest: bytes.subarray(bodyEnd) }
}

/** Writes the same text in response to every request. */
export function says(text: string): Misdeed {
  return { onRequest: (socket) => void socket.write(text) }
}

/** Responds to every request with a status and no body. */
export function answers(status: string, ...headers: string[]): Misdeed {
  return says([`HTTP/1.1 ${status}`, 'content-length: 0', ...headers, '', ''].join('\r\n'))
}

/** Writes a text, then a little more every few milliseconds, until the client disconnects. */
export function trickles(start: string, drop: string): Misdeed {
  return {
    onRequest: (socket) => {
      socket.write(start)
      const timer = setInterval(() => socket.write(drop), 10)
      socket.on('close', () => clearInterval(timer))
    },
  }
}

/** Writes a text, then more without end, as fast as the client reads. */
export function floods(start: string, wave: string): Misdeed {
  return {
    onRequest: (socket) => {
      socket.write(start)
      const pour = () => {
        while (socket.writable && socket.write(wave)) {}
      }
      socket.on('drain', pour)
      pour()
    },
  }
}
