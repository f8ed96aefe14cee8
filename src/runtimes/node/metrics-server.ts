// Serves /metrics on METRICS_PORT: for a worker, which has no API, or for a scraper without an API key.
import type { ServerResponse } from 'node:http'
import { isSame } from '../../app/access/api-keys.ts'
import { isLoopback, parseIpAddress } from '../../domain/access/ip-address.ts'
import { sha256Hex } from '../../domain/formats/sha256.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import type { Config } from '../config/config.ts'
import type { Port } from './port.ts'

/** Returns the address of the page. */
export async function serveMetrics(
  port: Port,
  metrics: Metrics,
  { host, metricsPort, metricsKey: key }: Pick<Config, 'host' | 'metricsPort' | 'metricsKey'>,
): Promise<string> {
  const address = port.serve((request, response) => {
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
  try {
    return `${await address}/metrics`
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Error(`METRICS_PORT=${metricsPort} cannot be used: ${code}. Set it to a free port.`)
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
