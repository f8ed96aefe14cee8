// Partitions the settled events and the bodies by month, beside a running fleet. Copies no table, and can be repeated after a kill.
import { firstIdAt } from '../../../domain/events/uuid.ts'
import { type Migration, stepsOf } from '../../migrations/files.ts'
import type { PooledConnection } from '../connection.ts'
import { createMonths } from '../events/months.ts'
import { queryLong } from '../clients/long-query.ts'
import { commit, grantsOf } from './move.ts'
import { patiently } from './patiently.ts'

export const PARTITION = '0012_history.sql'

export async function partitionHistory(connection: PooledConnection, migration: Migration): Promise<void> {
  const bound = await boundOf(connection)
  for (const step of stepsOf(migration)) {
    if (await isDone(connection, step)) continue
    const text = step.replaceAll('BOUND', bound)
    if (isLong(step)) await queryLong(connection, { text, values: [] })
    else
      await patiently(connection, async () => {
        const { views, grants } = await dependentsOf(connection, step)
        // Locks the views before the table, as a statement on a view does, by replacing them with themselves.
        await commit(connection, [...views, text, ...grants, ...views].join('\n'))
      })
  }
  await createMonths(connection)
}

const isLong = (step: string) => /^WITH|VALIDATE CONSTRAINT/.test(step)

/** A process that was killed may have done the step. */
async function isDone(connection: PooledConnection, step: string): Promise<boolean> {
  const created = /CREATE (?:TABLE|FUNCTION) (terce\.\w+)[( ]/.exec(step)?.[1]
  if (created !== undefined && !RENAMES.test(step))
    return isTrue(connection, `to_regclass('${created}') IS NOT NULL OR to_regproc('${created}') IS NOT NULL`)
  const table = /terce\.(?:settled_events|payloads)\b/.exec(step)?.[0]
  if (table === undefined || step.startsWith('REVOKE')) return false
  return isTrue(connection, `(SELECT relkind = 'p' FROM pg_class WHERE oid = '${table}'::regclass)`)
}

const RENAMES = /ALTER TABLE (\S+) RENAME TO/

async function isTrue({ query }: PooledConnection, condition: string): Promise<boolean> {
  const [row] = await query({ text: `SELECT ${condition}`, values: [] })
  return row![0] === true
}

/** The first id of the next month, or the bound with which a process that was killed has begun. */
async function boundOf({ query }: PooledConnection): Promise<string> {
  const [row] = await query({ text: BOUND, values: [] })
  const [begun, nextMonth] = row as [string | null, number]
  return begun ?? firstIdAt(nextMonth)
}

const BOUND = `SELECT (SELECT substring(text FROM '[0-9a-f]{8}-[-0-9a-f]{27}') FROM (
      SELECT pg_get_constraintdef(oid) AS text FROM pg_constraint WHERE conname = 'settled_events_bound'
        AND conrelid = to_regclass('terce.settled_events')
      UNION ALL SELECT pg_get_expr(relpartbound, oid) FROM pg_class WHERE oid = to_regclass('terce.settled_events_before')
    ) AS bounds),
  (extract(epoch FROM date_trunc('month', now() AT TIME ZONE 'UTC') + interval '1 month') * 1000)::float8`

type Dependents = { views: string[]; grants: string[] }

/** Statements that give the rights to the old table to the new one, and let the views on the old one read the new one. */
async function dependentsOf(connection: PooledConnection, step: string): Promise<Dependents> {
  if (step.startsWith('REVOKE')) return { views: [], grants: await executeGrants(connection, step) }
  const table = RENAMES.exec(step)?.[1]
  if (table === undefined) return { views: [], grants: [] }
  const grants = await grantsOf(connection, table)
  const views = await connection.query({ text: viewsOn(table), values: [] })
  return {
    views: views.map(([text]) => String(text)),
    grants: grants.map(({ privilege, role }) => `GRANT ${privilege} ON ${table} TO ${role};`),
  }
}

/** For the roles that may delete settled events. */
async function executeGrants(connection: PooledConnection, step: string): Promise<string[]> {
  const functions = /FUNCTION (.*) FROM PUBLIC/s.exec(step)![1]
  const grants = await grantsOf(connection, 'terce.settled_events')
  const roles = grants.filter(({ privilege }) => privilege === 'DELETE').map(({ role }) => role)
  return roles.map((role) => `GRANT EXECUTE ON FUNCTION ${functions} TO ${role};`)
}

const viewsOn = (table: string) => `SELECT format('CREATE OR REPLACE VIEW %I.%I%s AS %s', nspname, relname,
    ' WITH (' || array_to_string(reloptions, ', ') || ')', pg_get_viewdef(c.oid))
  FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE relkind = 'v' AND EXISTS (
    SELECT FROM pg_rewrite r JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
    WHERE r.ev_class = c.oid AND d.refobjid = '${table}'::regclass)`
