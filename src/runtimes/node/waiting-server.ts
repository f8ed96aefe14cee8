// Serves the ports of a process that still waits for its database: it is alive and not ready. Without it a liveness probe
// would restart the process again and again, and clients would find no server.
import { createServer, type Server } from 'node:http'
import { databaseUnavailable, problemResponse } from '../../http/server/problem.ts'
import type { Config } from '../config/config.ts'
import { VERSION } from '../config/version.ts'

export type WaitingServer = {
  /** Listens, unless it does already. A port that is in use is reported by the servers that come after it. */
  open(): void
  /** Resolves when the ports are free. */
  close(): Promise<void>
}

export function createWaitingServer(
  { host, port, metricsPort }: Pick<Config, 'host' | 'port' | 'metricsPort'>,
  role: 'all' | 'api' | 'worker',
): WaitingServer {
  const ports = [role === 'worker' ? null : port, metricsPort].filter((one) => one !== null)
  let servers: Promise<Server | null>[] = []
  return {
    open() {
      if (servers.length === 0) servers = ports.map((one) => listen(one, host))
    },
    async close() {
      for (const server of await Promise.all(servers.splice(0)))
        if (server !== null) await closeAtOnce(server)
    },
  }
}

function listen(port: number, host: string): Promise<Server | null> {
  const server = createServer((request, response) => {
    const isHealth = request.url?.split('?')[0] === '/healthz'
    if (isHealth) {
      response.writeHead(200, { 'Content-Type': 'application/json' })
      return response.end(JSON.stringify({ status: 'ok', version: VERSION }))
    }
    const problem = problemResponse(databaseUnavailable())
    void problem.text().then((body) => {
      response.writeHead(problem.status, Object.fromEntries(problem.headers)).end(body)
    })
  })
  return new Promise((resolve) => {
    server.once('error', () => resolve(null))
    server.listen(port, host, () => resolve(server))
  })
}

function closeAtOnce(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
