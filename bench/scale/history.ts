// Years of settled events, written by SQL: they are not timed. Then the prune of all but the last year, VACUUM, and the disk.
import { pruneHistory } from '../../src/app/events/prune.ts'
import { firstIdAt } from '../../src/domain/events/uuid.ts'
import type { Home } from '../product/home.ts'
import type { HomeName } from '../workloads.ts'
import type { ScaleHome } from './scale-home.ts'

/** Years of history for each person who has one. The latest is not pruned, because it prevents a second message. */
const YEARS = 6
/** Enough for a rate: SQL writes six rows of history for each person. */
const MOST_PERSONS = 2_000_000
const DAY_MS = 24 * 60 * 60 * 1000
const BODY = JSON.stringify({ message: "Hey, Ada Lovelace it's your birthday", padding: 'x'.repeat(230) })

/**
 * Runs before the load. The history of a new database has a partition for each month from the next one on. Here the partitions
 * begin some years ago, as in an installation that has run for so long.
 */
export async function beginYearsAgo(name: HomeName, home: Home): Promise<void> {
  if (name === 'terce-sqlite') return
  const year = new Date().getUTCFullYear() - YEARS - 1
  const [fromId, beforeId] = [firstIdAt(Date.UTC(year, 0)), firstIdAt(Date.UTC(year, 1))]
  await home.execute(`DO $$
    DECLARE
      history text;
      month text;
    BEGIN
      FOREACH history IN ARRAY ARRAY['settled_events', 'payloads'] LOOP
        FOR month IN SELECT name FROM terce.history_months(history) LOOP
          EXECUTE format('DROP TABLE terce.%I', month);
        END LOOP;
        month := history || '_${year}_01';
        EXECUTE format('CREATE TABLE terce.%I (LIKE terce.%I INCLUDING ALL)', month, history || '_other');
        EXECUTE format('ALTER TABLE terce.%I ATTACH PARTITION terce.%I FOR VALUES FROM (%L) TO (%L)', history, month, '${fromId}', '${beforeId}');
      END LOOP;
      WHILE terce.create_history_month() IS NOT NULL LOOP END LOOP;
      IF (SELECT count(*) FROM terce.history_months('settled_events')) < ${YEARS * 12} THEN
        RAISE EXCEPTION 'The history has no months of earlier years.';
      END IF;
    END
  $$`)
}

export async function prune({ home, name, people }: ScaleHome) {
  const persons = Math.min(Math.ceil(people / (YEARS - 1)), MOST_PERSONS)
  const seed = name === 'terce-sqlite' ? SQLITE : POSTGRES
  for (let year = 1; year <= YEARS; year++) await home.execute(...seed(persons, year))
  await home.settleDown()
  const diskBefore = await home.diskBytes()
  const started = performance.now()
  const removed = await pruneHistory(home.store, Date.now() - 400 * DAY_MS)
  const pruneSeconds = (performance.now() - started) / 1_000
  const expected = persons * (YEARS - 1)
  if (removed !== expected) throw new Error(`${removed} settled events were pruned instead of ${expected}.`)
  const vacuumStarted = performance.now()
  await home.execute('VACUUM')
  const vacuumSeconds = (performance.now() - vacuumStarted) / 1_000
  await home.settleDown()
  return {
    pruned: removed,
    pruneSeconds,
    vacuumSeconds,
    diskBeforeMB: diskBefore / 1e6,
    diskAfterMB: (await home.diskBytes()) / 1e6,
  }
}

const POSTGRES = (persons: number, year: number) => [
  `WITH old AS MATERIALIZED (
    SELECT e.*, e.target_at - interval '${year} years' AS at FROM (SELECT * FROM terce.events ORDER BY id LIMIT ${persons}) AS e
  ), ids AS MATERIALIZED (
    SELECT old.*, (lpad(to_hex(floor(extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid AS old_id FROM old
  ), bodies AS (
    INSERT INTO terce.payloads (event_id, body) SELECT old_id, '${BODY.replaceAll("'", "''")}' FROM ids
  )
  INSERT INTO terce.settled_events (id, occasion_id, occurrence, target_at, offset_seconds, timezone, tz_version, retry_count,
    version, created_at, updated_at, status, claimed_by, claimed_at, executed_at, status_code)
  SELECT old_id, occasion_id, (occurrence::int - ${year})::text, at, offset_seconds, timezone, tz_version, 0, 3, at, at, 'COMPLETED', 'bench', at, at, 200
  FROM ids ORDER BY old_id`,
]

/** An id of that instant, an expression in milliseconds. */
export const idInSqlite = (at: string) =>
  `substr(printf('%012x', ${at}), 1, 8) || '-' || substr(printf('%012x', ${at}), 9) || '-7' || substr(lower(hex(randomblob(2))), 2) || '-8' || substr(lower(hex(randomblob(2))), 2) || '-' || lower(hex(randomblob(6)))`

const SQLITE = (persons: number, year: number) => [
  `CREATE TEMP TABLE old AS SELECT ${idInSqlite('at')} AS id, * FROM (
    SELECT occasion_id, CAST(occurrence - ${year} AS TEXT) AS occurrence, offset_seconds, timezone, tz_version,
      target_at - ${year} * 31556952000 AS at
    FROM events WHERE wake_at IS NOT NULL ORDER BY id LIMIT ${persons});
  BEGIN;
  INSERT INTO events (id, occasion_id, occurrence, status, target_at, offset_seconds, timezone, tz_version, claimed_by, claimed_at,
    retry_count, version, plan_revision, executed_at, status_code, created_at, updated_at)
  SELECT id, occasion_id, occurrence, 'COMPLETED', at, offset_seconds, timezone, tz_version, 'bench', at,
    0, 3, 0, at, 200, at, at FROM old ORDER BY id;
  INSERT INTO payloads (event_id, body) SELECT id, '${BODY.replaceAll("'", "''")}' FROM old ORDER BY id;
  COMMIT;
  DROP TABLE old`,
]
