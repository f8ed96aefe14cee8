// Sends checked rows to the import, a part at a time, so that progress is known and a run can be stopped and continued.
import { TerceError } from '../../../../../src/client/path-client.ts'
import { csvLine } from '../../../../../src/domain/formats/csv.ts'
import { FIELD_NAMES } from '../../../../../src/domain/users/user-fields.ts'
import type { ImportReport } from '../../../api/people.ts'
import type { ValidRow } from './check-rows.ts'
import type { RowProblem } from './problems.ts'

export type Totals = {
  /** How many rows the server has processed. */
  sent: number
  created: number
  unchanged: number
  different: number
  /** Rows that the server rejected although the page accepted them. */
  problems: RowProblem[]
}

export const NOTHING_SENT: Totals = { sent: 0, created: 0, unchanged: 0, different: 0, problems: [] }

/** The batch of the import, and a bound for slow servers. */
const [LEAST, MOST] = [500, 5_000]
/** Each request should take about this long: the progress moves, and the audit log gets few entries. */
const STEP_MS = 1_000

type Sending = {
  /** Of an earlier run, to continue after its rows. */
  from?: Totals
  send: (csv: string) => Promise<ImportReport>
  onProgress: (totals: Totals) => void
  isStopped: () => boolean
  clock?: () => number
}

/** Stops between two requests only, so that the totals are exact. If a request fails, the totals so far were reported. */
export async function sendRows(rows: readonly ValidRow[], sending: Sending): Promise<Totals> {
  const { from = NOTHING_SENT, send, onProgress, isStopped, clock = () => performance.now() } = sending
  let totals = from
  let step = LEAST
  while (totals.sent < rows.length && !isStopped()) {
    const part = rows.slice(totals.sent, totals.sent + step)
    const startedAt = clock()
    try {
      totals = added(totals, part, await send(csvOf(part)))
    } catch (error) {
      // The rows that were written before the error are done.
      if (error instanceof TerceError && error.soFar !== undefined)
        onProgress(added(totals, part, { ...error.soFar, errors: [] }))
      throw error
    }
    onProgress(totals)
    step = nextStep(part.length, clock() - startedAt)
  }
  return totals
}

export function nextStep(rows: number, ms: number): number {
  return Math.round(Math.min(MOST, Math.max(LEAST, (rows * STEP_MS) / Math.max(1, ms))))
}

const COLUMNS = [...FIELD_NAMES, 'hiredOn'] as const

/** One line for each row: a checked value contains no line break. */
function csvOf(rows: readonly ValidRow[]): string {
  const lines = rows.map(({ person }) => csvLine(COLUMNS.map((column) => person[column] ?? null)))
  return csvLine(COLUMNS) + lines.join('')
}

function added(totals: Totals, part: readonly ValidRow[], report: ImportReport): Totals {
  const problems = report.errors.map(({ line, field, message }) => ({
    // The part has its header on line 1.
    line: part[line - 2]?.line ?? 0,
    column: field,
    value: '',
    message,
    suggestions: [],
  }))
  return {
    sent: totals.sent + report.read,
    created: totals.created + report.created,
    unchanged: totals.unchanged + report.unchanged,
    different: totals.different + report.different,
    problems: [...totals.problems, ...problems],
  }
}
