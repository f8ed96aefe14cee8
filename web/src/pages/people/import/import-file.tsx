// One CSV file: its preview and problems, the count of new people, the run and its result.
import { useRef, useState } from 'react'
import { messageOf } from '../../../api/client.ts'
import { importPeople } from '../../../api/people.ts'
import { count, listText } from '../../../clock/format.ts'
import { useAction } from '../../../ui/action.ts'
import { Button } from '../../../ui/button.tsx'
import { downloadText } from '../../../ui/download.ts'
import { Note } from '../../../ui/panel.tsx'
import { Progress } from '../../../ui/progress.tsx'
import { type CheckedRows, rejectedCsv } from './check-rows.ts'
import { NOT_RUN, useChecked, useCount } from './file-queries.ts'
import { ImportResult } from './import-result.tsx'
import { PreviewTable } from './preview-table.tsx'
import { ProblemList } from './problem-list.tsx'
import { countLines } from './problems.ts'
import { sendRows, type Totals } from './send-rows.ts'
import { COLUMN_TITLES, correctCells, guessMapping, missingFields, type Table } from './table.ts'

type ImportFileProps = {
  name: string
  table: Table
  onRunning: (isRunning: boolean) => void
  onRemove: () => void
  onClose: () => void
}

export function ImportFile({ name, table: file, onRunning, onRemove, onClose }: ImportFileProps) {
  const [table, setTable] = useState(file)
  const [mapping, setMapping] = useState(() => guessMapping(table.columns))
  const missing = missingFields(mapping)
  const { checked, checking } = useChecked(table, mapping, missing.length === 0)
  const { counted, counting } = useCount(checked.data, mapping, table)
  const [run, setRun] = useState(NOT_RUN)
  const stop = useRef(false)
  const valid = checked.data?.valid ?? []
  const importing = useAction(
    () => {
      stop.current = false
      onRunning(true)
      const startedAt = performance.now() - run.elapsedMs
      return sendRows(valid, {
        from: run.totals,
        send: (csv) => importPeople(csv, { dryRun: false }),
        onProgress: (totals) => setRun({ totals, elapsedMs: performance.now() - startedAt }),
        isStopped: () => stop.current,
      })
    },
    { showsError: true, onSettled: () => onRunning(false) },
  )
  const problems = [...(checked.data?.problems ?? []), ...run.totals.problems]
  const download =
    problems.length === 0
      ? null
      : () => downloadText(`${name.replace(/\.\w+$/, '')}.rejected.csv`, rejectedCsv(table, problems))

  if (importing.isPending) {
    return (
      <div className="space-y-4">
        <Progress
          label="Importing"
          done={run.totals.sent}
          total={valid.length}
          elapsedMs={run.elapsedMs}
          unit="rows"
        />
        <StopButton onStop={() => (stop.current = true)} />
      </div>
    )
  }
  if (importing.isSuccess || importing.isError) {
    return (
      <ImportResult
        totals={run.totals}
        rows={valid.length}
        problems={problems}
        error={importing.error}
        onContinue={() => importing.mutate()}
        onDownload={download}
        onClose={onClose}
      />
    )
  }
  const fresh = counted.data?.created
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p>
          <span className="font-medium">{name}</span>, {count(table.rows.length, 'row')}
        </p>
        <Button look="quiet" icon="close" onClick={onRemove}>
          Remove file
        </Button>
      </div>
      <PreviewTable
        table={table}
        mapping={mapping}
        problems={checked.data?.problems ?? []}
        onMap={setMapping}
      />
      {missing.length > 0 && (
        <Note tone="failed">
          Choose the column for {listText(missing.map((field) => COLUMN_TITLES[field].toLowerCase()))}.
        </Note>
      )}
      {checked.isLoading && (
        <Progress
          label="Checking"
          done={checking.done}
          total={table.rows.length}
          elapsedMs={checking.elapsedMs}
          unit="rows"
        />
      )}
      {counted.isLoading && (
        <Progress
          label="Counting"
          done={counting.totals.sent}
          total={valid.length}
          elapsedMs={counting.elapsedMs}
          unit="rows"
        />
      )}
      {counted.error !== null && <Note tone="failed">{messageOf(counted.error)}</Note>}
      {missing.length === 0 && checked.data !== undefined && (
        <p aria-live="polite">{summary(checked.data, counted.data)}</p>
      )}
      {missing.length === 0 && download !== null && (
        <section
          aria-label="Rows with errors"
          className="max-h-64 overflow-y-auto rounded-md border border-line p-3"
        >
          <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
            <h3 className="font-medium">
              {count(problems.length, 'problem')} in {count(countLines(problems), 'row')}
            </h3>
            <Button onClick={download}>Download these rows</Button>
          </div>
          <ProblemList
            problems={problems}
            onCorrect={({ column, value }, to) =>
              setTable(correctCells(table, mapping, { column, value, to }))
            }
          />
        </section>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        {counted.error !== null ? (
          <Button icon="again" onClick={() => counted.refetch()}>
            Try again
          </Button>
        ) : (
          <Button
            look="primary"
            disabled={fresh === undefined || fresh === 0}
            onClick={() => importing.mutate()}
          >
            {fresh === undefined ? 'Import' : `Import ${count(fresh, 'person', 'people')}`}
          </Button>
        )}
      </div>
    </div>
  )
}

function StopButton({ onStop }: { onStop: () => void }) {
  const [stopping, setStopping] = useState(false)
  return (
    <div className="flex justify-end">
      <Button
        busy={stopping}
        onClick={() => {
          setStopping(true)
          onStop()
        }}
      >
        {stopping ? 'Stopping…' : 'Stop'}
      </Button>
    </div>
  )
}

/** `98 new people, 2 already exist and are not changed, 10 rows have errors.` */
function summary({ valid, problems }: CheckedRows, counted: Totals | undefined): string {
  const wrong = countLines(problems)
  const parts = [
    ...(valid.length === 0 ? ['No row can be imported'] : []),
    ...(counted === undefined ? [] : [count(counted.created, 'new person', 'new people')]),
    ...(counted === undefined || counted.unchanged === 0
      ? []
      : [
          `${counted.unchanged.toLocaleString('en')} already ${counted.unchanged === 1 ? 'exists and is' : 'exist and are'} not changed`,
        ]),
    ...(wrong === 0 ? [] : [`${count(wrong, 'row')} with errors ${wrong === 1 ? 'is' : 'are'} left out`]),
  ]
  return parts.length === 0 ? '' : `${parts.join(', ')}.`
}
