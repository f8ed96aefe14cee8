// The HTTP API as one Hono app, for every runtime. Reads no environment, and no clock but the one given.
// A handler may read from the store directly. Every write, and every rule, is a function of src/app.
import { OpenAPIHono } from '@hono/zod-openapi'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { Problem, problemResponse, unexpected } from '../api/problem.ts'
import { mountAudit } from './access/audit-handlers.ts'
import { mountKeys } from './access/key-handlers.ts'
import { mountSession } from './access/session-handlers.ts'
import { mountChannels } from './channels/handlers.ts'
import { mountChannelHealth } from './channels/health-handlers.ts'
import { mountDashboard } from './dashboard/handlers.ts'
import { mountWeb } from './dashboard/web-files.ts'
import { mountEvents } from './events/handlers.ts'
import { mountReplays } from './events/replay-handlers.ts'
import { mountFeeds } from './feeds/handlers.ts'
import type { HttpDeps } from './http-deps.ts'
import { mountInbox } from './inbox/handlers.ts'
import { mountLedger } from './ledger/handlers.ts'
import { mountOccasions } from './occasions/handlers.ts'
import { withAudit } from './server/audit.ts'
import { API_KEY_HEADER_SCHEME, API_KEY_SCHEME, consumeRateLimit, withAccess } from './server/auth.ts'
import { locateUnder, pathUnder } from './server/caller/base-path.ts'
import { requireCaller } from './server/caller/host-caller.ts'
import { secureHeaders } from './server/secure-headers.ts'
import { withTurns } from './server/turns.ts'
import { mountSystem } from './system/handlers.ts'
import { mountTasks } from './tasks/handlers.ts'
import { mountTemplates } from './templates/handlers.ts'
import { mountTimezones } from './timezones/handlers.ts'
import { mountPeopleBulk } from './users/bulk-handlers.ts'
import { mountByExternalId } from './users/by-external-id.ts'
import { mountUsers } from './users/handlers.ts'
import { mountTransfers } from './users/transfer-handlers.ts'

export function createApp(given: HttpDeps): OpenAPIHono {
  const deps = withErasure(given)
  const { inbox, version, web = null, retries = [] } = deps
  const { basePath = '' } = deps.access
  const api = new OpenAPIHono(basePath === '' ? {} : { getPath: pathUnder(basePath) })
  const reject = (problem: Problem) => problemResponse(problem, basePath)
  if (basePath !== '') api.use(locateUnder(basePath))
  api.use(secureHeaders)
  api.use(withAccess(deps.access))
  api.use(withTurns(deps.app.clock))
  if (deps.access.isClosed) api.use(requireCaller)
  api.use(withAudit(deps.audit))
  api.openAPIRegistry.registerComponent('securitySchemes', API_KEY_SCHEME, {
    type: 'http',
    scheme: 'bearer',
    description:
      'A key created with terce keys create or POST /key. Until a key exists, only this computer has access.',
  })
  api.openAPIRegistry.registerComponent('securitySchemes', API_KEY_HEADER_SCHEME, {
    type: 'apiKey',
    in: 'header',
    name: 'X-Api-Key',
    description: 'The same key, for clients that cannot send Authorization.',
  })
  api.use(
    methodNotAllowed({
      app: api,
      onMethodNotAllowed: (_, methods) => {
        const allowed = methods.join(', ')
        const headers = { Allow: allowed }
        return reject(new Problem('METHOD_NOT_ALLOWED', `Use ${allowed}.`, { headers }))
      },
    }),
  )
  api.notFound((c) => {
    consumeRateLimit(c, null)
    const singular = /^(\/[a-z]+)s(?:\/|$)/.exec(c.req.path)?.[1]
    if (web === null && /^\/app(?:\/|$)/.test(c.req.path))
      return reject(
        new Problem('ROUTE_NOT_FOUND', 'The dashboard is not built: run npm run build, then restart.'),
      )
    const hint = api.routes.some(({ path }) => path === singular) ? `Did you mean ${singular}? ` : ''
    return reject(new Problem('ROUTE_NOT_FOUND', `${hint}GET /docs lists all paths.`))
  })
  api.onError((error) => {
    const problem = error instanceof Problem ? error : unexpected(error)
    if (problem.cause !== undefined) deps.onError(problem.cause)
    return reject(problem)
  })

  mountTransfers(api, deps.app)
  // Before paths such as /user/{id}/event, which match an external id that is "event".
  mountByExternalId(api, deps.app)
  mountUsers(api, deps.app)
  mountOccasions(api, deps.app)
  mountTasks(api, deps.app)
  mountEvents(api, deps.app)
  mountReplays(api, deps.app)
  mountTemplates(api, deps.app)
  mountTimezones(api, deps.app)
  mountChannels(api, deps.channels)
  mountChannelHealth(api, deps.app)
  mountKeys(api, deps.keys, deps.access.keyring)
  mountAudit(api, deps.app.store)
  const reportTo = deps.settings.find(({ name }) => name === 'REPORT_TO')?.value ?? null
  mountLedger(api, { ...deps.app, reportTo })
  mountFeeds(api, deps.app, deps.keys.newKey)
  mountDashboard(api, deps.app)
  mountPeopleBulk(api, deps.app)
  mountSession(api, { inbox: inbox !== null, version, retries, deliverAt: deps.app.deliverAt })
  if (web !== null) mountWeb(api, web, basePath)
  if (inbox !== null) mountInbox(api, inbox, deps.app.clock, deps.channels)
  mountSystem(api, deps)
  return api
}

/** A deleted user leaves the inbox too. */
function withErasure(deps: HttpDeps): HttpDeps {
  const { inbox, app } = deps
  return inbox === null ? deps : { ...deps, app: { ...app, onErased: inbox.forget } }
}
