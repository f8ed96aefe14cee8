// Database metrics, read at each scrape: overdue events, and how busy the connection pool is.
import { Gauge, type Registry } from 'prom-client'
import type { Clock } from '../ports/clock.ts'
import type { Overdue } from '../ports/store.ts'

/** Null if the database did not respond. Called several times for each scrape. */
export type ReadOverdue = () => Promise<Overdue | null>

export type Pool = { total: number; idle: number; waiting: number }

export function measureDatabase(
  registry: Registry,
  deps: { clock: Clock; overdue: ReadOverdue; pool: (() => Pool) | null },
): void {
  const registers = [registry]
  const { clock, pool } = deps
  /** A gauge that is left out while the database is down. */
  function gauge(name: string, help: string, read: (overdue: Overdue) => number): void {
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const overdue = await deps.overdue()
        if (overdue === null) this.remove()
        else this.set(read(overdue))
      },
    })
  }
  gauge('terce_due_events', 'Events that are due and not claimed.', ({ count }) => count)
  gauge(
    'terce_oldest_due_seconds',
    'How long the oldest event that is due and not claimed has been due; 0 if there is none.',
    ({ oldestAt }) => (oldestAt === null ? 0 : (clock.now() - oldestAt) / 1000),
  )
  new Gauge({
    name: 'terce_database_up',
    help: '1 if the database responded to the last query, 0 if not.',
    registers,
    async collect() {
      this.set((await deps.overdue()) === null ? 0 : 1)
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
