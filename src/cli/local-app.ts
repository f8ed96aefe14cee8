// The API inside this process, on the database of DATABASE_URL. Access to the database is access to everything, so no key.
import { createIds } from '../domain/events/uuid.ts'
import { createApp } from '../http/app.ts'
import type { HttpDeps } from '../http/http-deps.ts'
import type { Access } from '../http/server/auth.ts'
import type { Config } from '../runtimes/config/config.ts'
import { VERSION } from '../runtimes/config/version.ts'
import { keysOf } from '../runtimes/node/access.ts'
import { channelsOf } from '../runtimes/node/channels.ts'
import type { Database } from '../runtimes/node/database.ts'

const FULL_ACCESS: Access = {
  keyring: { check: async () => ({ kind: 'known', key: { id: 'local', scope: 'admin' } }), forget() {} },
  limiter: null,
  remoteAddress: () => null,
  local: true,
}

export function localApp(
  config: Config,
  database: Pick<Database, 'store' | 'clock' | 'announce'>,
  more: Partial<HttpDeps> = {},
): ReturnType<typeof createApp> {
  const { store, clock, announce } = database
  const { deliverAt, notAfter, quietHours } = config
  const ids = createIds(Math.random)
  const planner = { ids, table: config.timezoneTable }
  return createApp({
    users: { store, planner, clock, telemetry() {}, deliverAt, notAfter, quietHours, onPlanned: announce },
    channels: channelsOf(config, { store, clock, ids }),
    keys: keysOf({ store, clock }),
    access: FULL_ACCESS,
    inbox: null,
    retries: config.retryPolicy.delaysMs,
    version: VERSION,
    metrics: null,
    ready: () => store.check(),
    onError: (error) => {
      throw error
    },
    ...more,
  })
}
