// PostgreSQL as the source or the target of a copy. Its role owns the tables.
import { getTableName, is } from 'drizzle-orm'
import { getTableConfig, type PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { firstIdAt, timeOfId } from '../../domain/events/uuid.ts'
import type { CopiedTable, CopyFrom, CopyRow, CopySource, CopyTarget } from '../../ports/copy.ts'
import type { Columns, ColumnType } from '../shared/columns/columns.ts'
import { copiedTables, FROZEN_STATE, IS_CLAIM, SUM_MODULUS } from '../shared/copy.ts'
import * as schema from '../tables/postgres.ts'
import { arrays, unnest } from './arrays.ts'
import { queryLong } from './clients/long-query.ts'
import { connect, type PooledConnection } from './connection.ts'
import { createMonths, readMonths } from './events/months.ts'
import { atMs, inMs } from './instant.ts'
import { migrate } from './migrations/migrate.ts'
import { patiently } from './migrations/patiently.ts'
import { missingColumns } from './migrations/schema-check.ts'

const PAGE_ROWS = 1_000

type Where = { url: string; schema: string }

export function openPostgresSource({ url, schema }: Where): CopySource {
  return sideOn(connect(url, { connections: 2, schema }))
}

export function openPostgresTarget({ url, schema }: Where): CopyTarget {
  const connection = connect(url, { connections: 2, schema })
  const side = sideOn(connection)
  return {
    ...side,
    async prepare(text, source) {
      await migrate(connection)
      await side.freeze(text)
      await createMonths(connection)
      const [oldest] = await source.read(source.tables.find(({ name }) => name === 'settled_events')!, {
        skip: 0,
      })
      if (oldest !== undefined) await createMonthsSince(connection, timeOfId(oldest[0] as string))
    },
    async write(table, rows) {
      const [names, columns] = [columnsOf(table), recordOf(table)]
      const values = names.map((column) => column.write(`ref.${column.name}`)).join(', ')
      const into = `terce.${table.name} (${names.map(({ name }) => name).join(', ')})`
      const text = `INSERT INTO ${into} OVERRIDING SYSTEM VALUE SELECT ${values} FROM ${unnest(columns)}`
      await connection.transaction(async (run) => {
        await run({ text: WRITES_OF_COPY, values: [] })
        await run({ text, values: arrays(columns, rows) })
      })
    },
    async setLastNumber(table, number) {
      if (number > 0)
        await connection.query({ text: `SELECT setval(${sequenceOf(table)}, $1)`, values: [number] })
    },
    async finish() {
      // Plans made for empty tables would be far worse.
      for (const { name } of side.tables)
        await queryLong(connection, { text: `ANALYZE terce.${name}`, values: [] })
      await side.unfreeze()
    },
  }
}

/** The pages are on disk before the commit that ends the freeze is. */
const WRITES_OF_COPY = `SET LOCAL synchronous_commit = off; SET LOCAL terce_copy.writes = 'on'`

const REJECT_WRITE = `CREATE FUNCTION terce.reject_write() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF current_setting('terce_copy.writes', true) IS DISTINCT FROM 'on' THEN
    RAISE EXCEPTION USING MESSAGE = TG_ARGV[0], ERRCODE = '${FROZEN_STATE}';
  END IF;
  RETURN NEW;
END
$$`

/** With its triggers. */
const UNFREEZE = 'DROP FUNCTION IF EXISTS terce.reject_write() CASCADE'

const FROZEN_TEXT = `SELECT convert_from(substring(tgargs FOR length(tgargs) - 1), getdatabaseencoding())
  FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid JOIN pg_namespace ON pg_namespace.oid = relnamespace
  WHERE nspname = $1 AND tgname = 'frozen' LIMIT 1`

const BYTES = `SELECT sum(pg_total_relation_size(pg_class.oid)) FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
  WHERE nspname = $1 AND relkind = 'r'`

function sideOn(connection: PooledConnection): CopySource {
  const tables = copiedTables()
  const one = async (text: string, values: (string | number)[] = []) =>
    (await queryLong(connection, { text, values }))[0] ?? []
  const change = (...statements: string[]) => {
    const text = ['SET LOCAL lock_timeout = 200', ...statements].join('; ')
    const attempt = () => connection.transaction((run) => run({ text, values: [] }))
    return patiently(connection, attempt, { blocked: 'the freeze' })
  }
  const trigger = (when: string, each: string, text: string) =>
    `CREATE TRIGGER frozen BEFORE ${when} FOR EACH ${each} EXECUTE FUNCTION terce.reject_write(${quote(text)})`

  return {
    tables,
    missingColumns: () => missingColumns(connection),
    frozenText: async () => ((await one(FROZEN_TEXT, [connection.schema]))[0] ?? null) as string | null,
    async freezeClaims(text) {
      const claims = trigger('UPDATE OF lease_until ON terce.events', `ROW WHEN (${IS_CLAIM})`, text)
      await change(UNFREEZE, REJECT_WRITE, claims)
    },
    async freeze(text) {
      const names = [...tables.map(({ name }) => name), 'schema_migrations', 'enqueued_changes']
      const writes = names.map((name) =>
        trigger(`INSERT OR UPDATE OR DELETE ON terce.${name}`, 'STATEMENT', text),
      )
      await change(UNFREEZE, REJECT_WRITE, ...writes)
    },
    unfreeze: async () => void (await change(UNFREEZE)),
    async countLeased(now) {
      const text = `SELECT count(*) FROM terce.events WHERE wake_at <= ${atMs('$1')} AND lease_until > ${atMs('$1')}`
      return Number((await one(text, [now]))[0])
    },
    async leftBehind() {
      const count = Number((await one('SELECT count(*) FROM terce.enqueued_changes'))[0])
      return count === 0 ? null : `${count} enqueued changes, which are not copied`
    },
    bytes: async () => Number((await one(BYTES, [connection.schema]))[0]),
    async sums(table) {
      const sums = columnsOf(table).map(({ name, read, isNumber }) =>
        isNumber ? `sum((${read(name)})::bigint % ${SUM_MODULUS})` : `sum(length(${name}::text))`,
      )
      return (await one(`SELECT count(*), ${sums.join(', ')} FROM terce.${table.name}`)).map(Number)
    },
    count: async ({ name }) => Number((await one(`SELECT count(*) FROM terce.${name}`))[0]),
    read: (table, start) => readPage(connection, table, start),
    async lastNumber(table) {
      const [sequence] = await one(`SELECT ${sequenceOf(table)}`)
      const [last, isCalled] = await one(`SELECT last_value::float8, is_called FROM ${sequence}`)
      return isCalled ? (last as number) : 0
    },
    close: () => connection.pool.end(),
  }
}

async function readPage(
  connection: PooledConnection,
  table: CopiedTable,
  start: CopyFrom,
): Promise<CopyRow[]> {
  const columns = columnsOf(table)
  const order = table.key.join(', ')
  const at = table.key.map((name) => columns.findIndex((column) => column.name === name))
  const values = 'after' in start ? at.map((i) => start.after[i]!) : []
  const last = values.map((_, i) => `$${i + 1}::${columns[at[i]!]!.sqlType}`)
  const after = 'after' in start ? `WHERE (${order}) > (${last.join(', ')})` : ''
  const list = columns.map(({ name, read }) => read(name)).join(', ')
  const skip = 'skip' in start ? start.skip : 0
  const text = `SELECT ${list} FROM terce.${table.name} ${after} ORDER BY ${order} LIMIT ${PAGE_ROWS} OFFSET ${skip}`
  return (await queryLong(connection, { text, values })) as CopyRow[]
}

const sequenceOf = ({ name, numbered }: CopiedTable) =>
  `pg_get_serial_sequence('terce.${name}', '${numbered}')`

/** The name of the schema is put into statements, not into the text: it may name a file such as terce.db. */
const quote = (text: string) =>
  `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''").replaceAll('terce.', 'terce\\x2e')}'`

/** How a value of a row is read and written. */
type CopiedColumn = {
  name: string
  isNumber: boolean
  sqlType: string
  type: ColumnType
  read(column: string): string
  write(column: string): string
}

const TABLES = new Map<string, PgColumn[]>(
  Object.values(schema)
    .filter((one) => is(one, PgTable))
    .map((table) => [getTableName(table), getTableConfig(table).columns]),
)

function columnsOf({ name: table, columns }: CopiedTable): CopiedColumn[] {
  const stored = new Map(TABLES.get(table)!.map((column) => [column.name, column]))
  return columns.map((column) => ({ ...column, ...conversionOf(table, stored.get(column.name)!) }))
}

type Conversion = Pick<CopiedColumn, 'sqlType' | 'type' | 'read' | 'write'>

/** The one place that says how the value of a row becomes a value of a column, and back. */
function conversionOf(table: string, column: PgColumn): Conversion {
  const sqlType = column.getSQLType()
  const same = (value: string) => value
  const plain = { sqlType, read: same, write: same }
  // Null for an event that was never planned again.
  if (table === 'settled_events' && column.name === 'plan_revision')
    return {
      sqlType,
      type: 'int',
      read: (value) => `coalesce(${value}, 0)`,
      write: (value) => `nullif(${value}, 0)`,
    }
  switch (sqlType.split(' ')[0]) {
    case 'boolean':
      return { sqlType, type: 'int', read: (value) => `${value}::int`, write: (value) => `${value} = 1` }
    case 'timestamp':
      return { ...plain, type: 'instant', read: inMs }
    case 'bigint':
      return { ...plain, type: 'bigint', read: (value) => `${value}::float8` }
    case 'integer':
      return { ...plain, type: 'int' }
    case 'uuid':
      return { ...plain, type: 'uuid' }
    case 'text':
      return { ...plain, type: 'text' }
    default:
      throw new Error(`A copy cannot convert ${table}.${column.name}, which is ${sqlType}.`)
  }
}

/** The columns as a page of rows is sent. */
function recordOf(table: CopiedTable): Columns<CopyRow> {
  return Object.fromEntries(
    columnsOf(table).map(({ name, type }, i) => [name, [type, (row: CopyRow) => row[i]!]]),
  )
}

/** Partitions of the months before this one, so that they can be pruned as whole months. Before the first row is there. */
async function createMonthsSince(connection: PooledConnection, oldest: number): Promise<void> {
  for (const history of ['settled_events', 'payloads'] as const) {
    const [first] = await readMonths(connection, history)
    const [row] = await connection.query({ text: `SELECT 1 FROM terce.${history} LIMIT 1`, values: [] })
    let before = first === undefined || row !== undefined ? 0 : timeOfId(first.fromId)
    const statements: string[] = []
    while (before > oldest && statements.length < MOST_MONTHS) {
      const from = new Date(before)
      from.setUTCMonth(from.getUTCMonth() - 1)
      const name = `terce.${history}_${from.toISOString().slice(0, 7).replace('-', '_')}`
      const bounds = `FROM ('${firstIdAt(from.getTime())}') TO ('${firstIdAt(before)}')`
      statements.push(`CREATE TABLE ${name} (LIKE terce.${history}_other INCLUDING ALL);
        ALTER TABLE terce.${history} ATTACH PARTITION ${name} FOR VALUES ${bounds}`)
      before = from.getTime()
    }
    if (statements.length > 0)
      await connection.transaction((run) => run({ text: statements.join(';'), values: [] }))
  }
}

const MOST_MONTHS = 120
