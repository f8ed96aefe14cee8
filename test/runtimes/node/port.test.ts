// A port stays open while its process starts: no request finds it closed.
import { request } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { createPort, type Port } from '../../../src/runtimes/node/port.ts'

const ports: Port[] = []
afterEach(() => Promise.all(ports.splice(0).map((port) => port.close())))

function open(number = 0): Port {
  const port = createPort(number, '127.0.0.1')
  ports.push(port)
  return port
}

/** The status of a request over a connection of its own, or the code of its error. */
const get = (address: string, path: string) =>
  new Promise<unknown>((resolve) => {
    request(new URL(path, address), { agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', ({ code }: NodeJS.ErrnoException) => resolve(code))
      .end()
  })

describe('a port', () => {
  it('responds before, during and after an attempt to start that fails', async () => {
    const port = open()
    const address = await port.serve((_, response) => response.writeHead(204).end())
    const seen = new Set<unknown>()
    for (let i = 0; i < 20; i++) {
      const responses = [get(address, '/readyz'), get(address, '/readyz')]
      if (i % 2 === 0) port.wait()
      else await port.serve((_, response) => response.writeHead(204).end())
      for (const status of await Promise.all(responses)) seen.add(status)
    }
    expect([...seen].sort()).toEqual([204, 503])
    port.wait()
    expect([await get(address, '/healthz'), await get(address, '/user')]).toEqual([200, 503])
  })

  it('that is in use is reported when it is served, and can be used once it is free', async () => {
    const other = open()
    const address = await other.serve((_, response) => response.end())
    const port = open(Number(new URL(address).port))
    port.wait()
    await expect(port.serve(() => {})).rejects.toMatchObject({ code: 'EADDRINUSE' })
    await other.close()
    expect(await port.serve((_, response) => response.end())).toBe(address)
  })
})
