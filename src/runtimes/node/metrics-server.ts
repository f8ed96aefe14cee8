// Serves /metrics on METRICS_PORT: for a worker, which has no API, or for a scraper without an API key.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isSame } from '../../app/access/api-keys.ts'
import { sha256Hex } from '../../domain/formats/sha256.ts'
import { parseIpAddress } from '../../domain/settings/ip-address.ts'
import { isLoopback } from '../../http/server/caller/origin.ts'
import type { Metrics } from '../../telemetry/metrics.ts'

export type MetricsServer = { address: string; close(): Promise<void> }

export async function serveMetrics(
  metrics: Metrics,
  { host, port, key }: { host: string; port: number; key: string | null },
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0]
    if (request.method !== 'GET') return respond(response, 405, 'Use GET.\n')
    if (path === '/healthz') return respond(response, 200, 'ok\n')
    if (path !== '/metrics') return respond(response, 404, 'Not found. Use /metrics or /healthz.\n')
    if (key === null && !isLocalName(request.headers.host ?? '', host))
      return respond(response, 403, 'This host name is only accepted with METRICS_KEY.\n')
    if (key !== null && !isSame(sha256Hex(request.headers.authorization ?? ''), sha256Hex(`Bearer ${key}`)))
      return respond(response, 401, 'Send METRICS_KEY as Authorization: Bearer.\n')
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

/**
 * True for names that nobody on the internet can own: a page of another site could otherwise point its own name to this address
 * and read the metrics (DNS rebinding).
 */
function isLocalName(hostHeader: string, own: string): boolean {
  if (!URL.canParse(`http://${hostHeader}`)) return false
  const name = new URL(`http://${hostHeader}`).hostname.replace(/^\[(.*)\]$/, '$1')
  if (name === own || isLoopback(name) || parseIpAddress(name) !== null) return true
  return !name.includes('.') || /\.(local|internal|svc)$/.test(name)
}

function respond(response: ServerResponse, status: number, body: string, type = 'text/plain'): void {
  response.writeHead(status, { 'Content-Type': type }).end(body)
}
