// Closes connections whose request body is sent too slowly. Node's own limit is five minutes for each request; a shorter one
// would end a large import on a slow line.
import type { IncomingMessage, Server } from 'node:http'
import type { Clock } from '../../ports/clock.ts'

const CHECK_MS = 5_000
/** The time that every body gets. */
const GRACE_MS = 30_000
/** After that, the average rate that a body needs. */
const BYTES_PER_MS = 1

export function closeSlowBodies(server: Server, clock: Clock): void {
  const receiving = new Map<IncomingMessage, { since: number; bytesBefore: number }>()
  let timer: { cancel(): void } | null = null

  // One timer for all: most bodies arrive with their headers, and are complete at the first check.
  function check(): void {
    timer = null
    const now = clock.now()
    for (const [request, { since, bytesBefore }] of receiving) {
      const { socket, complete } = request
      if (complete || socket.destroyed) receiving.delete(request)
      else if (now - since >= GRACE_MS && socket.bytesRead - bytesBefore < (now - since) * BYTES_PER_MS)
        socket.destroy()
    }
    if (receiving.size > 0) timer = clock.after(CHECK_MS, check)
  }

  server.on('request', (request: IncomingMessage) => {
    if (request.complete) return
    receiving.set(request, { since: clock.now(), bytesBefore: request.socket.bytesRead })
    timer ??= clock.after(CHECK_MS, check)
  })
  server.on('close', () => timer?.cancel())
}
