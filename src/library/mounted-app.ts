// The app that an application mounts in its web server, and its responses outside of it. Alone of the library HTTP.
export { getRequestListener } from '@hono/node-server'

import { notReady, Problem, problemResponse } from '../api/problem.ts'
import type { Audit } from '../app/access/audit.ts'
import type { Planner } from '../engine/plan.ts'
import { isUnder } from '../http/server/caller/base-path.ts'
import { createNodeApp } from '../runtimes/node/api-server.ts'
import type { Database } from '../runtimes/node/database.ts'
import type { Observed } from '../runtimes/node/observe.ts'
import { accessOf } from '../runtimes/shared/access.ts'
import type { LibraryParts } from './parts.ts'

export type ServedApp = (request: Request, env?: object) => Response | Promise<Response>

type Wiring = {
  database: Database
  observed: Observed
  planner: Planner
  audit: Audit
  onPlanned: (at: number) => void
  state: { stopping: boolean }
}

/** Only callers that the application, a key or a session identifies have access. */
export function mountedApp<Tx>(
  { config, basePath = '', authenticate = null }: LibraryParts<Tx>,
  { database, observed, ...own }: Wiring,
): ServedApp {
  const place = { basePath, local: false, isClosed: true, ...(authenticate && { authenticate }) } as const
  const access = { ...accessOf(config, database, observed.telemetry), ...place }
  return createNodeApp(config, database, observed, { ...own, inbox: null, hasHandlers: true, access }).fetch
}

export async function respond(
  basePath: string,
  open: () => Promise<ServedApp>,
  request: Request,
  env?: object,
): Promise<Response> {
  if (!isUnder(basePath, request))
    return problemResponse(new Problem('ROUTE_NOT_FOUND', `Terce is served under ${basePath}/.`), basePath)
  let app: ServedApp
  try {
    app = await open()
  } catch (error) {
    return problemResponse(notReady(error), basePath)
  }
  return app(request, env)
}
