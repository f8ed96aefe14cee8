// Serves /metrics on METRICS_PORT: for a worker, which has no API, or for a scraper without an API key.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Metrics } from '../../telemetry/metrics.ts'

export type MetricsServer = { address: string; close(): Promise<void> }

export async function serveMetrics(
  metrics: Metrics,
  { host, port }: { host: string; port: number },
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0]
    if (request.method !== 'GET') return respond(response, 405, 'Use GET.\n')
    if (path === '/healthz') return respond(response, 200, 'ok\n')
    if (path !== '/metrics') return respond(response, 404, 'Not found. Use /metrics or /healthz.\n')
    metrics.render().then(
      (page) => respond(response, 200, page, metrics.contentType),
      () => respond(response, 500, 'The metrics could not be read.\n'),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) =>
      reject(new Error(`METRICS_PORT=${port} cannot be used: ${code}. Set it to a free port.`)),
    )
    server.listen(port, host, resolve)
  })
  const { port: actual } = server.address() as AddressInfo
  return {
    address: `http://${host.includes(':') ? `[${host}]` : host}:${actual}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function respond(response: ServerResponse, status: number, body: string, type = 'text/plain'): void {
  response.writeHead(status, { 'Content-Type': type }).end(body)
}
