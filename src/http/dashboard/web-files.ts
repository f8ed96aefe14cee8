// Serves the built files of the dashboard. Every other path under /app returns its page.
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { consumeRateLimit } from '../server/auth.ts'

export type WebFile = { bytes: Uint8Array<ArrayBuffer>; type: string }

/** Finds a built file by its path below the page, such as `assets/index-1a2b.js`; null if there is none. */
export type WebFiles = (path: string) => Promise<WebFile | null>

/** Allows files of this origin only, and nothing inline. */
const POLICY =
  "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

export function mountWeb(app: OpenAPIHono, files: WebFiles): void {
  app.get('/app', (c) => c.redirect('/app/'))
  app.get('/app/*', async (c) => {
    consumeRateLimit(c, null)
    const path = new URL(c.req.url).pathname.slice('/app/'.length)
    const file = path === '' ? null : await files(path)
    // File names contain a hash, so their content never changes.
    if (file !== null)
      return answer(c, file, path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : null)
    const page = path.startsWith('assets/') ? null : await files('index.html')
    return page === null ? c.notFound() : answer(c, page, null)
  })
}

function answer(c: Context, { bytes, type }: WebFile, cache: string | null): Response {
  const headers = {
    'Content-Type': type,
    'Content-Security-Policy': POLICY,
    'Cache-Control': cache ?? 'no-cache',
  }
  return c.body(bytes, 200, headers)
}
