// Bounds the requests of a connection that wait for their responses. Node itself parses and emits all requests that it has read: a
// client that pipelines thousands of them and reads nothing would fill the memory.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Browsers and proxies send one request at a time. */
const MOST_WAITING = 8
/** The parser gets no more at once, because it cannot be stopped between two requests. The shortest request has 26 bytes. */
const SLICE = 1024
/** Node closes connections beyond it. An idle one takes 7 kB. */
const MOST_CONNECTIONS = 10_000

type Parse = (data: Buffer) => void
type Connection = {
  parse: Parse
  /** The requests without a complete response. */
  waiting: number
  /** At least so many of the next bytes belong to a body. */
  bodyLeft: number
  /** Paused because of `waiting`. */
  isPaused: boolean
}

export function limitPipelining(server: Server): void {
  const connections = new WeakMap<Socket, Connection>()
  server.maxConnections = MOST_CONNECTIONS

  server.on('connection', (socket: Socket) => {
    const [parse] = socket.listeners('data') as [Parse]
    const connection = { parse, waiting: 0, bodyLeft: 0, isPaused: false }
    connections.set(socket, connection)
    // Because of this listener, Node reads the socket as a stream, and does not pass the bytes to its parser by itself.
    socket.on('data', (data: Buffer) => parseBounded(socket, connection, data))
    socket.off('data', parse)
  })

  server.on('request', ({ socket, headers }: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(socket)!
    connection.waiting += 1
    // The slice in which a request begins has at most all its bytes of the body.
    connection.bodyLeft = Math.max(0, Number(headers['content-length'] ?? 0) - SLICE)
    response.on('close', () => {
      connection.waiting -= 1
      if (!connection.isPaused) return
      connection.isPaused = false
      socket.resume()
    })
  })
}

function parseBounded(socket: Socket, connection: Connection, data: Buffer): void {
  for (let at = 0; at < data.length && !socket.destroyed; ) {
    // Node pauses as well, while too much of its responses is unsent, and alone knows when to resume.
    if (!socket.isPaused() && connection.waiting >= MOST_WAITING) {
      connection.isPaused = true
      socket.pause()
    }
    if (socket.isPaused()) return socket.unshift(data.subarray(at))
    const end = at + Math.max(SLICE, connection.bodyLeft)
    const slice = at === 0 && end >= data.length ? data : data.subarray(at, end)
    at += slice.length
    connection.bodyLeft = Math.max(0, connection.bodyLeft - slice.length)
    connection.parse(slice)
  }
}
