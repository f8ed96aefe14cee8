// Reads a CSV table of people in the browser with the parser of the import. Nothing of it leaves the page.

import { type CsvRecord, parseCsv, SEPARATORS } from '../../../../src/domain/formats/csv.ts'
import {
  type Header,
  isBlank,
  readCells,
  readHeader,
  type WantedColumns,
} from '../../../../src/domain/formats/people-table.ts'
import { parseCivilDate } from '../../../../src/domain/time/calendar.ts'
import { parseTimezone } from '../../../../src/domain/time/timezone.ts'
import { tzdb } from '../../../../src/domain/time/tzdb.ts'
import { unknownTimezone } from '../../../../src/domain/time/zone-suggestions.ts'
import { now } from '../../clock/now.ts'

export type CsvPerson = { name: string; dateOfBirth: string; timezone: string }
export type CsvRejection = { line: number; why: string }
export type CsvPeople = { people: CsvPerson[]; rejected: CsvRejection[] }

/** A forecast needs no names. */
const COLUMNS: WantedColumns = {
  required: ['dateOfBirth', 'timezone'],
  optional: ['firstName', 'lastName', 'name'],
}

const NO_COLUMNS =
  'The first line must name the columns dateOfBirth and timezone. The columns firstName and lastName are optional.'

export function readPeople(text: string): CsvPeople {
  const [first, ...rows] = parseCsv(text, SEPARATORS).filter((record) => !isBlank(record))
  const header = readHeader(first ?? { line: 1, fields: [] }, COLUMNS)
  if ('problems' in header) {
    const isMissing = header.problems.some(({ code }) => code === 'MISSING_COLUMN')
    const why = isMissing ? NO_COLUMNS : header.problems.map(({ message }) => message).join(' ')
    return { people: [], rejected: [{ line: first?.line ?? 1, why }] }
  }
  const people: CsvPerson[] = []
  const rejected: CsvRejection[] = []
  for (const row of rows) {
    const person = readPerson(header, row)
    if (typeof person === 'string') rejected.push({ line: row.line, why: person })
    else people.push(person)
  }
  return { people, rejected }
}

/** The person of a row, or why it cannot be used. */
function readPerson(header: Header, row: CsvRecord): CsvPerson | string {
  const cells = readCells(header, row)
  if (!cells.ok) return cells.problems.map(({ message }) => message).join(' ')
  const cell = cells.value
  const dateOfBirth = cell('dateOfBirth')
  if (parseCivilDate(dateOfBirth) === null) return `"${dateOfBirth}" is not a date. Use YYYY-MM-DD.`
  const timezone = parseTimezone(cell('timezone'))
  if (timezone === null)
    return unknownTimezone('timezone', cell('timezone'), { now: now(), table: tzdb }).message
  const name = cell('name') || `${cell('firstName')} ${cell('lastName')}`.trim()
  return { name: name || `Line ${row.line}`, dateOfBirth, timezone }
}
