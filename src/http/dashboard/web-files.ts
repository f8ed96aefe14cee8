// Serves the built files of the dashboard. Every other path under /app returns its page.
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { consumeRateLimit } from '../server/auth.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** `br`, `gzip`: the content compressed by the build. Absent where the platform compresses responses. */
export type WebFile = { bytes: Bytes; type: string; br?: Bytes; gzip?: Bytes }

/** Finds a built file by its path below the page, such as `assets/index-1a2b.js`; null if there is none. */
export type WebFiles = (path: string) => Promise<WebFile | null>

/** Allows files of this origin only, and nothing inline. */
const POLICY =
  "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

/** `basePath`: the page refers to its files by absolute paths, which get it; the files refer to each other by relative ones. */
export function mountWeb(api: OpenAPIHono, files: WebFiles, basePath = ''): void {
  api.get('/app', (c) => c.redirect('/app/'))
  api.get('/app/*', async (c) => {
    consumeRateLimit(c, null)
    const path = new URL(c.req.url).pathname.slice(`${basePath}/app/`.length)
    const file = path === '' ? null : await files(path)
    // File names contain a hash, so their content never changes.
    if (file !== null)
      return respond(c, file, path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : null)
    const page = path.startsWith('assets/') ? null : await pageOf(files, basePath)
    return page === null ? c.notFound() : respond(c, page, null)
  })
}

async function pageOf(files: WebFiles, basePath: string): Promise<WebFile | null> {
  const page = await files('index.html')
  if (page === null || basePath === '') return page
  const text = new TextDecoder().decode(page.bytes).replaceAll('"/app/', `"${basePath}/app/`)
  return { bytes: new TextEncoder().encode(text), type: page.type }
}

function respond(c: Context, file: WebFile, cache: string | null): Response {
  const encoding = ENCODINGS.find((name) => file[name] && accepts(c.req.header('Accept-Encoding'), name))
  return c.body(encoding ? file[encoding]! : file.bytes, 200, {
    'Content-Type': file.type,
    'Content-Security-Policy': POLICY,
    'Cache-Control': cache ?? 'no-cache',
    Vary: 'Accept-Encoding',
    ...(encoding && { 'Content-Encoding': encoding }),
  })
}

/** Smallest first. */
const ENCODINGS = ['br', 'gzip'] as const

export function accepts(header: string | undefined, encoding: string): boolean {
  return (header ?? '')
    .toLowerCase()
    .split(',')
    .some((part) => {
      const [name, ...parameters] = part.split(';').map((text) => text.trim())
      return name === encoding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))
    })
}
