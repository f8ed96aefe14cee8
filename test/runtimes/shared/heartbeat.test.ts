// The call of HEARTBEAT_URL after a run: it is made, and its failure is reported and ends nothing.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createNodeDial } from '../../../src/channels/dial/node-dial.ts'
import type { Notice } from '../../../src/ports/telemetry.ts'
import { createPing } from '../../../src/runtimes/shared/heartbeat.ts'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

async function startReceiver(status: number) {
  const calls: string[] = []
  const server = createServer((request, response) => {
    calls.push(`${request.method} ${request.url}`)
    response.writeHead(status, { location: '/elsewhere' }).end('ok')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => server.close())
  return { calls, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/ping/a-token` }
}

async function ping(url: string | null, guard: 'any' | 'public' = 'any'): Promise<Notice[]> {
  const notices: Notice[] = []
  await createPing(createNodeDial(guard), url)((notice) => notices.push(notice))
  return notices
}

describe('the ping of a run', () => {
  it('calls the URL once, and reports nothing', async () => {
    const { url, calls } = await startReceiver(200)
    expect(await ping(url)).toEqual([])
    expect(calls).toEqual(['GET /ping/a-token'])
  })

  it('does nothing without a URL', async () => {
    expect(await ping(null)).toEqual([])
  })

  it.each([500, 302])('reports a response of %s, and follows no redirect', async (status) => {
    const { url, calls } = await startReceiver(status)
    const error = { kind: 'error', operation: 'ping', error: { code: `HTTP_${status}` } }
    expect(await ping(url)).toMatchObject([error])
    expect(calls).toHaveLength(1)
  })

  it('reports a receiver that cannot be reached, and a target that the guard forbids', async () => {
    expect(await ping('http://127.0.0.1:9/')).toMatchObject([{ kind: 'error', operation: 'ping' }])
    const { url, calls } = await startReceiver(200)
    expect(await ping(url, 'public')).toMatchObject([{ kind: 'error', operation: 'ping' }])
    expect(calls).toEqual([])
  })
})
