// A port of a process. It listens from the first failed attempt to reach the database on, and stays open when the process
// starts: a liveness probe would restart a process that does not listen, and clients would find no server.
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { databaseUnavailable, problemResponse } from '../../api/problem.ts'
import { VERSION } from '../config/version.ts'
import { systemClock } from '../shared/system-clock.ts'
import { limitPipelining } from './pipelining.ts'
import { closeSlowBodies } from './slow-bodies.ts'

export type Port = {
  /** Handles all requests from now on, and returns the address. Rejects if the port cannot be used. */
  serve(handler: RequestListener): Promise<string>
  /** Responds as a process that is alive and not ready. A port that cannot be used is reported by `serve`. */
  wait(): void
  /** Waits two seconds for requests in flight, and not for clients that keep idle connections open. */
  close(): Promise<void>
}

export function createPort(port: number, host: string): Port {
  let handler: RequestListener = respondWaiting
  let opened: Promise<Server> | null = null
  const open = () => {
    opened ??= listen(port, host, (request, response) => handler(request, response)).catch((error) => {
      opened = null
      throw error
    })
    return opened
  }
  return {
    async serve(next) {
      handler = next
      const { port: actual } = (await open()).address() as AddressInfo
      return `http://${host.includes(':') ? `[${host}]` : host}:${actual}`
    },
    wait() {
      handler = respondWaiting
      open().catch(() => {})
    },
    async close() {
      const server = await opened?.catch(() => null)
      opened = null
      if (server) await closeServer(server)
    },
  }
}

const respondWaiting: RequestListener = (request, response) => {
  const isHealth = request.url?.split('?')[0] === '/healthz'
  if (isHealth) {
    response.writeHead(200, { 'Content-Type': 'application/json' })
    return response.end(JSON.stringify({ status: 'ok', version: VERSION }))
  }
  const problem = problemResponse(databaseUnavailable())
  void problem.text().then((body) => {
    response.writeHead(problem.status, Object.fromEntries(problem.headers)).end(body)
  })
}

function listen(port: number, host: string, handler: RequestListener): Promise<Server> {
  const server = createServer(handler)
  limitPipelining(server)
  closeSlowBodies(server, systemClock)
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve(server))
  })
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeIdleConnections()
    setTimeout(() => server.closeAllConnections(), 2_000).unref()
  })
}
