// All problems of a CSV file, with the line, the column and the text of the cell. The first are rendered, and more on request.
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { problemText, type RowProblem } from './problems.ts'

const PAGE = 50

type ProblemListProps = {
  problems: readonly RowProblem[]
  /** Applies a suggestion. Absent once the rows were sent. */
  onCorrect?: (problem: RowProblem, to: string) => void
}

export function ProblemList({ problems, onCorrect }: ProblemListProps) {
  const [shown, setShown] = useState(PAGE)
  const more = problems.length - shown
  return (
    <div>
      <table className="w-full text-xs">
        <caption className="sr-only">Problems</caption>
        <thead>
          <tr className="text-left text-soft">
            <th className="w-12 whitespace-nowrap py-1 pr-3 font-normal">Line</th>
            <th className="w-28 max-md:w-20 py-1 pr-3 font-normal">Column</th>
            <th className="py-1 font-normal">Problem</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line align-top">
          {problems.slice(0, shown).map((problem, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a cell can have two problems, and the list does not change
            <tr key={index}>
              <td className="py-1 pr-3 tabular-nums">{problem.line}</td>
              <td className="py-1 pr-3">{problem.column || 'Whole row'}</td>
              <td className="py-1">
                {problem.value !== '' && <span className="text-soft">“{problem.value.slice(0, 60)}” </span>}
                {onCorrect === undefined ? problemText(problem) : problem.message}
                {onCorrect !== undefined && problem.suggestions.length > 0 && (
                  <span className="mt-1 flex flex-wrap items-center gap-1">
                    Use
                    {problem.suggestions.map((to) => (
                      <button
                        key={to}
                        type="button"
                        data-tip="In every row with this text"
                        onClick={() => onCorrect(problem, to)}
                        className="rounded border border-line-strong px-1.5 hover:bg-raised max-md:py-1"
                      >
                        {to}
                      </button>
                    ))}
                  </span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && (
        <Button look="quiet" onClick={() => setShown(shown + 10 * PAGE)}>
          Show {Math.min(more, 10 * PAGE).toLocaleString('en')} more
        </Button>
      )}
    </div>
  )
}
