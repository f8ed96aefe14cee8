// The people page: search, filters, table and side panel.
import { lazy, Suspense, useCallback, useState } from 'react'
import { type PeopleFilter, usePeople } from '../../api/people.ts'
import { usePopulation } from '../../api/population.ts'
import { useSession } from '../../api/session.ts'
import { cityOf, count } from '../../clock/format.ts'
import { navigate, setParams, useParam } from '../../router.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { useDebounced } from '../../ui/debounced.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { INPUT } from '../../ui/field.tsx'
import { type TextFile, usePageDrop } from '../../ui/file-drop.tsx'
import { Empty, Loaded, PageTitle, Panel } from '../../ui/panel.tsx'
import { notify } from '../../ui/toast.tsx'
import { AddPerson } from './add-person.tsx'
import { useHiddenPeople } from './delete-person.ts'
import { BulkActions } from './list/bulk-actions.tsx'
import { PeopleTable } from './list/people-table.tsx'
import { PersonPanel } from './person-panel.tsx'

/** Loaded on first use: it checks rows by the rules of the server. */
const ImportPeople = lazy(() =>
  import('./import/import-people.tsx').then((module) => ({ default: module.ImportPeople })),
)

export function People({ id }: { id: string | null }) {
  const [search, setSearch] = useParam('search')
  const [timezone, setTimezone] = useParam('zone')
  const [cursor] = useParam('cursor')
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
  const filter: PeopleFilter = { search: useDebounced(search), timezone }
  const people = usePeople(filter, cursor)
  const total = usePopulation()?.people
  const deliverAt = useSession().data?.deliverAt ?? '09:00'
  const isFiltered = filter.search !== '' || timezone !== ''
  const hidden = useHiddenPeople()
  const query = location.search
  return (
    <>
      <PageTitle
        title="People"
        actions={
          <>
            <a href="/user/export?format=csv" download className={buttonClass('quiet')}>
              Export CSV
            </a>
            <Button onClick={() => setImporting('csv')}>Import CSV</Button>
            <Button look="primary" icon="plus" onClick={() => setAdding(true)}>
              Add person
            </Button>
          </>
        }
      >
        {total !== undefined && `${count(total, 'person', 'people')}. `}Messages go out at {deliverAt} local
        time.
      </PageTitle>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <input
          data-search
          type="search"
          aria-label="Search by name"
          placeholder="Search by name   /"
          value={search}
          onChange={(event) => {
            setParams({ cursor: '' })
            setSearch(event.target.value)
          }}
          className={`${INPUT} h-8 max-w-64 max-md:h-10 max-md:max-w-none`}
        />
        <ZoneFilter value={timezone} onChange={(zone) => setParams({ zone, cursor: '' })} />
        {isFiltered && (
          <Button look="quiet" onClick={() => setParams({ search: '', zone: '', cursor: '' })}>
            Clear
          </Button>
        )}
        <div className="ml-auto">
          <BulkActions filter={filter} />
        </div>
      </div>
      <Panel flush>
        <Loaded query={people} rows={10}>
          {({ items, nextCursor }) => {
            const shown = items.filter(({ user }) => !hidden.has(user.id))
            return shown.length === 0 ? (
              <Empty title={isFiltered ? 'No matches.' : 'No people yet.'}>
                {isFiltered
                  ? 'Search looks at first and last names.'
                  : 'Add a person, import a CSV file or load demo people on Today.'}
              </Empty>
            ) : (
              <>
                <PeopleTable rows={shown} selected={id} query={query} onZone={setTimezone} />
                <Pages cursor={cursor} next={nextCursor} shown={shown.length} />
              </>
            )
          }}
        </Loaded>
      </Panel>
      {id !== null && <PersonPanel key={id} id={id} onClose={() => navigate(`people${query}`)} />}
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
      {adding && (
        <Dialog title="Add person" onClose={() => setAdding(false)}>
          <AddPerson
            onClose={() => setAdding(false)}
            onAdded={(user) => {
              setAdding(false)
              notify(`${user.firstName} added.`)
              navigate(`people/${user.id}`)
            }}
          />
        </Dialog>
      )}
    </>
  )
}

function ZoneFilter({ value, onChange }: { value: string; onChange: (zone: string) => void }) {
  const zones = usePopulation()?.zones ?? []
  const known = [...zones].sort((a, b) => b.people - a.people)
  return (
    <select
      aria-label="Time zone"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className={`${INPUT} h-8 w-auto max-w-52 max-md:h-10`}
    >
      <option value="">All time zones</option>
      {value !== '' && !known.some(({ timezone }) => timezone === value) && (
        <option value={value}>{value}</option>
      )}
      {known.map(({ timezone, people }) => (
        <option key={timezone} value={timezone}>
          {cityOf(timezone)} ({people})
        </option>
      ))}
    </select>
  )
}

function Pages({ cursor, next, shown }: { cursor: string; next: string | null; shown: number }) {
  if (cursor === '' && next === null) return null
  return (
    <nav
      aria-label="Pagination"
      className="flex items-center justify-between border-line border-t px-4 py-2 text-soft"
    >
      <span>{count(shown, 'person', 'people')} on this page</span>
      <span className="flex gap-2">
        <Button disabled={cursor === ''} onClick={() => setParams({ cursor: '' })}>
          First
        </Button>
        <Button disabled={cursor === ''} icon="left" onClick={() => history.back()}>
          Back
        </Button>
        <Button disabled={next === null} onClick={() => navigateTo(next ?? '')}>
          Next
        </Button>
      </span>
    </nav>
  )
}

/** Pushes a history entry, so that Back returns to the previous page. */
function navigateTo(cursor: string): void {
  const params = new URLSearchParams(location.search)
  params.set('cursor', cursor)
  navigate(`people?${params}`)
}
