// Serves the API and the dashboard of a Node process.
import type { IncomingMessage } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { Problem, problemResponse } from '../../api/problem.ts'
import { type Audit, createAudit } from '../../app/access/audit.ts'
import { startExpiry } from '../../app/access/expiry.ts'
import { createReadiness } from '../../app/readiness.ts'
import type { Planner } from '../../engine/plan.ts'
import { withDeadline } from '../../engine/timing.ts'
import { createApp } from '../../http/app.ts'
import type { Inbox } from '../../http/inbox/inbox.ts'
import type { Access } from '../../http/server/auth.ts'
import type { ConnectedStore } from '../../ports/store.ts'
import type { Config } from '../config/config.ts'
import { VERSION } from '../config/version.ts'
import { accessOf, isOpen, keysOf } from '../shared/access.ts'
import { channelsOf } from '../shared/channels.ts'
import { systemClock } from '../shared/system-clock.ts'
import type { Database } from './database.ts'
import type { Observed } from './observe.ts'
import type { Port } from './port.ts'
import { readWebFiles } from './web-files.ts'

export type ApiServer = { address: string; open: boolean; close(): Promise<void> }

type Process = {
  onPlanned: (at: number) => void
  onChannelSaved?: () => void
  state: { stopping: boolean }
  inbox: Inbox | null
  planner: Planner
  hasHandlers?: true
}

/** The API and the dashboard as a fetch handler. */
export function createNodeApp(
  config: Config,
  { store, clock }: Pick<Database, 'store' | 'clock'>,
  { telemetry, metrics }: Pick<Observed, 'telemetry' | 'metrics'>,
  {
    onPlanned,
    onChannelSaved,
    state,
    inbox,
    planner,
    hasHandlers,
    access,
    audit,
  }: Process & { access: Access; audit: Audit },
): ReturnType<typeof createApp> {
  const { deliverAt, notAfter, quietHours } = config
  const ready = createReadiness(clock, () => readyInTime(store))
  return createApp({
    app: { store, planner, clock, telemetry, deliverAt, notAfter, quietHours, onPlanned, hasHandlers },
    inbox,
    keys: keysOf({ store, clock }),
    access,
    audit,
    web: readWebFiles(),
    compresses: true,
    retries: config.retryPolicy.delaysMs,
    settings: config.settings,
    version: VERSION,
    metrics,
    channels: {
      ...channelsOf(config, { store, clock, ids: planner.ids }),
      ...(onChannelSaved && { onSaved: onChannelSaved }),
    },
    ready: () => (state.stopping ? Promise.reject(new Error('Terce is stopping.')) : ready()),
    onError: (error) => telemetry({ kind: 'error', operation: 'request', error, retryInMs: null }),
  })
}

/** The port stays open when the API is closed. */
export async function serveApi(
  port: Port,
  config: Config,
  database: Database,
  observed: Observed,
  process: Process,
): Promise<ApiServer> {
  const { store, clock } = database
  const { telemetry } = observed
  const access = accessOf(config, database, telemetry)
  const audit = createAudit({ store, clock, telemetry })
  const open = await isOpen(config, access)
  const app = createNodeApp(config, database, observed, { ...process, access, audit })
  const fetch: Parameters<typeof getRequestListener>[0] = (request, env) =>
    hasOneHost(env as { incoming: IncomingMessage })
      ? app.fetch(request, env)
      : problemResponse(new Problem('INVALID_HEADER', 'Send the header Host once.'))
  const address = await port.serve(getRequestListener(fetch, { hostname: config.host }))
  const stopExpiry = startExpiry({ store, clock, telemetry })
  return {
    address,
    open,
    close: async () => {
      stopExpiry()
      await audit.close()
    },
  }
}

/** Node takes the first of several Host headers; a proxy in front may have checked another one. */
function hasOneHost({ incoming }: { incoming: IncomingMessage }): boolean {
  return incoming.rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length <= 1
}

/** A database that takes longer than this to respond is not ready. */
const READY_MS = 2_000

function readyInTime(store: ConnectedStore): Promise<void> {
  const deadline = systemClock.now() + READY_MS
  return withDeadline(systemClock, deadline, store.check(), 'The database does not respond.')
}
