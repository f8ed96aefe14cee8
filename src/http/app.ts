// The HTTP API as one Hono app, for every runtime. Reads no environment, and no clock but the one given.
// A handler may read from the store directly. Every write, and every rule, is a function of src/app.
import { OpenAPIHono } from '@hono/zod-openapi'
import type { MiddlewareHandler } from 'hono'
import { methodNotAllowed } from 'hono/method-not-allowed'
import type { Live } from '../app/dashboard/live.ts'
import { mountAudit } from './access/audit-handlers.ts'
import { mountKeys } from './access/key-handlers.ts'
import { mountSession } from './access/session-handlers.ts'
import { mountChannels } from './channels/handlers.ts'
import { mountDashboard } from './dashboard/handlers.ts'
import { mountLive } from './dashboard/live-handler.ts'
import { mountWeb } from './dashboard/web-files.ts'
import { mountEvents } from './events/handlers.ts'
import { mountReplays } from './events/replay-handlers.ts'
import { mountRequest } from './events/request-operation.ts'
import { mountSendNow } from './events/send-now.ts'
import { mountFeeds } from './feeds/handlers.ts'
import type { HttpDeps } from './http-deps.ts'
import { mountInbox } from './inbox/handlers.ts'
import { mountLedger } from './ledger/handlers.ts'
import { mountOccasions } from './occasions/handlers.ts'
import { withAudit } from './server/audit.ts'
import { API_KEY_HEADER_SCHEME, API_KEY_SCHEME, consumeRateLimit, withAccess } from './server/auth.ts'
import { locateUnder, pathUnder } from './server/caller/base-path.ts'
import { requireCaller } from './server/caller/host-caller.ts'
import { Problem, problemResponse, unexpected } from './server/problem.ts'
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
  const { inbox, live, version, web = null, retries = [] } = deps
  const { basePath = '' } = deps.access
  const app = new OpenAPIHono(basePath === '' ? {} : { getPath: pathUnder(basePath) })
  const reject = (problem: Problem) => problemResponse(problem, basePath)
  if (basePath !== '') app.use(locateUnder(basePath))
  app.use(secureHeaders)
  app.use(withAccess(deps.access))
  app.use(withTurns(deps.users.clock))
  if (deps.access.isClosed) app.use(requireCaller)
  app.use(withAudit(deps.audit))
  if (live !== undefined) app.use(announceChanges(live))
  app.openAPIRegistry.registerComponent('securitySchemes', API_KEY_SCHEME, {
    type: 'http',
    scheme: 'bearer',
    description:
      'A key created with terce keys create or POST /key. Until a key exists, only this computer has access.',
  })
  app.openAPIRegistry.registerComponent('securitySchemes', API_KEY_HEADER_SCHEME, {
    type: 'apiKey',
    in: 'header',
    name: 'X-Api-Key',
    description: 'The same key, for clients that cannot send Authorization.',
  })
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed: (_, methods) => {
        const allowed = methods.join(', ')
        const headers = { Allow: allowed }
        return reject(new Problem('METHOD_NOT_ALLOWED', `Use ${allowed}.`, { headers }))
      },
    }),
  )
  app.notFound((c) => {
    consumeRateLimit(c, null)
    return reject(new Problem('ROUTE_NOT_FOUND', 'GET /docs lists all paths.'))
  })
  app.onError((error) => {
    const problem = error instanceof Problem ? error : unexpected(error)
    if (problem.cause !== undefined) deps.onError(problem.cause)
    return reject(problem)
  })

  mountTransfers(app, deps.users)
  // Before paths such as /user/{id}/event, which match an external id that is "event".
  mountByExternalId(app, deps.users)
  mountUsers(app, deps.users)
  mountOccasions(app, deps.users)
  mountTasks(app, deps.users)
  mountEvents(app, deps.users)
  mountReplays(app, deps.users)
  mountSendNow(app, deps.users, { allowed: deps.allowSendNow === true })
  mountRequest(app, { channels: deps.channels, store: deps.users.store, inbox })
  mountTemplates(app, deps.users)
  mountTimezones(app, deps.users)
  mountChannels(app, deps.channels)
  mountKeys(app, deps.keys, deps.access.keyring)
  mountAudit(app, deps.users.store)
  mountLedger(app, deps.users)
  mountFeeds(app, deps.users, deps.keys.newKey)
  mountDashboard(app, deps.users)
  mountPeopleBulk(app, deps.users)
  if (live !== undefined) mountLive(app, live)
  mountSession(app, { inbox: inbox !== null, version, retries, deliverAt: deps.users.deliverAt })
  if (web !== null) mountWeb(app, web, basePath)
  if (inbox !== null) mountInbox(app, inbox, deps.users.clock)
  mountSystem(app, deps)
  return app
}

/** A deleted user leaves the inbox too. */
function withErasure(deps: HttpDeps): HttpDeps {
  const { inbox, users } = deps
  return inbox === null ? deps : { ...deps, users: { ...users, onErased: inbox.forget } }
}

/** Announces successful changes to open dashboards. */
function announceChanges(live: Live): MiddlewareHandler {
  return async (c, next) => {
    await next()
    if (c.req.method !== 'GET' && c.res.ok) live.touch(c.req.path.split('/')[1] ?? '')
  }
}
