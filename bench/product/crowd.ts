// Creates people for a measurement through the import path: a crowd with birthdays over the year, and a spike.

import type { AppDeps } from '../../src/app/app-deps.ts'
import { createPeople, preparePerson } from '../../src/app/users/create.ts'
import { createIds } from '../../src/domain/events/uuid.ts'
import { tzdb } from '../../src/domain/time/tzdb.ts'
import type { NewPerson, Store } from '../../src/ports/store.ts'

const FIRST = ['Ada', 'Grace', 'Raden', 'Sofia', 'Mwai', 'Yuki', 'Noa', 'Li', 'Ines', 'Tariq', 'Zoe', 'Ivan']
const LAST = [
  'Lovelace',
  'Hopper',
  'Kartini',
  'Kovalevskaya',
  'Kibaki',
  'Mori',
  'Levi',
  'Wei',
  'Silva',
  'Aziz',
]
const ZONES = [
  'America/Los_Angeles',
  'America/New_York',
  'America/Sao_Paulo',
  'Europe/London',
  'Europe/Berlin',
  'Africa/Nairobi',
  'Asia/Kolkata',
  'Asia/Jakarta',
  'Asia/Shanghai',
  'Asia/Tokyo',
  'Australia/Sydney',
  'UTC',
]
const BATCH = 1_000

const planner = { ids: createIds(Math.random), table: tzdb }
const pick = (from: readonly string[], i: number) => from[i % from.length]!

function deps(store: Store, now: number): AppDeps {
  const clock = { now: () => now, elapsedMs: () => 0, after: () => ({ cancel() {} }) }
  return { store, planner, clock, telemetry() {}, deliverAt: '09:00', onPlanned() {} }
}

/** The person with that number: birthdays over the year, twelve timezones. */
export function crowdFields(i: number) {
  return {
    firstName: pick(FIRST, i),
    lastName: `${pick(LAST, Math.floor(i / FIRST.length))}-${i}`,
    dateOfBirth: new Date(Date.UTC(1992, 0, 1 + ((i * 7919) % 366))).toISOString().slice(0, 10),
    timezone: pick(ZONES, i * 5 + Math.floor(i / 97)),
  }
}

function person(app: AppDeps, fields: ReturnType<typeof crowdFields>): NewPerson {
  const prepared = preparePerson(app, fields)
  if (!prepared.ok) throw new Error(JSON.stringify(prepared.problems))
  return prepared.value
}

async function fill(
  store: Store,
  count: number,
  make: (app: AppDeps, i: number) => NewPerson,
  now = Date.now(),
) {
  const app = deps(store, now)
  for (let from = 0; from < count; from += BATCH) {
    const size = Math.min(BATCH, count - from)
    await createPeople(
      app,
      Array.from({ length: size }, (_, i) => make(app, from + i)),
    )
  }
}

/** Adds people whose birthdays are spread over the year, or others. `now` is the instant of their creation. */
export function addCrowd(
  store: Store,
  count: number,
  { now, fields = crowdFields }: { now?: number; fields?: typeof crowdFields } = {},
): Promise<void> {
  return fill(store, count, (app, i) => person(app, fields(i)), now)
}

/** Adds people whose events are all due at one instant. */
export function addSpike(store: Store, count: number, at: number): Promise<void> {
  return fill(store, count, (app, i) => {
    const one = person(app, crowdFields(i))
    for (const event of one.events) {
      event.targetAt = at
      event.id = planner.ids(at)
    }
    return one
  })
}
