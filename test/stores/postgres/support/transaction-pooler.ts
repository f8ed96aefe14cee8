// Stands in for a pooler in transaction mode: after each transaction the server's session forgets all it was told
// (DISCARD ALL), as if the next transaction came to another one.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type ForgetfulProxy = { port: number; forgotten(): number; close(): Promise<void> }

const DISCARD_ALL = simpleQuery('DISCARD ALL')
const READY_FOR_QUERY = 'Z'.charCodeAt(0)
const IDLE = 'I'.charCodeAt(0)

const KEY_DATA = 'K'.charCodeAt(0)

/** `ownProcessIds`: connections get the process id of the pooler instead of the session's, as from PgBouncer. */
export async function startForgetfulProxy(
  target: { port: number },
  { ownProcessIds = true } = {},
): Promise<ForgetfulProxy> {
  const sockets = new Set<Socket>()
  let forgotten = 0
  const server = createServer((near) => {
    const far = connect(target.port, '127.0.0.1')
    /** The word that the transaction is over, kept back until the session has forgotten. */
    let keptBack: Buffer | null = null
    const onMessage = (message: Buffer) => {
      if (ownProcessIds && message[0] === KEY_DATA) message.writeInt32BE(1, 5)
      const isOver = message[0] === READY_FOR_QUERY && message[5] === IDLE
      if (keptBack !== null) {
        if (isOver) near.write(keptBack)
        if (isOver) keptBack = null
      } else if (isOver) {
        keptBack = message
        forgotten += 1
        far.write(DISCARD_ALL)
      } else near.write(message)
    }
    near.pipe(far)
    far.on('data', splitMessages(onMessage))
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.setNoDelay(true)
      one.on('error', () => {})
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    forgotten: () => forgotten,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

/** The server's messages, one by one: a letter, a length that counts itself, the rest. */
function splitMessages(onMessage: (message: Buffer) => void): (data: Buffer) => void {
  let pending: Buffer = Buffer.alloc(0)
  return (data) => {
    pending = pending.length === 0 ? data : Buffer.concat([pending, data])
    while (pending.length >= 5) {
      const end = 1 + pending.readInt32BE(1)
      if (pending.length < end) return
      onMessage(pending.subarray(0, end))
      pending = pending.subarray(end)
    }
  }
}

function simpleQuery(sql: string): Buffer {
  const text = Buffer.from(`${sql}\0`)
  const head = Buffer.from('Q\0\0\0\0')
  head.writeInt32BE(4 + text.length, 1)
  return Buffer.concat([head, text])
}
