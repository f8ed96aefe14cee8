// Reads a CSV table of people in the browser with the parser of the import. Nothing of it leaves the page.

import type { FieldProblem } from '../../../../src/domain/errors.ts'
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
import { now } from '../../clock/now.ts'
import { describeProblem, type RowProblem } from '../people/import/problems.ts'

export type CsvPerson = { name: string; dateOfBirth: string; timezone: string }
export type CsvPeople = { people: CsvPerson[]; problems: RowProblem[] }

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
    const message = isMissing ? NO_COLUMNS : header.problems.map((one) => one.message).join(' ')
    return {
      people: [],
      problems: [{ line: first?.line ?? 1, column: '', value: '', message, suggestions: [] }],
    }
  }
  const people: CsvPerson[] = []
  const problems: RowProblem[] = []
  for (const row of rows) {
    const person = readPerson(header, row)
    if ('problems' in person)
      problems.push(...person.problems.map((problem) => describeProblem(header, row, problem, now())))
    else people.push(person)
  }
  return { people, problems }
}

function readPerson(header: Header, row: CsvRecord): CsvPerson | { problems: FieldProblem[] } {
  const cells = readCells(header, row)
  if (!cells.ok) return cells
  const cell = cells.value
  const dateOfBirth = cell('dateOfBirth')
  const timezone = parseTimezone(cell('timezone'))
  const problems: FieldProblem[] = []
  if (parseCivilDate(dateOfBirth) === null)
    problems.push({ field: 'dateOfBirth', code: 'INVALID_DATE', message: '' })
  if (timezone === null) problems.push({ field: 'timezone', code: 'UNKNOWN_TIMEZONE', message: '' })
  if (problems.length > 0 || timezone === null) return { problems }
  const name = cell('name') || `${cell('firstName')} ${cell('lastName')}`.trim()
  return { name: name || `Line ${row.line}`, dateOfBirth, timezone }
}
