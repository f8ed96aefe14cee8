// The path that the API and the dashboard are served under: empty, or such as `/admin/terce`. Routes are written without it.
import type { Context, MiddlewareHandler } from 'hono'
import { getPath } from 'hono/utils/url'

/** The path of a request without the base path, which the request has. */
export function pathUnder(basePath: string): (request: Request) => string {
  return (request) => getPath(request).slice(basePath.length) || '/'
}

export function isUnder(basePath: string, request: Request): boolean {
  const path = getPath(request)
  return path === basePath || path.startsWith(`${basePath}/`)
}

/** Adds the base path to the `Location` of every response, redirects too. */
export function locateUnder(basePath: string): MiddlewareHandler {
  return async (c, next) => {
    await next()
    const location = c.res.headers.get('Location')
    if (location?.startsWith('/')) c.res.headers.set('Location', basePath + location)
  }
}

/** The URL of the API as its callers use it. Behind a proxy, the URL of the request is another. */
export function ownUrl(c: Context): string {
  const { publicUrl, basePath = '' } = c.get('access')
  return (publicUrl ?? new URL(c.req.url).origin) + basePath
}
