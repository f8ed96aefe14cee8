// A CSV table of people: the names of its columns and the cells of a row, for the import and for the browser. Problems name
// the line and column but contain no personal data: lists of problems are passed on.

import type { FieldProblem, Parsed } from '../errors.ts'
import { parseCivilDate } from '../time/calendar.ts'
import { hiredBeforeBirth } from '../users/date-of-birth.ts'
import type { UserInput } from '../users/user.ts'
import { FIELD_NAMES, mapFields, USER_FIELDS, type UserField, type UserFields } from '../users/user-fields.ts'
import { type CsvRecord, readCsv, SEPARATORS, unguarded } from './csv.ts'
import { sha256Hex } from './sha256.ts'

/** The columns that are no fields of a person: the date of a work anniversary, and what an export has as id. */
type OtherColumn = 'hiredOn' | 'id'
export type Column = UserField | OtherColumn

const OTHERS: Record<OtherColumn, readonly string[]> = { id: [], hiredOn: ['hiredate', 'employedsince'] }

/** The column for each name, in lower case without spaces, underscores, hyphens and dots. */
const COLUMN_OF: ReadonlyMap<string, Column> = new Map(
  Object.entries({ ...mapFields((_, { columns }) => columns), ...OTHERS }).flatMap(([column, names]) =>
    [column.toLowerCase(), ...names].map((name) => [name, column as Column] as const),
  ),
)

export const IMPORTED: { required: readonly UserField[]; optional: readonly Column[] } = {
  required: FIELD_NAMES.filter((name) => USER_FIELDS[name].needsColumn),
  optional: [...FIELD_NAMES.filter((name) => !USER_FIELDS[name].needsColumn), 'id', 'hiredOn'],
}

/** The number of columns, and where each known column is and how it is written. */
export type Header = { width: number; columns: Partial<Record<Column, { at: number; written: string }>> }

const SPREADSHEET =
  'This is a spreadsheet or another ZIP file, not CSV. Save it as CSV in UTF-8, and import that file.'

/** The cells of the first line, before their names are looked up. */
export function headerCells(record: CsvRecord): Parsed<readonly string[]> {
  if ('problem' in record)
    return { ok: false, problems: [{ field: '', code: 'BROKEN_ROW', message: record.problem }] }
  if (record.fields[0]?.startsWith('PK\u0003\u0004'))
    return { ok: false, problems: [{ field: '', code: 'BROKEN_ROW', message: SPREADSHEET }] }
  if (record.fields.some((cell) => /[\uFFFD\0]/.test(cell))) return { ok: false, problems: [notUtf8('')] }
  return { ok: true, value: record.fields }
}

function readHeader(record: CsvRecord): Header | { problems: FieldProblem[] } {
  const cells = headerCells(record)
  if (!cells.ok) return cells
  const problems: FieldProblem[] = []
  const columns: Header['columns'] = {}
  for (const [at, cell] of cells.value.entries()) {
    const name = columnNamed(cell)
    if (name === null) continue
    if (columns[name] !== undefined) {
      const message = `More than one column for ${name}. Keep one of them.`
      problems.push({ field: name, code: 'REPEATED_COLUMN', message })
    }
    columns[name] = { at, written: cell.trim() }
  }
  for (const name of IMPORTED.required.filter((name) => columns[name] === undefined)) {
    const message = `No column ${name}. The first line must name the columns.`
    problems.push({ field: name, code: 'MISSING_COLUMN', message })
  }
  return problems.length > 0 ? { problems } : { width: cells.value.length, columns }
}

/** `First Name`, `first_name` and `firstName` name the same column. Null for one that is not known, which is ignored. */
export function columnNamed(written: string): Column | null {
  return COLUMN_OF.get(written.replaceAll(/[\s_.-]/g, '').toLowerCase()) ?? null
}

/** The first cell of the last row of an export; the other cells are empty. A file without that row is incomplete. */
export const END_OF_EXPORT = '#end'

/** True for a row that has no person in it: empty, or the end of an export. */
export function isBlank(record: CsvRecord): boolean {
  if ('problem' in record) return false
  const filled = record.fields.map((cell) => cell.trim()).filter((cell) => cell !== '')
  return filled.length === 0 || (filled.length === 1 && filled[0] === END_OF_EXPORT)
}

/** The rows of a table with its header, without blank rows; or only the problems of the header. */
export async function* readRows(
  pieces: AsyncIterable<string>,
): AsyncGenerator<{ header: Header; record: CsvRecord } | { problems: FieldProblem[] }> {
  let header: Header | null = null
  for await (const record of readCsv(pieces, SEPARATORS)) {
    if (isBlank(record)) continue
    if (header !== null) {
      yield { header, record }
      continue
    }
    const found = readHeader(record)
    if ('problems' in found) return yield found
    header = found
  }
  if (header === null) yield { problems: [EMPTY_TABLE] }
}

const EMPTY_TABLE: FieldProblem = {
  field: '',
  code: 'MISSING_COLUMN',
  message: 'The table is empty. The first line must name the columns.',
}

/** The cells of a row by column, trimmed; empty for a column that the table does not have. */
function readCells({ width, columns }: Header, record: CsvRecord): Parsed<(column: Column) => string> {
  if ('problem' in record)
    return { ok: false, problems: [{ field: '', code: 'BROKEN_ROW', message: record.problem }] }
  const { fields } = record
  // Some programs end every line with separators.
  const isWider = fields.slice(width).some((cell) => cell.trim() !== '')
  if (fields.length < width || isWider) {
    const message = `${fields.length} fields where the header has ${width}. A field that contains a separator needs quotes.`
    return { ok: false, problems: [{ field: '', code: 'WRONG_WIDTH', message }] }
  }
  const garbled = Object.values(columns).filter(({ at }) => fields[at]!.includes('\uFFFD'))
  if (garbled.length > 0) return { ok: false, problems: garbled.map(({ written }) => notUtf8(written)) }
  return { ok: true, value: (column) => unguarded(fields[columns[column]?.at ?? width]?.trim() ?? '') }
}

/** A person, and the date of a work anniversary; null for none. */
export type PersonRow = UserInput & { hiredOn?: string | null }

export function readRow(header: Header, record: CsvRecord): Parsed<PersonRow> {
  const cells = readCells(header, record)
  if (!cells.ok) return cells
  const cell = cells.value
  const hiredOn = cell('hiredOn') || null
  if (hiredOn !== null && parseCivilDate(hiredOn) === null) {
    const message = 'This is not a calendar date. Use YYYY-MM-DD, such as 2019-03-01.'
    return { ok: false, problems: [{ field: 'hiredOn', code: 'INVALID_DATE', message }] }
  }
  const early = hiredBeforeBirth('hiredOn', hiredOn, cell('dateOfBirth') || null)
  if (early !== null) return { ok: false, problems: [early] }
  const fields = mapFields((name, { required }) => cell(name) || (required ? '' : null)) as UserInput
  return { ok: true, value: { ...fields, externalId: fields.externalId ?? (cell('id') || null), hiredOn } }
}

function notUtf8(field: string): FieldProblem {
  return { field, code: 'NOT_UTF8', message: 'The text is not UTF-8. Save the file as UTF-8.' }
}

/** The problem under the column name of the file. */
export function asWritten({ columns }: Header, { field, ...problem }: FieldProblem): FieldProblem {
  const column = columns[field as Column] ?? (field === 'externalId' ? columns.id : undefined)
  return { field: column?.written ?? field, ...problem }
}

/** How many external ids of a file are remembered: it may have millions of rows. */
const REMEMBERED = 100_000

/** Finds a row whose external id an earlier row has. It would be taken for a person who existed before the import. */
export function createRepeats(): (externalId: string | null, line: number) => FieldProblem | null {
  const lines = new Map<string, number>()
  return (externalId, line) => {
    if (externalId === null) return null
    const earlier = lines.get(externalId)
    if (earlier !== undefined) {
      const message = `Line ${earlier} has the same external id. Correct one of them.`
      return { field: 'externalId', code: 'EXTERNAL_ID_TAKEN', message }
    }
    if (lines.size === REMEMBERED) lines.delete(lines.keys().next().value!)
    lines.set(externalId, line)
    return null
  }
}

/**
 * For a row without an external id: a hash of the row, so that importing it again creates nobody. Of these fields only, because
 * another list would give the people of earlier imports other ids.
 */
export function derivedExternalId(fields: UserFields): string {
  const { firstName, lastName, dateOfBirth, timezone, email, language } = fields
  const row = JSON.stringify([firstName, lastName, dateOfBirth, timezone, email, language])
  return `csv-${sha256Hex(row)}`
}
