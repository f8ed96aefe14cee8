// The HTTP API as one Hono app, the same on every runtime. Looks at no environment and no clock but the one given.
import { OpenAPIHono } from '@hono/zod-openapi'
import { methodNotAllowed } from 'hono/method-not-allowed'
import type { KeysDeps } from '../flow/api-keys.ts'
import type { ChannelsDeps } from '../flow/channels.ts'
import type { UsersDeps } from '../flow/users.ts'
import { type Access, API_KEY_SCHEME, withAccess } from './auth.ts'
import type { Inbox } from './inbox.ts'
import { problemResponse, Refusal } from './problem.ts'
import { mountChannels } from './routes/channels.ts'
import { mountEvents } from './routes/events.ts'
import { mountInbox } from './routes/inbox.ts'
import { mountKeys } from './routes/keys.ts'
import { mountReplays } from './routes/replays.ts'
import { mountSystem } from './routes/system.ts'
import { mountTemplates } from './routes/templates.ts'
import { mountUsers } from './routes/users.ts'
import { secureHeaders } from './secure-headers.ts'

export type AppDeps = {
  users: UsersDeps
  channels: ChannelsDeps
  keys: KeysDeps
  access: Access
  /** Null where nothing should be received, as in production. */
  inbox: Inbox | null
  version: string
  /** What Prometheus reads; null where there is nothing to read. */
  metrics: { contentType: string; render(): Promise<string> } | null
  /** Throws if the service cannot do its work. */
  ready: () => Promise<void>
  /** Told of every error that nobody expected. Nothing of it reaches the caller. */
  onError: (error: unknown) => void
}

export function createApp(deps: AppDeps): OpenAPIHono {
  const app = new OpenAPIHono()
  app.use(secureHeaders)
  app.use(withAccess(deps.access))
  app.openAPIRegistry.registerComponent('securitySchemes', API_KEY_SCHEME, {
    type: 'http',
    scheme: 'bearer',
    description:
      'A key that terce keys create, or POST /key, made. Without any key only this machine may call.',
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
  mountEvents(app, deps.users)
  mountReplays(app, deps.users)
  mountTemplates(app, deps.users)
  mountChannels(app, deps.channels)
  mountKeys(app, deps.keys, deps.access.keyring)
  if (deps.inbox !== null) mountInbox(app, deps.inbox, deps.users.clock)
  mountSystem(app, deps)
  return app
}
