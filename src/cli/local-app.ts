// The API inside this process, on the database of DATABASE_URL. Access to the database is access to everything, so no key.
import type { Keyring } from '../app/access/api-keys.ts'
import { createAudit } from '../app/access/audit.ts'
import { createSessions } from '../app/access/sessions.ts'
import { createIds } from '../domain/events/uuid.ts'
import { createApp } from '../http/app.ts'
import type { HttpDeps } from '../http/http-deps.ts'
import type { Access } from '../http/server/auth.ts'
import { createGuessLimiter } from '../http/server/caller/guess-limit.ts'
import type { Config } from '../runtimes/config/config.ts'
import { VERSION } from '../runtimes/config/version.ts'
import type { Database } from '../runtimes/node/database.ts'
import { isKeyFileDenied, withStoredKeys } from '../runtimes/node/server-config.ts'
import { keysOf, randomToken } from '../runtimes/shared/access.ts'
import { channelsOf } from '../runtimes/shared/channels.ts'

const CLI = {
  id: 'cli',
  name: 'cli',
  scope: 'admin',
  sessionKey: 'cli',
  allowedFrom: [],
} as const

const FULL_ACCESS: Keyring = {
  check: async () => ({ kind: 'known', key: CLI }),
  keyOfSession: async () => null,
  forget() {},
}

export function localApp(
  given: Config,
  database: Pick<Database, 'store' | 'clock' | 'announce'>,
  more: Partial<HttpDeps> = {},
): ReturnType<typeof createApp> {
  const { store, clock, announce } = database
  // Most commands need no key.
  const config = isKeyFileDenied(given) ? given : withStoredKeys(given)
  const { deliverAt, notAfter, quietHours } = config
  const ids = createIds(Math.random)
  const planner = { ids, table: config.timezoneTable }
  const telemetry = () => {}
  const access: Access = {
    keyring: FULL_ACCESS,
    sessions: createSessions({ store, clock, telemetry, keyring: FULL_ACCESS, ids, newToken: randomToken }),
    publicUrl: null,
    limiter: null,
    guesses: createGuessLimiter(clock),
    remoteAddress: () => null,
    trustedProxies: [],
    local: true,
  }
  return createApp({
    app: { store, planner, clock, telemetry, deliverAt, notAfter, quietHours, onPlanned: announce },
    channels: channelsOf(config, { store, clock, ids }),
    keys: keysOf({ store, clock }),
    access,
    audit: createAudit({ store, clock, telemetry }),
    inbox: null,
    retries: config.retryPolicy.delaysMs,
    settings: config.settings,
    version: VERSION,
    metrics: null,
    ready: () => store.check(),
    onError: (error) => {
      throw error
    },
    ...more,
  })
}
