// Serves an app on a free port for the duration of a test.
import type { AddressInfo } from 'node:net'
import { type ServerType, serve } from '@hono/node-server'
import { afterEach } from 'vitest'

type App = { fetch(request: Request): Response | Promise<Response> }

/** Returns a function that starts a server and resolves to its URL. */
export function useServer(): (app: App) => Promise<string> {
  const servers: ServerType[] = []
  afterEach(async () => {
    for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve))
  })
  return async (app) => {
    const server = await new Promise<ServerType>((resolve) => {
      const started = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, () => resolve(started))
    })
    servers.push(server)
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
}
