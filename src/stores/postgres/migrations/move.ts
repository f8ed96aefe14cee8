// Moves the tables of 0.1.0 into the schema, and drops the views that this leaves behind for processes of 0.1.0.
import pg from 'pg'
import { type Migration, stepsOf } from '../../migrations/files.ts'
import type { PooledConnection } from '../connection.ts'
import { naming } from '../clients/naming.ts'
import { LOCK_TIMEOUT_MS, patiently } from './patiently.ts'

export const MOVE = '0010_schema.sql'

/** The steps that are left: a process that was killed may have done some. `from` is a quoted schema. */
export async function movesOf(
  { query }: Pick<PooledConnection, 'query'>,
  migration: Migration,
  from: string,
): Promise<string[]> {
  const steps = stepsOf(migration).map((step) => ({ step, name: /^ALTER \w+ public\.(\w+)/.exec(step)![1]! }))
  const names = steps.map(({ name }) => name)
  const rows = await query({ text: MOVED, values: [JSON.stringify(names)] })
  const moved = rows.map(([name]) => name)
  return steps
    .filter(({ name }) => !moved.includes(name))
    .map(({ step }) => step.replaceAll('public.', `${from}.`))
}

const MOVED = `SELECT name FROM json_array_elements_text($1) AS name WHERE to_regclass('terce.' || name) IS NOT NULL`

export async function moveTables(connection: PooledConnection, migration: Migration, from: string): Promise<void> {
  for (const step of await movesOf(connection, migration, from)) {
    const relation = /^ALTER \w+ (\S+)/.exec(step)![1]!
    const grants = (await grantsOf(connection, relation)).filter(({ privilege }) => ON_VIEWS.includes(privilege))
    const texts = grants.map(({ privilege, role }) => `GRANT ${privilege} ON ${relation} TO ${role};`)
    await patiently(connection, () => commit(connection, [step, ...texts].join('\n')))
  }
}

/** In one message: a slow network must not lengthen the time for which the table is locked. */
export async function commit({ pool, schema }: PooledConnection, text: string): Promise<void> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await naming(client, schema).query(`BEGIN; SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}; ${text}\n;COMMIT`)
  } catch (error) {
    if (error instanceof pg.DatabaseError) await client.query('ROLLBACK').catch((failure) => (broken = failure))
    else broken = error as Error
    throw error
  } finally {
    client.release(broken)
  }
}

/** Roles that may use the table may use the view, which has the rights of its owner on the table. */
const ON_VIEWS = ['SELECT', 'INSERT', 'UPDATE', 'DELETE']

type Grant = { privilege: string; role: string }

/** The rights of other roles than the owner. */
export async function grantsOf({ query }: PooledConnection, relation: string): Promise<Grant[]> {
  const text = `SELECT privilege_type, CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END
    FROM pg_class, aclexplode(relacl) WHERE oid = to_regclass(${pg.escapeLiteral(relation)}) AND grantee <> relowner`
  return (await query({ text, values: [] })).map(([privilege, role]) => ({ privilege, role }) as Grant)
}

/** What only processes of 0.1.0 need: the views, and their table of migrations. As `DROP` statements. */
export async function leftovers({ query }: Pick<PooledConnection, 'query'>): Promise<string[]> {
  const rows = await query({ text: LEFTOVERS, values: [] })
  return rows.map(([text]) => String(text))
}

const LEFTOVERS = `SELECT format('DROP VIEW %s.%s', quote_ident(nspname), quote_ident(relname))
    FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
    WHERE relkind = 'v' AND obj_description(c.oid, 'pg_class') LIKE 'For Terce 0.1.0.%' AND EXISTS (
      SELECT 1 FROM pg_rewrite r JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
      WHERE r.ev_class = c.oid AND d.refobjid = to_regclass('terce.' || quote_ident(relname)))
  UNION ALL SELECT 'DROP TABLE terce.migrations' WHERE to_regclass('terce.migrations') IS NOT NULL
  ORDER BY 1 DESC`

/** Processes of 0.1.0 stop working. Returns the statements. */
export async function dropLeftovers(connection: PooledConnection): Promise<string[]> {
  const statements = await leftovers(connection)
  if (statements.length > 0)
    await patiently(connection, () => commit(connection, statements.join(';\n')))
  return statements
}
