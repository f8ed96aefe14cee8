// A TCP proxy between a process and its database that can cut every connection at once.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type Proxy = {
  port: number
  /** The number of open connections. */
  open(): number
  /** Resets all connections. New connections are accepted. */
  cut(): void
  close(): Promise<void>
}

export async function startProxy(target: { port: number }): Promise<Proxy> {
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(target.port, '127.0.0.1')
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
      one.pipe(other)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    open: () => sockets.size / 2,
    cut,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        cut()
      }),
  }
}
