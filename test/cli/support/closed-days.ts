// A SQLite file whose ledger has closed days. The people of a day have their birthday on it, and their messages end as asked.
import { readFileSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { closeDays } from '../../../src/app/ledger/close-days.ts'
import { localApp } from '../../../src/cli/local-app.ts'
import { createIds } from '../../../src/domain/events/uuid.ts'
import { tzdb } from '../../../src/domain/time/tzdb.ts'
import { planSuccessor } from '../../../src/engine/plan.ts'
import type { Claim, Settlement } from '../../../src/ports/claim.ts'
import { readConfig } from '../../../src/runtimes/config/config.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { clockAt } from '../../support/fixtures.ts'

/** `lost`: the event is deleted behind the engine's back. The account misses it and the event that should follow it. */
export type Fate = 'delivered' | 'late' | 'failed' | 'paused' | 'lost'

export type Greeted = { day: string; fate: Fate; eventId: string; occasionId: string }

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const planner = { ids: createIds(Math.random), table: tzdb }

type Days = Readonly<Record<string, readonly Fate[]>>

/** A ledger takes half a second to make, and most tests begin with the same one: each is made once and copied. */
const made = new Map<string, { file: Uint8Array; greeted: Greeted[] }>()

/** `days`: consecutive days with the fates of their people. The last ones may stay open: `close` is how many are closed. */
export async function keepLedger(
  path: string,
  days: Days,
  close = Object.keys(days).length,
): Promise<Greeted[]> {
  const key = JSON.stringify([days, close])
  const known = made.get(key)
  if (known !== undefined) {
    writeFileSync(path, known.file)
    return known.greeted
  }
  const greeted = await makeLedger(path, days, close)
  made.set(key, { file: readFileSync(path), greeted })
  return greeted
}

async function makeLedger(path: string, days: Days, close: number): Promise<Greeted[]> {
  let now = Date.parse(Object.keys(days)[0]!)
  const clock = clockAt(() => now)
  const store = openSqliteStore(path)
  const app = localApp(readConfig({ DATABASE_URL: `sqlite:${path}` }), { store, clock, announce() {} })
  const post = async (to: string, body?: object) => {
    const headers = { 'Content-Type': 'application/json' }
    const response = await app.request(to, {
      method: 'POST',
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(await response.text())
    return response.json() as Promise<{ nextBirthdayEvent: { id: string; occasionId: string } }>
  }
  const ledger = { store, clock, planner, telemetry() {} }
  // The ledger begins with the day on which it is first looked for.
  await closeDays(ledger)

  const greeted: Greeted[] = []
  for (const [day, fates] of Object.entries(days)) {
    for (const fate of fates) {
      const dateOfBirth = `1992${day.slice(4)}`
      const externalId = `crm-${greeted.length + 1}`
      const person = { externalId, firstName: 'Ada', lastName: 'Lovelace', dateOfBirth, timezone: 'UTC' }
      const { nextBirthdayEvent } = await post('/user', person)
      greeted.push({
        day,
        fate,
        eventId: nextBirthdayEvent.id,
        occasionId: nextBirthdayEvent.occasionId,
      })
    }
  }
  for (const [i, day] of Object.keys(days).entries()) {
    now = Date.parse(day) + 8 * HOUR_MS
    for (const { occasionId, eventId, fate } of greeted.filter((one) => one.day === day)) {
      if (fate === 'paused') await post(`/occasion/${occasionId}/pause`)
      if (fate === 'lost') deleteEvent(path, eventId)
    }
    now = Date.parse(day) + 9 * HOUR_MS
    const claims = await store.claimDue({
      now,
      limit: 1_000,
      leaseMs: 600_000,
      claimedBy: 'worker-1',
      render: () => '{}',
    })
    await store.settle(claims.map((claim) => settlementOf(claim, greeted, now)))
    now = Date.parse(day) + DAY_MS + 12 * HOUR_MS
    if (i < close) await closeDays(ledger)
  }
  await store.close()
  return greeted
}

function deleteEvent(path: string, id: string): void {
  const db = new DatabaseSync(path)
  db.prepare('DELETE FROM events WHERE id = ?').run(id)
  db.close()
}

function settlementOf(claim: Claim, greeted: readonly Greeted[], now: number): Settlement {
  const { fate } = greeted.find(({ eventId }) => eventId === claim.id)!
  const at = fate === 'late' ? now + 300_000 : now + 200
  const delivered = fate !== 'failed'
  return {
    kind: 'terminal',
    eventId: claim.id,
    version: claim.version,
    at,
    status: delivered ? 'COMPLETED' : 'FAILED',
    failure: delivered ? null : { code: 'HTTP 410', lastError: 'HTTP 410' },
    statusCode: delivered ? 200 : 410,
    planRevision: claim.planRevision,
    successor: planSuccessor(planner, claim, { now: at, delivered }),
    reminded: null,
  }
}
