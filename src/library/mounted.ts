// The API and the dashboard inside the web server of an application: as a fetch handler, and as a listener of node:http.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { notReady, Problem, problemResponse } from '../api/problem.ts'
import { isUnder } from '../http/server/caller/base-path.ts'

export type { Authenticate } from '../http/server/caller/host-caller.ts'

type Served = (request: Request, env?: object) => Response | Promise<Response>

/** `open` resolves with the app under the path. */
export function createMount(basePath: string, open: () => Promise<Served>) {
  async function fetch(request: Request, env?: unknown): Promise<Response> {
    if (!isUnder(basePath, request))
      return problemResponse(new Problem('ROUTE_NOT_FOUND', `Terce is served under ${basePath}/.`), basePath)
    let app: Served
    try {
      app = await open()
    } catch (error) {
      return problemResponse(notReady(error), basePath)
    }
    return app(request, env as object)
  }

  const listen = getRequestListener(fetch)
  function listener(request: object, response: object): void {
    const incoming = request as Incoming
    // Express removes the path that the listener is mounted under.
    if (incoming.originalUrl !== undefined) incoming.url = incoming.originalUrl
    if (incoming.readableEnded && incoming.body !== undefined) incoming.rawBody ??= bytesOf(incoming.body)
    void listen(incoming, response as ServerResponse)
  }
  return { fetch, listener }
}

/** `body`: as a parser of the application has read it, such as express.json(). The listener reads `rawBody` instead of the stream. */
type Incoming = IncomingMessage & { originalUrl?: string; body?: unknown; rawBody?: Buffer }

function bytesOf(body: unknown): Buffer {
  return body instanceof Uint8Array
    ? Buffer.from(body)
    : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

/** Empty, or such as `/admin/terce`. It is written into pages, and has no character that HTML or a URL would escape. */
export function parseBasePath(text: string): string {
  const path = text.replace(/\/$/, '')
  if (/^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)*$/.test(path)) return path
  throw new TypeError(`The basePath "${text}" must be a path such as /admin/terce.`)
}
