// What Prometheus asks of the database at each look: what is due and waiting, and how busy the pool is.
import { Gauge, type Registry } from 'prom-client'
import type { Clock } from '../ports/clock.ts'
import type { Overdue } from '../ports/store.ts'

export type Pool = { total: number; idle: number; waiting: number }

/** Several who look at once, or often, are told the same. */
const FRESH_MS = 5_000
/** Whoever looks waits no longer than this: a page without these figures is better than none. */
const PATIENCE_MS = 2_000

export function measureDatabase(
  registry: Registry,
  deps: { clock: Clock; missed: (now: number) => Promise<Overdue>; pool: (() => Pool) | null },
): void {
  const registers = [registry]
  const { clock, pool } = deps
  const look = remember(clock, () => soon(clock, deps.missed(clock.now())))
  /** A figure that is left out while it cannot be known. */
  function gauge(name: string, help: string, read: (missed: Overdue) => number): void {
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const missed = await look()
        if (missed === null) this.remove()
        else this.set(read(missed))
      },
    })
  }
  gauge('terce_due_events', 'Events that are due and not taken.', ({ count }) => count)
  gauge(
    'terce_oldest_due_seconds',
    'How long the oldest event that is due and not taken has been due; 0 if there is none.',
    ({ oldestAt }) => (oldestAt === null ? 0 : (clock.now() - oldestAt) / 1000),
  )
  new Gauge({
    name: 'terce_database_up',
    help: '1 if the database answered when last asked, 0 if not.',
    registers,
    async collect() {
      this.set((await look()) === null ? 0 : 1)
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

/** Null if it failed. */
function remember<T>(clock: Clock, read: () => Promise<T>): () => Promise<T | null> {
  let latest: { at: number; value: Promise<T | null> } | null = null
  return () => {
    const now = clock.now()
    if (latest === null || Math.abs(now - latest.at) >= FRESH_MS)
      latest = { at: now, value: read().catch(() => null) }
    return latest.value
  }
}

function soon<T>(clock: Clock, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(PATIENCE_MS, () => reject(new Error('The database does not answer.')))
    promise.then(resolve, reject).finally(() => timer.cancel())
  })
}
