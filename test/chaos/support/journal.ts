// Reads the whole database in one snapshot, and logs every version of an event by a trigger: a committed claim stays known
// after its worker crashed or its person was deleted. Uses its own schema.
import pg from 'pg'
import { query } from '../../stores/postgres/support/audit.ts'
import type { Step, Tables } from './evidence.ts'

const KEEP_JOURNAL = `
  CREATE SCHEMA chaos;
  CREATE TABLE chaos.steps (event_id uuid, user_id uuid, version int, claimed_at timestamptz, lease_until timestamptz,
    held_by text, held_since timestamptz, held_until timestamptz, at timestamptz, is_released boolean);
  CREATE FUNCTION chaos.note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO chaos.steps VALUES (NEW.id, (SELECT user_id FROM terce.occasions WHERE id = NEW.occasion_id), NEW.version,
      NEW.claimed_at, NEW.lease_until, OLD.claimed_by, OLD.claimed_at, OLD.lease_until, clock_timestamp(),
      OLD.lease_until IS NOT NULL AND NEW.lease_until IS NULL AND NEW.retry_count = OLD.retry_count);
    RETURN NULL;
  END $$;
  CREATE TRIGGER chaos_note AFTER UPDATE ON terce.events FOR EACH ROW WHEN (NEW.version <> OLD.version)
    EXECUTE FUNCTION chaos.note()`

export const keepJournal = (url: string) => query(url, KEEP_JOURNAL)

/**
 * Every table of the product, and the journal, in one snapshot. The SQL of `tamper` runs first and is rolled back after:
 * it plants a mistake that the rules must find.
 */
export async function readAll(url: string, tamper = ''): Promise<{ tables: Tables; steps: Step[] }> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ; ${tamper}`)
    const { rows: names } = await client.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables
       WHERE table_schema = 'terce' AND table_type = 'BASE TABLE' ORDER BY 1`,
    )
    const tables: Record<string, object[]> = {}
    for (const { name } of names) tables[name] = await readTable(client, `terce.${name}`)
    return { tables: tables as Tables, steps: (await readTable(client, 'chaos.steps')) as Step[] }
  } finally {
    await client.end()
  }
}

async function readTable(client: pg.Client, table: string): Promise<object[]> {
  const { rows } = await client.query<{ row: object }>(`SELECT to_json(t) AS row FROM ${table} AS t`)
  return rows.map(({ row }) => row)
}
