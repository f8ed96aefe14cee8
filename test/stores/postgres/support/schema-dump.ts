// A database's schema as text, in a stable order: what the migrations made, as the catalogue tells it.
import { query } from './audit.ts'

type Relation = { name: string; options: string | null; partitioned: string | null }
type Named = { table: string; text: string }

/** Partitions of months have the names of their months: they differ from run to run. */
const IS_MONTH = (relation: string) => `${relation} ~ '_\\d{4}_\\d{2}(_|$)'`

// The bound between today's table and the first month differs too.
const TABLES = `SELECT relname AS name, array_to_string(reloptions, ', ') AS options, coalesce('PARTITION BY ' || pg_get_partkeydef(oid),
    'PARTITION OF ' || (SELECT inhparent::regclass FROM pg_inherits WHERE inhrelid = pg_class.oid) || ' '
      || regexp_replace(pg_get_expr(relpartbound, oid), '[0-9a-f]{8}-[-0-9a-f]{27}', 'BOUND')) AS partitioned
  FROM pg_class
  WHERE relnamespace = 'terce'::regnamespace AND relkind IN ('r', 'p') AND NOT ${IS_MONTH('relname')} ORDER BY relname COLLATE "C"`

const COLUMNS = `SELECT c.relname AS table, concat_ws(' ', quote_ident(a.attname), format_type(a.atttypid, a.atttypmod),
    CASE WHEN a.attnotnull THEN 'NOT NULL' END, 'DEFAULT ' || pg_get_expr(d.adbin, d.adrelid)) AS text
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  WHERE c.relnamespace = 'terce'::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
  ORDER BY c.relname COLLATE "C", a.attnum`

// NOT NULL stands with its column.
const CONSTRAINTS = `SELECT (SELECT relname FROM pg_class WHERE oid = conrelid) AS table, quote_ident(conname) || ' ' || pg_get_constraintdef(oid) AS text
  FROM pg_constraint WHERE connamespace = 'terce'::regnamespace AND conrelid <> 0 AND contype <> 'n'
  ORDER BY (SELECT relname FROM pg_class WHERE oid = conrelid) COLLATE "C", conname COLLATE "C"`

const INDEXES = `SELECT '' AS table, pg_get_indexdef(indexrelid) AS text FROM pg_index JOIN pg_class ON oid = indexrelid
  WHERE relnamespace = 'terce'::regnamespace AND NOT ${IS_MONTH('relname')} ORDER BY relname COLLATE "C"`

const VIEWS = `SELECT relname AS table, pg_get_viewdef(oid) AS text FROM pg_class
  WHERE relnamespace = 'terce'::regnamespace AND relkind IN ('v', 'm') ORDER BY relname COLLATE "C"`

export async function dumpSchema(url: string): Promise<string> {
  const tables = await query<Relation>(url, TABLES)
  const columns = await query<Named>(url, COLUMNS)
  const constraints = await query<Named>(url, CONSTRAINTS)
  const parts = tables.map(({ name, options, partitioned }) => {
    const constrained = constraints.map(({ table, text }) => ({ table, text: `CONSTRAINT ${text}` }))
    const lines = [...columns, ...constrained].filter(({ table }) => table === name)
    const body = lines.map(({ text }) => `  ${text}`).join(',\n')
    const kind = partitioned === null ? '' : ` ${partitioned}`
    return `CREATE TABLE ${name} (\n${body}\n)${kind}${options === null ? '' : ` WITH (${options})`};\n`
  })
  const indexes = (await query<Named>(url, INDEXES)).map(({ text }) => `${text};\n`)
  const views = (await query<Named>(url, VIEWS)).map(
    ({ table, text }) => `CREATE VIEW ${table} AS\n${text.replace(/[ \t]+$/gm, '')}\n`,
  )
  return [...parts, ...indexes, ...views].join('\n')
}
