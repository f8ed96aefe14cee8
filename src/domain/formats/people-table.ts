// A table of people: what its columns may be called, and what a row of it says. Of what is wrong it tells the place,
// and of the values only a timezone: such lists are passed on.

import type { FieldProblem, Parsed } from '../errors.ts'
import type { UserFields, UserInput } from '../users/user.ts'
import { type CsvRecord, unguarded } from './csv.ts'
import { sha256Hex } from './sha256.ts'

const REQUIRED = ['firstName', 'lastName', 'dateOfBirth', 'timezone'] as const
const OPTIONAL = ['email', 'language', 'externalId', 'id'] as const
type Column = (typeof REQUIRED)[number] | (typeof OPTIONAL)[number]

/** Other names, in small letters without spaces, lines and dots. */
const ALIASES: Readonly<Record<string, Column>> = {
  givenname: 'firstName',
  surname: 'lastName',
  familyname: 'lastName',
  birthdate: 'dateOfBirth',
  birthday: 'dateOfBirth',
  location: 'timezone',
  zone: 'timezone',
}

/** How wide the table is, and where each column stands under which name. */
export type Header = { width: number; columns: Partial<Record<Column, { at: number; written: string }>> }

export function readHeader(record: CsvRecord): Header | { problems: FieldProblem[] } {
  if ('problem' in record) return { problems: [{ field: '', code: 'BROKEN_ROW', message: record.problem }] }
  if (record.fields.some((cell) => /[\uFFFD\0]/.test(cell))) return { problems: [notUtf8('')] }
  const problems: FieldProblem[] = []
  const columns: Header['columns'] = {}
  for (const [at, cell] of record.fields.entries()) {
    const name = columnOf(cell)
    if (name === undefined) continue
    if (columns[name] !== undefined) {
      const message = `There is more than one column for ${name}. Keep one of them.`
      problems.push({ field: name, code: 'REPEATED_COLUMN', message })
    }
    columns[name] = { at, written: cell.trim() }
  }
  for (const name of REQUIRED.filter((name) => columns[name] === undefined)) {
    const message = `There is no column ${name}. The first line names the columns.`
    problems.push({ field: name, code: 'MISSING_COLUMN', message })
  }
  return problems.length > 0 ? { problems } : { width: record.fields.length, columns }
}

/** `First Name`, `first_name` and `firstName` are one. */
function columnOf(written: string): Column | undefined {
  const key = written.replaceAll(/[\s_.-]/g, '').toLowerCase()
  return [...REQUIRED, ...OPTIONAL].find((name) => name.toLowerCase() === key) ?? ALIASES[key]
}

export function isBlank(record: CsvRecord): boolean {
  return 'fields' in record && record.fields.every((cell) => cell.trim() === '')
}

export function readRow({ width, columns }: Header, record: CsvRecord): Parsed<UserInput> {
  if ('problem' in record)
    return { ok: false, problems: [{ field: '', code: 'BROKEN_ROW', message: record.problem }] }
  const { fields } = record
  // Some programs close every line with separators.
  const isWider = fields.slice(width).some((cell) => cell.trim() !== '')
  if (fields.length < width || isWider) {
    const message = `${fields.length} fields where the header has ${width}. One with a separator in it needs quotes.`
    return { ok: false, problems: [{ field: '', code: 'WRONG_WIDTH', message }] }
  }
  const cell = (name: Column) => unguarded(fields[columns[name]?.at ?? width]?.trim() ?? '')
  const garbled = Object.values(columns).filter(({ at }) => fields[at]!.includes('\uFFFD'))
  if (garbled.length > 0) return { ok: false, problems: garbled.map(({ written }) => notUtf8(written)) }
  return {
    ok: true,
    value: {
      firstName: cell('firstName'),
      lastName: cell('lastName'),
      dateOfBirth: cell('dateOfBirth'),
      timezone: cell('timezone'),
      email: cell('email') || null,
      language: cell('language') || null,
      externalId: cell('externalId') || cell('id') || null,
    },
  }
}

function notUtf8(field: string): FieldProblem {
  return { field, code: 'NOT_UTF8', message: 'The text is not UTF-8. Save the file as UTF-8.' }
}

/** Under the name that the column has, and without the date. */
export function asWritten({ columns }: Header, { field, code, message }: FieldProblem): FieldProblem {
  const column = columns[field as Column] ?? (field === 'externalId' ? columns.id : undefined)
  return { field: column?.written ?? field, code, message: WITHOUT_DATE[code] ?? message }
}

const WITHOUT_DATE: Readonly<Record<string, string>> = {
  INVALID_DATE: 'This is not a calendar date. Use YYYY-MM-DD, such as 1990-12-15.',
  DATE_IN_FUTURE: 'The date is in the future there. Give a date that has come.',
}

/** For a row that names no external id: the same row has the same one, so that it is taken once. */
export function derivedExternalId(fields: UserFields): string {
  const { firstName, lastName, dateOfBirth, timezone, email, language } = fields
  const row = JSON.stringify([firstName, lastName, dateOfBirth, timezone, email, language])
  return `csv-${sha256Hex(row)}`
}
