// Opens the database, and makes all that the calls and the handlers of an application need. Not loaded by the import of the library:
// the stores and schemas take most of its time and memory.
import { createAudit } from '../app/access/audit.ts'
import { replan } from '../app/timezones/replan.ts'
import { createIds } from '../domain/events/uuid.ts'
import type { Engine } from '../engine/engine.ts'
import { observe } from '../runtimes/node/observe.ts'
import { createLogger } from '../telemetry/logger.ts'
import { createCall } from './calls/call.ts'
import { createJoin } from './calls/joined-store.ts'
import { createResources } from './calls/resources.ts'
import { collecting } from './handlers/deletions.ts'
import { handlerDestination } from './handlers/handler-channel.ts'
import { linesTo, printTo, reportTo } from './handlers/hooks.ts'
import type { ServedApp } from './mounted-app.ts'
import type { LibraryParts, LibraryState } from './parts.ts'

export type Opened = {
  resources: unknown
  /** The app for callers of the web server. */
  mount(): Promise<ServedApp>
  start(): Promise<Engine>
  close(): Promise<void>
}

export async function open<Tx>(parts: LibraryParts<Tx>, state: LibraryState<Tx>): Promise<Opened> {
  const { config, schema } = parts
  const { timeoutMs, timers } = parts.handlers
  const { transactions, concurrency, close: disconnect } = await parts.handlers.connect()
  const logger = createLogger(config.logLevel, parts.logger && linesTo(parts.logger))
  const database = await parts.open(logger).catch(async (error) => {
    await disconnect()
    throw error
  })
  const observed = observe(logger, database, config)
  const { telemetry } = observed
  const planner = { ids: createIds(parts.dice), table: config.timezoneTable }
  const { store, clock } = database
  const { deliverAt, notAfter, quietHours } = config
  const audit = createAudit({ store, clock, telemetry })
  const join = createJoin(transactions, schema)
  const wake = (at: number) => state.engine?.wake(at)
  const onPlanned = (at: number) => {
    wake(at)
    database.announce(at)
  }
  const rules = { deliverAt, notAfter, quietHours, hasHandlers: true }
  const app = { store: collecting(store), planner, clock, telemetry, onPlanned, ...rules }

  let mounted: Promise<ServedApp> | null = null

  async function start(): Promise<Engine> {
    await replan({ store, clock, planner, telemetry, onPlanned: () => {} }, { check: 'recent' })
    const { handlers } = state
    const destination = handlerDestination({
      clock: timers ?? clock,
      handlers,
      transactions,
      storeIn: join,
      timeoutMs,
      concurrency,
      report: reportTo(
        parts.hooks ?? {},
        printTo(parts.logger, config.logLevel),
        async (id) => (await store.findEvent(id)) !== null,
      ),
    })
    const { types: handled } = destination
    if (handled !== undefined && handlers.size > 0) {
      const types = (await store.listOccasionTypes()).filter((type) => !handled.includes(type))
      if (types.length > 0) telemetry({ kind: 'unhandled', types })
    }
    return parts.deliver({
      database,
      observed,
      planner,
      handlers: handlers.size > 0 ? destination : null,
    })
  }

  return {
    resources: createResources(createCall({ app, audit, wake, join })),
    mount() {
      mounted ??= import('./mounted-app.ts').then(({ mountedApp }) =>
        mountedApp(parts, { database, observed, planner, audit, onPlanned, state }),
      )
      return mounted
    },
    start,
    async close() {
      await disconnect()
      await audit.close()
      await database.close()
    },
  }
}
