// Checks the rows of a table by the rules of the import, before any of them is sent.
import type { FieldProblem } from '../../../../../src/domain/errors.ts'
import { type CsvRecord, csvLine } from '../../../../../src/domain/formats/csv.ts'
import {
  createRepeats,
  type Header,
  type PersonRow,
  readRow,
} from '../../../../../src/domain/formats/people-table.ts'
import { tzdb } from '../../../../../src/domain/time/tzdb.ts'
import { parseUserFields } from '../../../../../src/domain/users/user.ts'
import { describeProblem, problemText, type RowProblem } from './problems.ts'
import type { Table } from './table.ts'

export type ValidRow = { line: number; person: PersonRow }
export type CheckedRows = { valid: ValidRow[]; problems: RowProblem[] }

/** About 30 ms: the page stays responsive. */
const STEP = 2_000

export async function checkRows(
  rows: readonly CsvRecord[],
  header: Header,
  { now, signal, onProgress }: { now: number; signal: AbortSignal; onProgress?: (done: number) => void },
): Promise<CheckedRows> {
  const valid: ValidRow[] = []
  const problems: RowProblem[] = []
  const repeats = createRepeats()
  for (const [index, row] of rows.entries()) {
    if (index % STEP === STEP - 1) {
      onProgress?.(index + 1)
      await new Promise((resolve) => setTimeout(resolve))
    }
    signal.throwIfAborted()
    const person = readPerson(header, row, { now, repeats })
    if ('problems' in person)
      for (const problem of person.problems) problems.push(describeProblem(header, row, problem, now))
    else valid.push({ line: row.line, person })
  }
  return { valid, problems }
}

function readPerson(
  header: Header,
  row: CsvRecord,
  { now, repeats }: { now: number; repeats: ReturnType<typeof createRepeats> },
): PersonRow | { problems: FieldProblem[] } {
  const input = readRow(header, row)
  if (!input.ok) return input
  const fields = parseUserFields(input.value, { now, table: tzdb })
  if (!fields.ok) return fields
  const repeated = repeats(fields.value.externalId, row.line)
  return repeated === null ? input.value : { problems: [repeated] }
}

/** The rejected rows as they are in the file, with a column that says why. The column is the first: rows may be too long or too short. */
export function rejectedCsv({ columns, rows, lineAt }: Table, problems: readonly RowProblem[]): string {
  const byLine = Map.groupBy(problems, ({ line }) => line)
  // A file that was downloaded here has the column already.
  const kept = (cells: readonly string[]) => (columns[0] === ERROR ? cells.slice(1) : cells)
  const lines = rows
    .filter(({ line }) => byLine.has(line))
    .map((row) => {
      const why = byLine
        .get(row.line)!
        .map((one) => [one.column, problemText(one)].filter(Boolean).join(': '))
      return csvLine([why.join(' '), ...('problem' in row ? [lineAt(row.line)] : kept(row.fields))])
    })
  return [csvLine([ERROR, ...kept(columns)]), ...lines].join('')
}

const ERROR = 'error'
