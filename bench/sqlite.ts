// Measures Terce on one SQLite file: creates people through the bulk path, then delivers all events that are due at one
// instant through a channel that does nothing, and inserts each successor.
// node bench/sqlite.ts [--people 100000] [--due 50000] [--rounds 3]

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { AppDeps } from '../src/app/app-deps.ts'
import { createPeople, preparePerson } from '../src/app/users/create.ts'
import { DELIVER_ALWAYS } from '../src/domain/events/lateness.ts'
import { DEFAULT_RETRY_POLICY } from '../src/domain/events/retry-policy.ts'
import { createIds } from '../src/domain/events/uuid.ts'
import { tzdb } from '../src/domain/time/tzdb.ts'
import { startEngine } from '../src/engine/engine.ts'
import { BREAKER } from '../src/engine/sending/circuit-breaker.ts'
import { onlyDestination } from '../src/engine/sending/destinations.ts'
import { createTemplates } from '../src/engine/sending/templates.ts'
import type { NewPerson, Store } from '../src/ports/store.ts'
import { systemClock } from '../src/runtimes/system-clock.ts'
import { openThreadedSqliteStore } from '../src/stores/sqlite/sqlite-store.ts'

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '100000' },
    due: { type: 'string', default: '50000' },
    rounds: { type: 'string', default: '3' },
  },
})
const people = Number(values.people)
const due = Number(values.due)

const PLANNED_AT = Date.UTC(2026, 10, 1)
const DUE_AT = Date.UTC(2026, 10, 15, 9)

const planner = { ids: createIds(Math.random), table: tzdb }

for (let round = 1; round <= Number(values.rounds); round++) {
  const folder = mkdtempSync(join(tmpdir(), 'terce-bench-'))
  const store = await openThreadedSqliteStore(join(folder, 'bench.db'), systemClock, (error) => {
    throw error
  })
  try {
    const created = await createAll(store)
    const drained = await drain(store)
    console.log(
      `round ${round}: created ${people} people at ${perSecond(people, created)}/s; ` +
        `drained ${due} events at ${perSecond(due, drained)}/s, successors included`,
    )
  } finally {
    await store.close()
    rmSync(folder, { recursive: true })
  }
}

/** Creates all people in batches of 1,000. The people with due events are spread evenly among them. */
async function createAll(store: Store): Promise<number> {
  const clock = { now: () => PLANNED_AT, after: () => ({ cancel() {} }) }
  const deps: AppDeps = { store, planner, clock, telemetry() {}, deliverAt: '09:00', onPlanned() {} }
  const started = performance.now()
  let batch: NewPerson[] = []
  for (let i = 0; i < people; i++) {
    const isDue = Math.floor((i * due) / people) !== Math.floor(((i + 1) * due) / people)
    const person = preparePerson(deps, {
      firstName: `Ada${i}`,
      lastName: 'Lovelace',
      dateOfBirth: isDue
        ? '1990-11-15'
        : `1990-${String((i % 10) + 1).padStart(2, '0')}-${String((i % 28) + 1).padStart(2, '0')}`,
      timezone: 'UTC',
    })
    if (!person.ok) throw new Error(JSON.stringify(person.problems))
    batch.push(person.value)
    if (batch.length === 1000 || i === people - 1) {
      await createPeople(deps, batch)
      batch = []
    }
  }
  return performance.now() - started
}

async function drain(store: Store): Promise<number> {
  let now = DUE_AT - 1
  let delivered = 0
  const done = Promise.withResolvers<void>()
  const clock = {
    now: () => now,
    after: (ms: number, callback: () => void) => {
      const timer = setTimeout(callback, ms)
      return { cancel: () => clearTimeout(timer) }
    },
  }
  const engine = startEngine(
    {
      store,
      planner,
      clock,
      dice: Math.random,
      retryPolicy: DEFAULT_RETRY_POLICY,
      templates: createTemplates({ store, clock, telemetry() {} }),
      lateness: DELIVER_ALWAYS,
      keepResponses: 'failures',
      telemetry: (notice) => {
        if (notice.kind === 'settled') delivered += notice.delivered
        if (notice.kind === 'error') throw notice.error
        if (delivered === due) done.resolve()
      },
      destinations: onlyDestination({
        deliver: async () => ({ kind: 'delivered', statusCode: 200 }),
        close: async () => {},
      }),
    },
    {
      workerId: 'bench',
      leaseMs: 60_000,
      concurrency: 1_000,
      batchSize: 1_000,
      pollMs: 60_000,
      graceMs: 1_000,
      breaker: BREAKER,
    },
  )
  const started = performance.now()
  now = DUE_AT
  engine.wake(now)
  await done.promise
  const tookMs = performance.now() - started
  await engine.stop()
  const left = await store.countOverdue(DUE_AT + 1)
  if (left.count !== 0) throw new Error(`${left.count} due events are left`)
  // Everyone has an event within the next year: a successor after a delivery, or else the first event.
  const planned = await store.countOverdue(DUE_AT + 366 * 24 * 60 * 60 * 1000)
  if (planned.count !== people) throw new Error(`${planned.count} events are planned for ${people} people`)
  return tookMs
}

function perSecond(count: number, ms: number): string {
  return Math.round((count * 1000) / ms).toLocaleString('en')
}
