// The problems of a CSV file, each with its line, its column, the text of the cell and how to correct it.
import type { FieldProblem } from '../../../../../src/domain/errors.ts'
import type { CsvRecord } from '../../../../../src/domain/formats/csv.ts'
import { asWritten, type Column, type Header } from '../../../../../src/domain/formats/people-table.ts'
import { tzdb } from '../../../../../src/domain/time/tzdb.ts'
import { suggestZones } from '../../../../../src/domain/time/zone-suggestions.ts'
import { listText } from '../../../clock/format.ts'
import { suggestDates } from './dates.ts'

export type RowProblem = {
  line: number
  /** As the file names it; empty for the whole row. */
  column: string
  /** The text of the cell. */
  value: string
  message: string
  /** Texts that would be accepted. */
  suggestions: readonly string[]
}

/** The problem of a field as the page shows it. `now` decides which zones have an offset. */
export function describeProblem(
  header: Header,
  row: CsvRecord,
  problem: FieldProblem,
  now: number,
): RowProblem {
  const { field, message } = asWritten(header, problem)
  const at = header.columns[problem.field as Column]?.at
  const value = at === undefined || 'problem' in row ? '' : (row.fields[at] ?? '').trim()
  const described = { line: row.line, column: field, value, suggestions: [] }
  if (at !== undefined && value === '') return { ...described, message: 'Required.' }
  if (problem.code === 'UNKNOWN_TIMEZONE') {
    const { suggestions } = suggestZones(value, { now, table: tzdb })
    const remedy = suggestions.length === 0 ? ' Use an IANA name such as Asia/Jakarta.' : ''
    return { ...described, message: `Not a time zone.${remedy}`, suggestions }
  }
  if (problem.code === 'INVALID_DATE') {
    const suggestions = suggestDates(value)
    const remedy = suggestions.length === 0 ? ' Use YYYY-MM-DD, such as 1990-12-15.' : ''
    return { ...described, message: `Not a date.${remedy}`, suggestions }
  }
  return { ...described, message }
}

/** `Not a time zone. Did you mean America/Chicago, Asia/Shanghai or America/Havana?` */
export function problemText({ message, suggestions }: RowProblem): string {
  return suggestions.length === 0 ? message : `${message} Did you mean ${listText(suggestions, 'or')}?`
}

export function countLines(problems: readonly RowProblem[]): number {
  return new Set(problems.map(({ line }) => line)).size
}
