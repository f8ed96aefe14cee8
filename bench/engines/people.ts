// Creates people for Terce whose birthdays fall on given instants, so that each successor is planned exactly one year later.
// Also seeds millions of people by SQL.
import type pg from 'pg'
import type { AppDeps } from '../../src/app/app-deps.ts'
import { preparePerson } from '../../src/app/users/create.ts'
import { laneOf } from '../../src/domain/events/lane.ts'
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
    clock: { now: () => at - 60_000, elapsedMs: () => 0, after: () => ({ cancel() {} }) },
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

const PORTION = 250_000

/** Inserts people with an e-mail address and an id, their birthdays, which are 10 to 350 days ahead, and the event of each. Never timed. */
export async function seedPeople(client: pg.ClientBase, count: number, zones = ['UTC']): Promise<void> {
  // Without foreign key checks: the keys are correct by construction.
  await client.query(`SET session_replication_role = replica`)
  const { rows } = await client.query(`SELECT count(*)::int AS before FROM terce.users`)
  const { before } = rows[0] as { before: number }
  for (let from = before; from < before + count; from += PORTION)
    await client.query(SEED, [from, Math.min(from + PORTION, before + count) - 1, zones, tzdb.version])
  await client.query(`SET session_replication_role = origin`)
}

// As in createIds: 48 bits of milliseconds, then the version. The id of an event carries the instant at which it is due.
const idAt = (at: string) =>
  `(lpad(to_hex(floor(extract(epoch FROM ${at}) * 1000)::bigint), 12, '0') || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid`

const SEED = `
  WITH people AS MATERIALIZED (
    SELECT i, zone, day, ${idAt('clock_timestamp()')} AS user_id, ${idAt('clock_timestamp()')} AS occasion_id,
           (day + time '09:00') AT TIME ZONE zone AS at
    FROM generate_series($1::bigint, $2::bigint) AS i,
      LATERAL (SELECT ($3::text[])[1 + i % cardinality($3)] AS zone, current_date + 10 + (i * 7919 % 340)::int AS day) AS fields
  ), new_users AS (
    INSERT INTO terce.users (id, first_name, last_name, search_text, date_of_birth, timezone, email, external_id, version, created_at, updated_at)
    SELECT user_id, 'Ada', 'Lovelace-' || i, concat('ada lovelace ', i, ' seed-', i, '@example.com seed-', i), '1992-' || to_char(day, 'MM-DD'), zone,
           concat('seed-', i, '@example.com'), 'seed-' || i, 1, now(), now()
    FROM people
  ), new_occasions AS (
    INSERT INTO terce.occasions (id, user_id, type, local_time, leap_day)
    SELECT occasion_id, user_id, 'BIRTHDAY', '09:00:00', 'MARCH_1' FROM people
  )
  INSERT INTO terce.events (id, occasion_id, occurrence, target_at, offset_seconds, timezone, tz_version, retry_count, version, created_at, updated_at, wake_at, plan_revision, lane)
  SELECT ${idAt('at')}, occasion_id, to_char(day, 'YYYY'), at, extract(epoch FROM (at AT TIME ZONE zone) - (at AT TIME ZONE 'UTC'))::int,
         zone, $4, 0, 1, now(), now(), at, 0, ${laneOf({ channelId: null, type: 'BIRTHDAY' })}
  FROM people`
