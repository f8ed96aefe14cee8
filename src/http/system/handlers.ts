// The index, health checks, metrics, the OpenAPI document and the reference page.
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { isKnown } from '../../api/entity-tag.ts'
import { notReady } from '../../api/problem.ts'
import { accepts } from '../dashboard/web-files.ts'
import type { HttpDeps } from '../http-deps.ts'
import { type CachedPage, createCachedPage, REFERENCE_POLICY } from '../reference/cached-page.ts'
import { renderReference } from '../reference/page.ts'
import { UNKNOWN_ORIGIN } from '../reference/script.ts'
import { TAGS } from '../reference/tags.ts'
import { mount } from '../server/operation.ts'
import { FRONT_DOOR, HEALTH, LIST_SETTINGS, METRICS, OPENAPI, READINESS, REFERENCE } from './operations.ts'

type SystemDeps = Pick<
  HttpDeps,
  'access' | 'web' | 'compresses' | 'version' | 'settings' | 'metrics' | 'ready' | 'onError'
>

const DESCRIPTION = [
  'Terce delivers a message to each person at 09:00 their local time, once.',
  'Create a person to schedule their birthday message. Changing or deleting the person reschedules or cancels it.',
  'Instants are ISO 8601, in UTC unless the field says local. Errors are problem documents (RFC 9457) with a stable `code`. Unknown fields and parameters are rejected.',
].join('\n\n')

const LINKS = {
  reference: '/docs',
  openapi: '/openapi.json',
  people: '/user',
  events: '/event',
  health: '/healthz',
  readiness: '/readyz',
}

export function mountSystem(api: OpenAPIHono, deps: SystemDeps): void {
  const { version } = deps
  const { basePath = '' } = deps.access
  // Built on the first request, after every operation is mounted.
  let made: ReturnType<typeof describe> | null = null
  const document = () => {
    made ??= describe(api, version, basePath)
    return made
  }
  // Only documents without secrets are compressed: the length of a compressed response reveals part of its content (BREACH).
  const compresses = deps.compresses === true
  const json = createCachedPage(() => JSON.stringify(document()), { compresses })
  const origin = (deps.access.publicUrl ?? UNKNOWN_ORIGIN) + basePath
  const page = createCachedPage(
    async () => String(await renderReference(document(), origin, { dashboard: deps.web != null, basePath })),
    { compresses },
  )

  mount(api, FRONT_DOOR, ({ c }) => {
    c.header('Vary', 'Accept')
    if (c.req.header('Accept')?.includes('text/html')) return c.redirect(deps.web ? '/app/' : '/docs')
    const links = Object.entries(LINKS).map(([name, path]) => [name, basePath + path])
    return c.json({ name: 'terce', version, links: Object.fromEntries(links) })
  })

  mount(api, HEALTH, ({ c }) => c.json({ status: 'ok', version }))

  mount(api, READINESS, async ({ c }) => {
    try {
      await deps.ready()
    } catch (error) {
      deps.onError(error)
      throw notReady(error)
    }
    return c.json({ status: 'ok', version })
  })

  const { metrics } = deps
  if (metrics !== null) {
    mount(api, METRICS, async ({ c }) =>
      c.body(await metrics.render(), 200, { 'Content-Type': metrics.contentType }),
    )
  }

  const items = deps.settings.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  mount(api, LIST_SETTINGS, ({ c }) => c.json({ items }))

  mount(api, OPENAPI, async ({ c }) => cacheable(c, await json(), 'application/json'))

  mount(api, REFERENCE, async ({ c }) => {
    c.header('Content-Security-Policy', REFERENCE_POLICY)
    return cacheable(c, await page(), 'text/html; charset=UTF-8')
  })
}

/** These documents have no data of callers: a browser may keep them, and asks whether they have changed. */
function cacheable(c: Context, { bytes, gzip, tag }: CachedPage, type: string): Response {
  const headers = { ETag: tag, 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' }
  if (isKnown(c.req.header('If-None-Match'), tag)) return c.body(null, 304, headers)
  if (gzip === null || !accepts(c.req.header('Accept-Encoding'), 'gzip'))
    return c.body(bytes, 200, { ...headers, 'Content-Type': type })
  return c.body(gzip, 200, { ...headers, 'Content-Type': type, 'Content-Encoding': 'gzip' })
}

function describe(api: OpenAPIHono, version: string, basePath: string) {
  return api.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Terce',
      version,
      description: DESCRIPTION,
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: [{ url: basePath || '/' }],
    tags: [...TAGS],
  })
}
