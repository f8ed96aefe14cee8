// The people of a scale run: `terce import` adds the last million of them, SQL the others before. No birthday is within the next days,
// so that only the events of a step are due while it runs.
import pg from 'pg'
import { laneOf } from '../../src/domain/events/lane.ts'
import { tzdb } from '../../src/domain/time/tzdb.ts'
import { seedPeople } from '../engines/people.ts'
import { crowdFields } from '../product/crowd.ts'
import type { Home } from '../product/home.ts'
import { importInto, writePeople } from '../product/import.ts'
import { idInSqlite as idAt } from './history.ts'
import type { ScaleHome } from './scale-home.ts'

/** Only the imported people live here: this zone is replanned. */
export const ZONE = 'Asia/Tokyo'
export const IMPORTED = 1_000_000
const DAY_MS = 24 * 60 * 60 * 1000
const [FIRST_DAY, DAYS] = [10, 340]

function fieldsOf(i: number) {
  const day = new Date(Date.now() + (FIRST_DAY + ((i * 7919) % DAYS)) * DAY_MS).toISOString()
  return { ...crowdFields(i), dateOfBirth: `1992-${day.slice(5, 10)}`, timezone: ZONE }
}

export async function load({ home, name, command, people, sizes }: ScaleHome) {
  const { imported } = sizes
  await (name === 'terce-sqlite' ? seedSqlite : seedPostgres)(home, people - imported)
  const file = await writePeople(imported, fieldsOf)
  const { perSecond, seconds } = await importInto(home, command, { file, people: imported })
  await home.settleDown()
  return { loadPerSecond: perSecond, loadSeconds: seconds, bytesPerPerson: (await home.diskBytes()) / people }
}

async function seedPostgres({ databaseUrl }: Home, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await seedPeople(
      client,
      count,
      SEED_ZONES.map(({ zone }) => zone),
    )
  } finally {
    await client.end()
  }
}

/** Without daylight saving time, because SQLite knows no timezones. */
const SEED_ZONES = [
  { zone: 'Africa/Nairobi', offset: 3 * 3600 },
  { zone: 'Asia/Jakarta', offset: 7 * 3600 },
  { zone: 'Asia/Shanghai', offset: 8 * 3600 },
  { zone: 'UTC', offset: 0 },
]
const PORTION = 250_000

async function seedSqlite(home: Home, count: number): Promise<void> {
  for (let from = 0; from < count; from += PORTION)
    await home.execute(seedStatements(from, Math.min(from + PORTION, count)))
}

/** As the statement for PostgreSQL in engines/people.ts. */
function seedStatements(from: number, end: number): string {
  const zones = JSON.stringify(SEED_ZONES)
  return `PRAGMA cache_size = -1000000;
    CREATE TEMP TABLE people AS
      WITH RECURSIVE numbers(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM numbers WHERE i + 1 < ${end}),
        fields AS (SELECT i, date('now', '+' || (10 + i * 7919 % 340) || ' days') AS day, value ->> 'zone' AS zone, value ->> 'offset' AS offset
          FROM numbers JOIN json_each('${zones}') ON key = i % ${SEED_ZONES.length})
      SELECT *, (unixepoch(day || ' 09:00') - offset) * 1000 AS at, ${idAt('now')} AS user_id, ${idAt('now')} AS occasion_id
      FROM fields, (SELECT unixepoch() * 1000 AS now);
    BEGIN;
    INSERT INTO users (id, first_name, last_name, search_text, date_of_birth, timezone, email, external_id, version, created_at, updated_at)
    SELECT user_id, 'Ada', 'Lovelace-' || i, 'ada lovelace ' || i || ' seed-' || i || '@example.com seed-' || i, '1992-' || substr(day, 6), zone,
      'seed-' || i || '@example.com', 'seed-' || i, 1, now, now FROM people;
    INSERT INTO occasions (id, user_id, type, local_time, leap_day, version)
    SELECT occasion_id, user_id, 'BIRTHDAY', '09:00:00', 'MARCH_1', 1 FROM people;
    INSERT INTO events (id, occasion_id, occurrence, status, target_at, offset_seconds, timezone, tz_version, retry_count, version, plan_revision,
      wake_at, created_at, updated_at, lane)
    SELECT ${idAt('at')}, occasion_id, substr(day, 1, 4), 'PENDING', at, offset, zone, '${tzdb.version}', 0, 1, 0, at, now, now, ${laneOf({ channelId: null, type: 'BIRTHDAY' })} FROM people;
    COMMIT`
}
