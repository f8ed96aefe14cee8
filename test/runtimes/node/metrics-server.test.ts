// METRICS_PORT: which host names it accepts, and the key that it can require.
import { request } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { serveMetrics } from '../../../src/runtimes/node/metrics-server.ts'
import { createPort } from '../../../src/runtimes/node/port.ts'
import type { createMetrics } from '../../../src/telemetry/metrics.ts'

let server: ReturnType<typeof createPort>
afterEach(() => server.close())

async function start(key: string | null = null) {
  const metrics = { contentType: 'text/plain', render: async () => 'up 1\n' } as ReturnType<
    typeof createMetrics
  >
  server = createPort(0, '127.0.0.1')
  const address = await serveMetrics(server, metrics, { host: '127.0.0.1', metricsPort: 0, metricsKey: key })
  return (headers: Record<string, string>, path = '/metrics') =>
    new Promise<number>((resolve, reject) => {
      const { port } = new URL(address)
      request({ host: '127.0.0.1', port, path, headers }, (response) => {
        response.resume()
        resolve(response.statusCode!)
      })
        .on('error', reject)
        .end()
    })
}

describe('the metrics port', () => {
  it.each([
    [200, 'localhost:9090'],
    [200, '127.0.0.1:9090'],
    [200, '10.1.2.3:9090'],
    [200, '[fd00::1]:9090'],
    [200, 'worker:9090'],
    [200, 'terce.default.svc.cluster.local:9090'],
    [200, 'terce.default.svc:9090'],
    [403, 'evil.example'],
    [403, '127.0.0.1.nip.io:9090'],
    [403, 'worker.evil.example:9090'],
    [403, 'a b'],
  ])('responds with %i to the host %s', async (status, host) => {
    const get = await start()
    expect(await get({ Host: host })).toBe(status)
  })

  it('requires METRICS_KEY if it is set, from any host name, and not for its health', async () => {
    const get = await start('a-key-for-prometheus')
    expect(await get({})).toBe(401)
    expect(await get({ Authorization: 'Bearer another-key-for-it' })).toBe(401)
    const headers = { Host: 'metrics.example.com', Authorization: 'Bearer a-key-for-prometheus' }
    expect(await get(headers)).toBe(200)
    expect(await get({}, '/healthz')).toBe(200)
  })
})
