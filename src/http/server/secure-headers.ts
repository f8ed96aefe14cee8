// Security headers of every response: no caching, no framing, no content sniffing.
import type { MiddlewareHandler } from 'hono'

const HEADERS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
}

/** For a year, where callers use https and Terce has the host for itself. Browsers ignore it over plain http. */
const HTTPS_ONLY = 'max-age=31536000'

/** Keeps headers that the operation set itself. */
export const secureHeaders: MiddlewareHandler = async (c, next) => {
  await next()
  for (const [name, value] of Object.entries(HEADERS))
    if (!c.res.headers.has(name)) c.res.headers.set(name, value)
  const { publicUrl, basePath = '' } = c.get('access')
  if (publicUrl?.startsWith('https:') && basePath === '')
    c.res.headers.set('Strict-Transport-Security', HTTPS_ONLY)
}
