// The rejected lines of a CSV file: the first ones with their problems, and how many more there are.
import { count } from '../clock/format.ts'

type Rejection = { line: number; why: string }

const SHOWN = 10

export function Rejections({ rejected, total }: { rejected: readonly Rejection[]; total: number }) {
  const { shown, more } = shownRejections(rejected, total)
  return (
    <ul aria-label="Rejected lines" className="mt-1 text-soft text-xs">
      {shown.map(({ line, why }) => (
        <li key={line}>
          Line {line}: {why}
        </li>
      ))}
      {more > 0 && <li>and {count(more, 'more line')}.</li>}
    </ul>
  )
}

export function shownRejections(rejected: readonly Rejection[], total: number) {
  const shown = rejected.slice(0, SHOWN)
  return { shown, more: total - shown.length }
}

/** One entry for each line: a line can have several problems. */
export function rejectedLines(problems: readonly { line: number; message: string }[]): Rejection[] {
  const lines = Map.groupBy(problems, ({ line }) => line)
  return [...lines].map(([line, found]) => ({ line, why: found.map(({ message }) => message).join(' ') }))
}
