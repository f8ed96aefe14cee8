// The people page: the list with its filters, the side panel, and the dialogs that add people.
import { lazy, Suspense, useCallback, useState } from 'react'
import { exportPeople } from '../../api/people.ts'
import { usePopulation } from '../../api/population.ts'
import { useSession } from '../../api/session.ts'
import { count } from '../../clock/format.ts'
import { navigate, useParam } from '../../router.tsx'
import { useAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { downloadText } from '../../ui/download.ts'
import { type TextFile, usePageDrop } from '../../ui/file-drop.tsx'
import { PageTitle } from '../../ui/panel.tsx'
import { AddPersonDialog } from './add-person-dialog.tsx'
import { Filters } from './list/filters.tsx'
import { PeopleList } from './list/people-list.tsx'

// Loaded on first use, so that the list is light.
const PersonPanel = lazy(() =>
  import('./person-panel.tsx').then((module) => ({ default: module.PersonPanel })),
)
const ImportPeople = lazy(() =>
  import('./import/import-people.tsx').then((module) => ({ default: module.ImportPeople })),
)

/** The keyboard continues at the row of the person. */
function close(): void {
  document.querySelector<HTMLElement>('[data-row][aria-current]')?.focus()
  navigate(`people${location.search}`)
}

export function People({ id }: { id: string | null }) {
  const [adding, setAdding] = useState(false)
  const [importing, setImporting] = useParam('import')
  const [dropped, setDropped] = useState<TextFile | null>(null)
  const isDragging = usePageDrop(
    useCallback(
      (file) => {
        setDropped(file)
        setImporting('csv')
      },
      [setImporting],
    ),
  )
  const exporting = useAction(exportPeople, {
    refetches: [],
    onSuccess: (texts) => downloadText('people.csv', ...texts),
  })
  const total = usePopulation()?.people
  const deliverAt = useSession().data?.deliverAt ?? '09:00'
  return (
    <>
      <PageTitle
        title="People"
        actions={
          <>
            <Button look="quiet" onClick={() => exporting.mutate()} disabled={exporting.isPending}>
              {exporting.isPending ? 'Exporting' : 'Export CSV'}
            </Button>
            <Button onClick={() => setImporting('csv')}>Import CSV</Button>
            <Button look="primary" icon="plus" onClick={() => setAdding(true)}>
              Add person
            </Button>
          </>
        }
      >
        {total !== undefined && `${count(total, 'person', 'people')}. `}
        Messages of new people go out at {deliverAt} local time.
      </PageTitle>
      <Filters />
      <PeopleList open={id} />
      {id !== null && (
        <Suspense>
          <PersonPanel key={id} id={id} onClose={close} />
        </Suspense>
      )}
      {isDragging && (
        <p className="pointer-events-none fixed inset-4 z-50 grid place-items-center rounded-xl border-2 border-accent-fill border-dashed bg-accent-wash font-serif text-lg">
          Drop the CSV file to import people
        </p>
      )}
      {importing !== '' && (
        <Suspense>
          <ImportPeople
            file={dropped}
            onClose={() => {
              setDropped(null)
              setImporting('')
            }}
          />
        </Suspense>
      )}
      {adding && <AddPersonDialog title="Add person" onClose={() => setAdding(false)} />}
    </>
  )
}
