// Database metrics, read at each scrape: overdue events, messages that wait for channels, what can miss people, and how
// busy the connection pool is.
import { Gauge, type Registry } from 'prom-client'
import type { Clock } from '../ports/clock.ts'
import type { Overdue } from '../ports/store.ts'
import { RUN_METRICS } from './metric-list.ts'

/** Null if the database did not respond. Called several times for each scrape. */
export type ReadOverdue = () => Promise<Overdue | null>

/** Null if the database did not respond. Called several times for each scrape. */
export type ReadMissed = () => Promise<Readonly<Record<string, number>> | null>

/** The messages that wait for each channel that does not send. Null if the database did not respond. */
export type ReadWaiting = () => Promise<readonly { name: string; waiting: number }[] | null>

export type Pool = { total: number; idle: number; waiting: number }

export function measureDatabase(
  registry: Registry,
  deps: {
    clock: Clock
    overdue: ReadOverdue
    missed: ReadMissed
    waiting: ReadWaiting
    pool: (() => Pool) | null
  },
): void {
  const registers = [registry]
  const { clock, pool } = deps
  /** A gauge that is left out while the database is down. */
  function gauge<T>(
    name: keyof typeof RUN_METRICS,
    get: () => Promise<T | null>,
    read: (got: T) => number,
  ): void {
    new Gauge({
      name,
      help: RUN_METRICS[name].help,
      registers,
      async collect() {
        const got = await get()
        if (got === null) this.remove()
        else this.set(read(got))
      },
    })
  }
  gauge('terce_due_events', deps.overdue, ({ count }) => count)
  gauge('terce_oldest_due_seconds', deps.overdue, ({ oldestAt }) =>
    oldestAt === null ? 0 : (clock.now() - oldestAt) / 1000,
  )
  new Gauge({
    name: 'terce_missed',
    help: RUN_METRICS.terce_missed.help,
    labelNames: ['reason'],
    registers,
    async collect() {
      this.reset()
      for (const [reason, count] of Object.entries((await deps.missed()) ?? {})) this.set({ reason }, count)
    },
  })
  new Gauge({
    name: 'terce_database_up',
    help: '1 if the database responded to the last query, 0 if not.',
    registers,
    async collect() {
      this.set((await deps.overdue()) === null ? 0 : 1)
    },
  })
  new Gauge({
    name: 'terce_destination_waiting',
    help: 'Messages that wait for a channel which is stopped, or whose destination is down.',
    labelNames: ['channel'],
    registers,
    async collect() {
      const stopped = (await deps.waiting()) ?? []
      this.reset()
      for (const { name, waiting } of stopped) this.set({ channel: name }, waiting)
    },
  })
  if (pool !== null) measurePool(registers, pool)
}

function measurePool(registers: Registry[], pool: () => Pool): void {
  new Gauge({
    name: 'terce_database_connections',
    help: 'Connections in the pool.',
    labelNames: ['state'],
    registers,
    collect() {
      const { total, idle } = pool()
      this.set({ state: 'busy' }, total - idle)
      this.set({ state: 'idle' }, idle)
    },
  })
  new Gauge({
    name: 'terce_database_waiting',
    help: 'Operations that wait for a connection.',
    registers,
    collect() {
      this.set(pool().waiting)
    },
  })
}
