// The migration that partitions the history by month: beside running processes, again after a kill, and with what others have
// built on the tables.
import { describe, expect, it } from 'vitest'
import { type Migration, parseMigration, readMigrations, stepsOf } from '../../../../src/stores/migrations/files.ts'
import { connect } from '../../../../src/stores/postgres/connection.ts'
import { MIGRATIONS, migrate } from '../../../../src/stores/postgres/migrations/migrate.ts'
import { PARTITION } from '../../../../src/stores/postgres/migrations/partition.ts'
import { openPostgresStore } from '../../../../src/stores/postgres/postgres-store.ts'
import { claimAt, create, delivered } from '../../../contracts/store/steps.ts'
import { DAY, makePerson, T0 } from '../../../support/fixtures.ts'
import { query } from '../support/audit.ts'
import { useStage } from '../support/postgres-suite.ts'
import { dumpSchema } from '../support/schema-dump.ts'

const stage = useStage({ database: 'empty' })
const sql = <T extends object>(text: string) => query<T>(stage.database(), text)

const FILES = readMigrations(MIGRATIONS)
const BEFORE = FILES.filter(({ name }) => name < PARTITION)
const STEPS = stepsOf(FILES.find(({ name }) => name === PARTITION)!)

function open(schema = 'terce') {
  const connection = connect(stage.database(), { connections: 1, schema })
  stage.atEnd(() => connection.pool.end())
  return connection
}

/** Fails after so many steps, as a process that is killed. */
function killedAfter(steps: number): Migration[] {
  const text = [...STEPS.slice(0, steps), 'SELECT 1 / 0'].join('\n--> statement-breakpoint\n')
  return [...BEFORE, parseMigration(PARTITION, `-- oldest release: 0.1.0\n-- transaction: none\n${text}`)]
}

/** Row by row, as the release before writes them: the history of today, and an event that was due in a year and moved to today. */
async function writeHistory(): Promise<void> {
  await sql(`INSERT INTO terce.users (id, first_name, last_name, search_text, date_of_birth, timezone, version, created_at, updated_at)
      VALUES (gen_random_uuid(), 'Ada', 'Lovelace', 'ada lovelace', '1990-12-15', 'UTC', 1, now(), now());
    INSERT INTO terce.occasions (id, user_id, type, local_time, leap_day) SELECT gen_random_uuid(), id, 'BIRTHDAY', '09:00', 'MARCH_1'
      FROM terce.users`)
  await settle(new Date())
  await settle(new Date(Date.now() + 300 * DAY))
}

async function settle(due: Date): Promise<void> {
  const hex = due.getTime().toString(16).padStart(12, '0')
  const id = `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-0000000000ff`
  await sql(`INSERT INTO terce.settled_events (id, occasion_id, occurrence, status, target_at, offset_seconds, timezone, tz_version,
        retry_count, version, claimed_by, claimed_at, executed_at, created_at, updated_at)
      SELECT '${id}', id, '${due.toISOString()}', 'COMPLETED', now(), 0, 'UTC', '2026a', 0, 3, 'worker', now(), now(), now(), now()
      FROM terce.occasions;
    INSERT INTO terce.payloads VALUES ('${id}', 'body of ${id}')`)
}

const readAll = () => sql('SELECT * FROM terce.all_events ORDER BY id')

const kindOf = async (table: string) =>
  (await sql<{ relkind: string }>(`SELECT relkind FROM pg_class WHERE oid = 'terce.${table}'::regclass`))[0]!.relkind

describe('the migration to months', () => {
  it('keeps every row, and puts an event of a later month into the default partition', async () => {
    await migrate(open(), BEFORE)
    await writeHistory()
    const before = await readAll()
    expect(before).toHaveLength(2)
    await migrate(open())
    expect(await readAll()).toEqual(before)
    expect([await kindOf('settled_events'), await kindOf('payloads')]).toEqual(['p', 'p'])
    for (const table of ['settled_events', 'payloads'])
      expect(await sql(`SELECT tableoid::regclass::text AS name FROM terce.${table} ORDER BY 1`)).toEqual([
        { name: `terce.${table}_before` },
        { name: `terce.${table}_other` },
      ])
  })

  it.each(STEPS.map((_, i) => i + 1))('leaves all rows visible if it is killed after step %i, and is completed by the next start', async (steps) => {
    await migrate(open(), BEFORE)
    await writeHistory()
    await expect(migrate(open(), killedAfter(steps))).rejects.toThrow('division by zero')
    // The release before goes on meanwhile.
    await settle(new Date(Date.now() - DAY))
    await settle(new Date(Date.now() + 200 * DAY))
    const before = await readAll()
    expect(before).toHaveLength(4)
    await migrate(open())
    expect(await readAll()).toEqual(before)
    const fresh = await stage.server().createDatabase()
    await (await openPostgresStore(fresh)).close()
    expect(await dumpSchema(stage.database())).toBe(await dumpSchema(fresh))
  })

  it('lets the views of others read the partitioned tables, and gives them the rights of the old ones', async () => {
    await migrate(open(), BEFORE)
    const [reader, worker] = [await stage.createRole('reader'), await stage.createRole('worker')]
    await sql(`CREATE VIEW public.report WITH (security_barrier) AS SELECT status, count(*) FROM terce.settled_events GROUP BY 1;
      GRANT SELECT ON terce.settled_events TO ${reader};
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA terce TO ${worker}`)
    await migrate(open())
    const store = await stage.open()
    await create(store, makePerson({ targetAt: T0 }))
    await store.settle((await claimAt(store, T0)).map((claim) => delivered(claim)))
    expect(await sql('SELECT * FROM public.report')).toEqual([{ status: 'COMPLETED', count: '1' }])
    const mayUse = (role: string, privilege: string) =>
      sql(`SELECT has_table_privilege('${role}', 'terce.settled_events', '${privilege}') AS may`)
    expect(await mayUse(reader, 'SELECT')).toEqual([{ may: true }])
    expect(await mayUse(reader, 'DELETE')).toEqual([{ may: false }])
    expect(await mayUse(worker, 'DELETE')).toEqual([{ may: true }])
    const mayCreate = (role: string) =>
      sql(`SELECT has_function_privilege('${role}', 'terce.create_history_month()', 'EXECUTE') AS may`)
    expect([await mayCreate(worker), await mayCreate(reader)]).toEqual([[{ may: true }], [{ may: false }]])
  })

  it('is applied to another schema than terce', async () => {
    await migrate(open('second'))
    expect(await sql(`SELECT count(*)::int FROM pg_class WHERE relkind = 'p' AND relnamespace = 'second'::regnamespace`)).toEqual([
      { count: 2 },
    ])
    const store = await stage.open({ schema: 'second' })
    await create(store, makePerson({ targetAt: T0 }))
    await store.settle((await claimAt(store, T0)).map((claim) => delivered(claim)))
    await store.createMonths()
  })
})
