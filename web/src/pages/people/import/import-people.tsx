// Imports people from a CSV file: preview with a choice of columns, all problems, a dry run, then the import with its progress.
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FileDrop, type TextFile } from '../../../ui/file-drop.tsx'
import { Note } from '../../../ui/panel.tsx'
import { ImportFile } from './import-file.tsx'
import { readTable, type Table } from './table.ts'

type Chosen = { name: string; table: Table | { problem: string } }

const choose = ({ name, text }: TextFile): Chosen => ({ name, table: readTable(text) })

/** `file` is one that was dropped on the page. */
export function ImportPeople({ file, onClose }: { file: TextFile | null; onClose: () => void }) {
  const [chosen, setChosen] = useState(() => file && choose(file))
  const [isRunning, setIsRunning] = useState(false)
  return (
    // Only the button stops a run: Escape must not.
    <Dialog title="Import people" wide onClose={() => !isRunning && onClose()}>
      {chosen === null || 'problem' in chosen.table ? (
        <div className="space-y-3">
          {chosen !== null && 'problem' in chosen.table && (
            <Note tone="failed">
              {chosen.name}: {chosen.table.problem}
            </Note>
          )}
          <FileDrop onFile={(next) => setChosen(choose(next))}>Drop or choose a CSV file</FileDrop>
          <p className="text-soft">
            The first line names the columns: first name, last name, date of birth (YYYY-MM-DD) and time zone;
            optionally email, language, external id and the day they were hired, for a work anniversary. You
            can change which column is which in the next step. People who exist already are not changed.
          </p>
          <div className="flex justify-end">
            <Button onClick={onClose}>Cancel</Button>
          </div>
        </div>
      ) : (
        <ImportFile
          name={chosen.name}
          table={chosen.table}
          onRunning={setIsRunning}
          onRemove={() => setChosen(null)}
          onClose={onClose}
        />
      )}
    </Dialog>
  )
}
