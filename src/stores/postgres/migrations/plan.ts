// What a migration would do: its statements, what each locks and roughly for how long. Reads the catalog and changes nothing.
import { type Migration, stepsOf } from '../../migrations/files.ts'
import type { PlannedMigration, PlannedStatement } from '../../migrations/schema-state.ts'
import type { Connection } from '../connection.ts'
import { blocksClaims, effectOf, splitStep, type Work } from './statements.ts'

export async function planOf(
  connection: Pick<Connection, 'query'>,
  pending: readonly Migration[],
): Promise<PlannedMigration[]> {
  const rows = await countRows(connection)
  return pending.map((migration) => {
    const { name, oldestRelease, inTransaction } = migration
    const statements = stepsOf(migration).flatMap((step) => describeStep(step, rows))
    return { name, oldestRelease, inTransaction, statements }
  })
}

/** A table that the step creates has no rows, also if it takes the name of another one. */
function describeStep(step: string, rowsOf: ReadonlyMap<string, number>): PlannedStatement[] {
  const known = new Map(rowsOf)
  return splitStep(step).map((statement) => {
    const { work, table } = effectOf(statement)
    if (work === 'new' && table !== null) known.delete(table)
    return describe(statement, known)
  })
}

/** A table that does not exist yet can block nothing. */
function describe(statement: string, rowsOf: ReadonlyMap<string, number>): PlannedStatement {
  const effect = effectOf(statement)
  const rows = effect.table === null ? null : (rowsOf.get(effect.table) ?? null)
  if (effect.work !== 'unknown' && rows === null)
    return { statement, table: effect.table, lock: null, blocksClaims: false, rows, roughMs: CATALOG_MS }
  const { table, lock, work } = effect
  return {
    statement,
    table,
    lock,
    blocksClaims: blocksClaims(effect),
    rows,
    roughMs: roughMs(work, rows ?? 0),
  }
}

const CATALOG_MS = 10
/** Measured on two busy cores: an index on ten million events took 44 s, beside claims. */
const ROWS_A_SECOND = 250_000

function roughMs(work: Work, rows: number): number | null {
  if (work === 'unknown') return null
  if (work === 'catalog' || work === 'new') return CATALOG_MS
  return CATALOG_MS + Math.ceil((rows / ROWS_A_SECOND) * 1000)
}

async function countRows({ query }: Pick<Connection, 'query'>): Promise<Map<string, number>> {
  const rows = await query({ text: ROWS, values: [] })
  return new Map(rows.map(([name, count]) => [String(name), Number(count)]))
}

// An estimate of the last VACUUM or ANALYZE; -1 before the first.
const ROWS = `SELECT relname, greatest(reltuples, 0)::bigint::text FROM pg_class
  WHERE relkind IN ('r', 'p', 'v') AND oid = to_regclass('terce.' || quote_ident(relname))`
