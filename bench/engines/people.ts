// Creates people for Terce whose birthdays fall on given instants, so that each successor is planned exactly one year later.
// Also seeds a million people at once by SQL.
import type pg from 'pg'
import type { AppDeps } from '../../src/app/app-deps.ts'
import { preparePerson } from '../../src/app/users/create.ts'
import { createIds } from '../../src/domain/events/uuid.ts'
import { tzdb } from '../../src/domain/time/tzdb.ts'
import type { NewPerson, Store } from '../../src/ports/store.ts'

export const planner = { ids: createIds(Math.random), table: tzdb }

let made = 0

/** Validates and plans as the API does, then sets the exact instant: a birthday has no milliseconds. */
export function personDueAt(store: Store, at: number): NewPerson {
  made += 1
  const due = new Date(at).toISOString()
  const deps: AppDeps = {
    store,
    planner,
    clock: { now: () => at - 60_000, after: () => ({ cancel() {} }) },
    telemetry() {},
    deliverAt: due.slice(11, 19),
    onPlanned() {},
  }
  const prepared = preparePerson(deps, {
    firstName: `Ada${made}`,
    lastName: 'Lovelace',
    // A leap year, so that 29 February is a valid date of birth.
    dateOfBirth: `1992-${due.slice(5, 10)}`,
    timezone: 'UTC',
  })
  if (!prepared.ok) throw new Error(JSON.stringify(prepared.problems))
  for (const event of prepared.value.events) event.targetAt = at
  return prepared.value
}

/** Inserts users, their birthdays and one future event each, spread over a year. Never timed. */
export async function seedPeople(pool: pg.Pool, count: number): Promise<void> {
  const client = await pool.connect()
  try {
    // In portions, and without foreign key checks: the keys are correct by construction.
    await client.query(`SET session_replication_role = replica`)
    for (let left = count; left > 0; left -= 250_000) await client.query(SEED, [Math.min(left, 250_000)])
    await client.query(`SET session_replication_role = origin`)
  } finally {
    client.release()
  }
}

// The id of an event carries its instant, as in createIds: 48 bits of milliseconds, then the version.
const SEED = `
  WITH people AS MATERIALIZED (
    SELECT i, gen_random_uuid() AS user_id, gen_random_uuid() AS occasion_id,
           date_trunc('milliseconds', now() + interval '1 day' + random() * interval '364 days') AS at
    FROM generate_series(1, $1::int) i
  ), new_users AS (
    INSERT INTO terce.users (id, first_name, last_name, search_text, date_of_birth, timezone, version, created_at, updated_at)
    SELECT user_id, 'Ada' || i, 'Lovelace', 'ada' || i || ' lovelace', '1992-' || to_char(at AT TIME ZONE 'UTC', 'MM-DD'), 'UTC', 1, now(), now()
    FROM people
  ), new_occasions AS (
    INSERT INTO terce.occasions (id, user_id, type, local_time, leap_day)
    SELECT occasion_id, user_id, 'BIRTHDAY', to_char(at AT TIME ZONE 'UTC', 'HH24:MI:SS'), 'MARCH_1' FROM people
  )
  INSERT INTO terce.events (id, occasion_id, occurrence, target_at, offset_seconds, timezone, tz_version, retry_count, version, created_at, updated_at, wake_at, plan_revision)
  SELECT (lpad(to_hex(floor(extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid,
         occasion_id, to_char(at AT TIME ZONE 'UTC', 'YYYY'), at, 0, 'UTC', 'seed', 0, 1, now(), now(), at, 0
  FROM people`
