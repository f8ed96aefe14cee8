// The API and the dashboard inside the web server of an application: as a fetch handler, and as a listener of node:http.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ServedApp } from './mounted-app.ts'

/** `open` resolves with the app under the path. The code of the web server is loaded at the first request. */
export function createMount(basePath: string, open: () => Promise<ServedApp>) {
  const load = () => import('./mounted-app.ts')
  type Listen = (request: IncomingMessage, response: ServerResponse) => unknown
  let listening: Promise<Listen> | null = null

  async function fetch(request: Request, env?: unknown): Promise<Response> {
    return (await load()).respond(basePath, open, request, env as object)
  }

  function listener(request: object, response: object): void {
    const incoming = request as Incoming
    // Express removes the path that the listener is mounted under.
    if (incoming.originalUrl !== undefined) incoming.url = incoming.originalUrl
    if (incoming.readableEnded && incoming.body !== undefined) incoming.rawBody ??= bytesOf(incoming.body)
    listening ??= load().then(({ getRequestListener }) => getRequestListener(fetch))
    void listening.then((listen) => listen(incoming, response as ServerResponse))
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
