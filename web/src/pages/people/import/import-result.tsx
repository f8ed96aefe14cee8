// The result of an import: complete, stopped or failed. A stopped or failed one can be continued.
import { messageOf } from '../../../api/client.ts'
import { count } from '../../../clock/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Note } from '../../../ui/panel.tsx'
import { ProblemList } from './problem-list.tsx'
import { countLines, type RowProblem } from './problems.ts'
import type { Totals } from './send-rows.ts'

type ImportResultProps = {
  totals: Totals
  /** How many rows were to be sent. */
  rows: number
  problems: readonly RowProblem[]
  error: Error | null
  onContinue: () => void
  onDownload: (() => void) | null
  onClose: () => void
}

export function ImportResult(props: ImportResultProps) {
  const { totals, rows, problems, error, onContinue, onDownload, onClose } = props
  const { sent, created, unchanged, different } = totals
  const rejected = countLines(problems)
  const isComplete = sent === rows
  return (
    <div className="space-y-4">
      {error !== null && <Note tone="failed">{messageOf(error)}</Note>}
      <div role="status">
        <p className="font-serif text-lg">{count(created, 'person', 'people')} imported.</p>
        {!isComplete && (
          <p>
            {error === null ? 'Stopped' : 'Failed'} after {sent.toLocaleString('en')} of {count(rows, 'row')}.
          </p>
        )}
        {unchanged > 0 && (
          <p className="text-soft">
            {unchanged.toLocaleString('en')} already existed and {unchanged === 1 ? 'was' : 'were'} not
            changed
            {different > 0 && `; ${different.toLocaleString('en')} of them differ from the file`}.
          </p>
        )}
        {rejected > 0 && <p className="text-soft">{count(rejected, 'row')} with errors left out.</p>}
      </div>
      {rejected > 0 && (
        <section
          aria-label="Rows with errors"
          className="max-h-64 overflow-y-auto rounded-md border border-line p-3"
        >
          <ProblemList problems={problems} />
        </section>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        {onDownload !== null && <Button onClick={onDownload}>Download rejected rows</Button>}
        {!isComplete && (
          <Button icon="again" onClick={onContinue}>
            Continue
          </Button>
        )}
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  )
}
