// Web servers of applications that serve Terce under /admin/terce, each as its framework mounts it.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import Fastify from 'fastify'
import { Hono } from 'hono'
import type { Terce } from '../../../src/library/library.ts'

export type Host = { url: string; close(): Promise<void> }

export const BASE = '/admin/terce'

function listening(server: Server): Promise<Host> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(hostOf(server)))
  })
}

function hostOf(server: Server): Host {
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export async function onHono<Tx>(terce: Terce<Tx>): Promise<Host> {
  const app = new Hono()
  app.get('/', (c) => c.text('the application'))
  app.all(`${BASE}/*`, (c) => terce.fetch(c.req.raw, c.env as object))
  return new Promise((resolve) => {
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, () =>
      resolve(hostOf(server as Server)),
    )
  })
}

export function onNode<Tx>(terce: Terce<Tx>): Promise<Host> {
  const server = createServer((request, response) => {
    // Express 4 sets an empty body before anything has read the stream.
    if (request.url!.startsWith(BASE)) return terce.listener(Object.assign(request, { body: {} }), response)
    response.end('the application')
  })
  return listening(server)
}

/** Has no types of its own. */
type Express = {
  use(path: string, handle: Terce['listener']): void
  use(parser: object): void
  get(path: string, handle: (request: object, response: { send(text: string): void }) => void): void
} & Parameters<typeof createServer>[1]

export async function onExpress<Tx>(terce: Terce<Tx>): Promise<Host> {
  const name = 'express'
  const { default: express } = (await import(name)) as { default: (() => Express) & { json(): object } }
  const app = express()
  // Reads the bodies of Terce too, as in many applications.
  app.use(express.json())
  app.get('/', (_, response) => response.send('the application'))
  app.use(BASE, terce.listener)
  return listening(createServer(app))
}

export async function onFastify<Tx>(terce: Terce<Tx>): Promise<Host> {
  const app = Fastify()
  app.get('/', () => 'the application')
  app.register(async (scope) => {
    // Before Fastify reads the body.
    scope.addHook('onRequest', async (request, reply) => {
      reply.hijack()
      terce.listener(request.raw, reply.raw)
    })
    scope.all(BASE, () => {})
    scope.all(`${BASE}/*`, () => {})
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return hostOf(app.server)
}

/** A route of Next: app/admin/terce/[[...path]]/route.ts exports these functions. Next calls them with a request and a context. */
export async function onNext<Tx>({ fetch }: Terce<Tx>): Promise<Host> {
  const route = { GET: fetch, POST: fetch, PUT: fetch, DELETE: fetch }
  const app = new Hono()
  app.get('/', (c) => c.text('the application'))
  app.all(`${BASE}/*`, (c) => {
    const handle = route[c.req.method as keyof typeof route]
    return handle(c.req.raw, { params: Promise.resolve({ path: c.req.path.split('/').slice(3) }) })
  })
  return new Promise((resolve) => {
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, () =>
      resolve(hostOf(server as Server)),
    )
  })
}
