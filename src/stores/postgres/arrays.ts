// Rows as PostgreSQL arrays, one for each column, written by hand: the driver's own way takes three times as long.

export type Cell = string | number | null

/** How a column travels: as it is, quoted, or as an instant (epoch milliseconds). */
export type ColumnType = 'uuid' | 'int' | 'text' | 'instant'

export type Columns = Readonly<Record<string, ColumnType>>

const SQL_TYPE: Record<ColumnType, string> = {
  uuid: 'uuid[]',
  int: 'int[]',
  text: 'text[]',
  instant: 'float8[]',
}

/** `unnest($1::uuid[], $2::int[]) AS ref (id, version)`, its first parameter numbered as given. */
export function unnest(columns: Columns, first = 1): string {
  const names = Object.keys(columns)
  const arrays = names.map((name, i) => `$${first + i}::${SQL_TYPE[columns[name]!]}`)
  return `unnest(${arrays.join(', ')}) AS ref (${names.join(', ')})`
}

/** A column of such a table as SQL sees it: instants become timestamps. */
export function field(columns: Columns, name: string): string {
  return columns[name] === 'instant' ? `to_timestamp(ref.${name} / 1000.0)` : `ref.${name}`
}

/** The parameters that go with `unnest`: one array literal a column. */
export function arrayLiterals(columns: Columns, rows: readonly (readonly Cell[])[]): string[] {
  return Object.values(columns).map((type, column) => {
    const cell = type === 'text' ? quoted : plain
    let literal = '{'
    for (let i = 0; i < rows.length; i++) literal += (i === 0 ? '' : ',') + cell(rows[i]![column]!)
    return `${literal}}`
  })
}

/** In order of id: two statements that lock the same rows in different orders would wait for each other for ever. */
export function byId<T extends { eventId: string }>(refs: readonly T[]): T[] {
  return refs.toSorted((a, b) => (a.eventId < b.eventId ? -1 : 1))
}

function plain(value: Cell): string {
  return value === null ? 'NULL' : String(value)
}

function quoted(value: Cell): string {
  if (value === null) return 'NULL'
  const text = String(value)
  return `"${/["\\]/.test(text) ? text.replace(/["\\]/g, '\\$&') : text}"`
}
