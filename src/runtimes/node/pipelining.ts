// Bounds the requests of a connection that wait for their responses. Node itself parses and emits all requests that it has read: a
// client that pipelines thousands of them and reads nothing would fill the memory.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Browsers and proxies send one request at a time. */
const MOST_WAITING = 8
/** The parser gets one request at once, because it cannot be stopped between two, and no more bytes than this except of a body. */
const SLICE = 1024
const END_OF_HEAD = Buffer.from('\r\n\r\n')
/** Node closes connections beyond it. An idle one takes 7 kB. */
const MOST_CONNECTIONS = 10_000

type Parse = (data: Buffer) => void
type Connection = {
  parse: Parse
  /** The requests without a complete response. */
  waiting: number
  /** The next bytes that belong to a body. */
  bodyLeft: number
  /** Paused because of `waiting`. */
  isPaused: boolean
  /** The rest of its bytes waits for the next turn of the event loop. */
  isDeferred: boolean
}

export function limitPipelining(server: Server): void {
  const connections = new WeakMap<Socket, Connection>()
  server.maxConnections = MOST_CONNECTIONS

  server.on('connection', (socket: Socket) => {
    const [parse] = socket.listeners('data') as [Parse]
    const connection = { parse, waiting: 0, bodyLeft: 0, isPaused: false, isDeferred: false }
    connections.set(socket, connection)
    // Because of this listener, Node reads the socket as a stream, and does not pass the bytes to its parser by itself.
    socket.on('data', (data: Buffer) => parseBounded(socket, connection, data))
    socket.off('data', parse)
  })

  server.on('request', ({ socket, headers }: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(socket)!
    connection.waiting += 1
    connection.bodyLeft = Number(headers['content-length'] ?? 0)
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
    // A slice can hold 170 chunks of a byte, which take a millisecond: other connections get their turn.
    if (at > 0 && connection.bodyLeft === 0 && !socket.isPaused()) defer(socket, connection)
    // Node also resumes, whenever the body of a request is read.
    if (connection.isDeferred) socket.pause()
    if (socket.isPaused()) return socket.unshift(data.subarray(at))
    const slice = data.subarray(at, at + (connection.bodyLeft || headLength(data.subarray(at, at + SLICE))))
    at += slice.length
    connection.bodyLeft = Math.max(0, connection.bodyLeft - slice.length)
    connection.parse(slice)
  }
}

function defer(socket: Socket, connection: Connection): void {
  connection.isDeferred = true
  setImmediate(() => {
    connection.isDeferred = false
    socket.resume()
  })
}

function headLength(data: Buffer): number {
  const end = data.indexOf(END_OF_HEAD)
  return end === -1 ? data.length : end + END_OF_HEAD.length
}
