// The HTTP API as one Hono app, the same on every runtime. Looks at no environment and no clock but the one given.
import { OpenAPIHono } from '@hono/zod-openapi'
import { methodNotAllowed } from 'hono/method-not-allowed'
import type { UsersDeps } from '../flow/users.ts'
import type { Inbox } from './inbox.ts'
import { problemResponse, Refusal } from './problem.ts'
import { mountEvents } from './routes/events.ts'
import { mountInbox } from './routes/inbox.ts'
import { mountSystem } from './routes/system.ts'
import { mountUsers } from './routes/users.ts'

export type AppDeps = {
  users: UsersDeps
  /** Null where nothing should be received, as in production. */
  inbox: Inbox | null
  version: string
  /** Throws if the service cannot do its work. */
  ready: () => Promise<void>
  /** Told of every error that nobody expected. Nothing of it reaches the caller. */
  onError: (error: unknown) => void
}

export function createApp(deps: AppDeps): OpenAPIHono {
  const app = new OpenAPIHono()
  app.use(async (c, next) => {
    await next()
    c.res.headers.set('X-Content-Type-Options', 'nosniff')
  })
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed: (_, methods) => {
        const allowed = methods.join(', ')
        return problemResponse(new Refusal('METHOD_NOT_ALLOWED', `Use ${allowed}.`), { Allow: allowed })
      },
    }),
  )
  app.notFound(() => problemResponse(new Refusal('ROUTE_NOT_FOUND', 'GET /docs shows what there is.')))
  app.onError((error) => {
    deps.onError(error)
    return problemResponse(new Refusal('INTERNAL', 'The error was noted. Try again later.'))
  })

  mountUsers(app, deps.users)
  mountEvents(app, deps.users.store)
  if (deps.inbox !== null) mountInbox(app, deps.inbox, deps.users.clock)
  mountSystem(app, deps)
  return app
}
