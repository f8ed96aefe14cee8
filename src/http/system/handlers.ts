// The service about itself: where to look, whether it works, and its own reference.
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { HttpDeps } from '../http-deps.ts'
import { renderReference } from '../reference/page.ts'
import { mount } from '../server/operation.ts'
import { Problem } from '../server/problem.ts'
import { FRONT_DOOR, HEALTH, METRICS, OPENAPI, READINESS, REFERENCE } from './operations.ts'

type SystemDeps = Pick<HttpDeps, 'version' | 'metrics' | 'ready' | 'onError'>

const DESCRIPTION = [
  "Terce delivers a message to each person at nine o'clock their time, once, whatever breaks.",
  'Create a person, and their birthday is planned; change or delete them, and the plan follows.',
  'Instants are ISO 8601 in UTC. Refusals are problem documents (RFC 9457) with a stable `code`. Unknown fields and parameters are refused, so that a misspelling is never silent.',
].join('\n\n')

/** Its own style, and nothing else: no script, no form, no frame around it. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export function mountSystem(app: OpenAPIHono, deps: SystemDeps): void {
  const { version } = deps
  // Made when first asked for, when every operation is mounted.
  let made: ReturnType<typeof describe> | null = null
  const document = () => {
    made ??= describe(app, version)
    return made
  }

  mount(app, FRONT_DOOR, ({ c }) => {
    const links = { reference: '/docs', openapi: '/openapi.json', people: '/user', events: '/event' }
    return c.json({ name: 'terce', version, links: { ...links, health: '/healthz', readiness: '/readyz' } })
  })

  mount(app, HEALTH, ({ c }) => c.json({ status: 'ok', version }))

  mount(app, READINESS, async ({ c }) => {
    try {
      await deps.ready()
    } catch (error) {
      deps.onError(error)
      throw new Problem('NOT_READY', 'It cannot do its work now. The log says why; ask again soon.')
    }
    return c.json({ status: 'ok', version })
  })

  const { metrics } = deps
  if (metrics !== null) {
    mount(app, METRICS, async ({ c }) =>
      c.body(await metrics.render(), 200, { 'Content-Type': metrics.contentType }),
    )
  }

  mount(app, OPENAPI, ({ c }) => c.json(document()))

  mount(app, REFERENCE, ({ c }) => {
    c.header('Content-Security-Policy', PAGE_POLICY)
    return c.html(renderReference(document(), new URL(c.req.url).origin))
  })
}

function describe(app: OpenAPIHono, version: string) {
  return app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'Terce', version, description: DESCRIPTION, license: { name: 'MIT' } },
    servers: [{ url: '/' }],
  })
}
