// A CSV file of people in the browser: its columns, its rows, and which column is which field.
import { type CsvRecord, parseCsv, SEPARATORS } from '../../../../../src/domain/formats/csv.ts'
import {
  type Column,
  columnNamed,
  type Header,
  headerCells,
  IMPORTED,
  isBlank,
} from '../../../../../src/domain/formats/people-table.ts'
import { mapFields } from '../../../../../src/domain/users/user-fields.ts'

export type Table = {
  /** The first line. */
  columns: readonly string[]
  /** Without blank rows. */
  rows: readonly CsvRecord[]
  /** How often cells were corrected since the file was read. */
  edits: number
  /** The lines of the file, for rows that cannot be split into cells. */
  lineAt: (line: number) => string
}

/** The table, or why the file is none. */
export function readTable(text: string): Table | { problem: string } {
  const [first, ...rows] = parseCsv(text, SEPARATORS).filter((record) => !isBlank(record))
  if (first === undefined) return { problem: 'The file is empty.' }
  const cells = headerCells(first)
  if (!cells.ok) return { problem: cells.problems[0]!.message }
  if (rows.length === 0) return { problem: 'The file has a first line with column names, but no rows.' }
  let lines: string[] | null = null
  const lineAt = (line: number) => {
    lines ??= text.split(/\r\n?|\n/)
    return lines[line - 1] ?? ''
  }
  return { columns: cells.value.map((cell) => cell.trim()), rows, edits: 0, lineAt }
}

/** The field of each column; null for a column that is not imported. */
export type Mapping = readonly (Column | null)[]

/** By the names of the columns. The first of two columns with one name counts. */
export function guessMapping(columns: readonly string[]): Mapping {
  const guessed = columns.map((written) => columnNamed(written))
  return guessed.map((field, at) => (guessed.indexOf(field) === at ? field : null))
}

/** The mapping with one column changed. A field has one column at most. */
export function mapColumn(mapping: Mapping, at: number, field: Column | null): Mapping {
  return mapping.map((old, index) => (index === at ? field : old === field ? null : old))
}

/** Which required fields have no column yet. */
export function missingFields(mapping: Mapping): Column[] {
  return IMPORTED.required.filter((field) => !mapping.includes(field))
}

export function headerOf({ columns }: Table, mapping: Mapping): Header {
  const named = mapping.flatMap((field, at) =>
    field === null ? [] : [[field, { at, written: columns[at] || `column ${at + 1}` }] as const],
  )
  return { width: columns.length, columns: Object.fromEntries(named) }
}

/** The table with another text in every cell of the column that has this one. */
export function correctCells(
  table: Table,
  mapping: Mapping,
  { column, value, to }: { column: string; value: string; to: string },
): Table {
  const at = table.columns.findIndex(
    (written, index) => mapping[index] != null && (written || `column ${index + 1}`) === column,
  )
  const rows = table.rows.map((row) =>
    'problem' in row || row.fields[at]?.trim() !== value ? row : { ...row, fields: row.fields.with(at, to) },
  )
  return { ...table, rows, edits: table.edits + 1 }
}

/** What each column is called in the menu. */
export const COLUMN_TITLES: Record<Column, string> = {
  ...mapFields((_, { title }) => title),
  hiredOn: 'Hired on',
  id: 'Id, if no external id',
}
