// A page of people with checkboxes, and bulk actions on the selected ones or on all that match.
import { useQuery } from '@tanstack/react-query'
import { countPeople } from '../../../api/bulk.ts'
import { type PeopleFilter, usePeople } from '../../../api/people.ts'
import { usePopulation } from '../../../api/population.ts'
import { KEYS } from '../../../api/query-keys.ts'
import type { ListedUser } from '../../../api/types.ts'
import { count } from '../../../clock/format.ts'
import { useParam, useSearch } from '../../../router.tsx'
import { Button } from '../../../ui/button.tsx'
import { useDebounced } from '../../../ui/debounced.ts'
import { Pagination } from '../../../ui/pagination.tsx'
import { Empty, Loaded, Panel } from '../../../ui/panel.tsx'
import { type Selection, SelectPage, useSelection } from '../../../ui/selection.tsx'
import { useHiddenPeople } from '../delete-person.ts'
import { BulkActions } from './bulk-actions.tsx'
import { filterOfUrl, filterText } from './people-filter.ts'
import { PeopleTable } from './people-table.tsx'

/** `open` is the person in the panel beside the list. */
export function PeopleList({ open }: { open: string | null }) {
  const [cursor] = useParam('cursor')
  const query = useSearch()
  const { search: typed = '', ...others } = filterOfUrl(query)
  const search = useDebounced(typed)
  const filter: PeopleFilter = { ...(search !== '' && { search }), ...others }
  const people = usePeople(filter, { cursor })
  const hidden = useHiddenPeople()
  const selection = useSelection(JSON.stringify(filter))
  const isFiltered = Object.keys(filter).length > 0
  return (
    <Panel flush>
      <Loaded query={people} rows={10}>
        {({ items, nextCursor }) => {
          const shown = items.filter(({ id }) => !hidden.has(id))
          return shown.length === 0 ? (
            <Empty title={isFiltered ? 'No matches.' : 'No people yet.'}>
              {isFiltered
                ? 'Change or clear the filter.'
                : 'Add a person, import a CSV file or load demo people on Today.'}
            </Empty>
          ) : (
            <>
              <SelectionBar
                shown={shown}
                hasMore={cursor !== '' || nextCursor !== null}
                filter={filter}
                selection={selection}
              />
              <PeopleTable rows={shown} open={open} selection={selection} />
              <Pagination page="people" cursor={cursor} next={nextCursor} />
            </>
          )
        }}
      </Loaded>
    </Panel>
  )
}

type SelectionBarProps = {
  shown: readonly ListedUser[]
  /** Whether there are other pages. */
  hasMore: boolean
  filter: PeopleFilter
  selection: Selection
}

function SelectionBar({ shown, hasMore, filter, selection }: SelectionBarProps) {
  const page = shown.map(({ id }) => id)
  const isPage = page.every(selection.has)
  const total = useTotal(filter, hasMore && isPage)
  const { ids, isAll, isEmpty } = selection
  const all = { filter, text: filterText(filter) }
  const chosen = {
    filter: { ids: [...ids] },
    text: `${count(ids.size, 'selected person', 'selected people')}`,
  }
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-4 py-1 text-soft text-xs">
      <SelectPage selection={selection} page={page} />
      <span aria-live="polite">
        {isAll
          ? `All ${total === undefined ? '' : `${total.toLocaleString('en')} `}that match are selected`
          : isEmpty
            ? `${count(shown.length, 'person', 'people')} on this page`
            : `${count(ids.size, 'person', 'people')} selected`}
      </span>
      {hasMore && isPage && !isAll && (
        <Button look="quiet" onClick={selection.selectAll}>
          Select all {total?.toLocaleString('en')} that match
        </Button>
      )}
      {!isEmpty && (
        <Button look="quiet" onClick={selection.clear}>
          Clear selection
        </Button>
      )}
      <span className="ml-auto flex flex-wrap gap-1">
        <BulkActions
          audience={isEmpty || isAll ? all : chosen}
          asButtons={!isEmpty}
          onDone={selection.clear}
        />
      </span>
    </div>
  )
}

/** How many people match; counted when all of a page are selected. The number of all people is known. */
function useTotal(filter: PeopleFilter, isNeeded: boolean): number | undefined {
  const isFiltered = Object.keys(filter).length > 0
  const people = usePopulation()?.people
  const counted = useQuery({
    queryKey: [...KEYS.people, 'count', filter],
    queryFn: () => countPeople(filter),
    enabled: isNeeded && isFiltered,
    meta: { live: false },
  })
  return isFiltered ? counted.data : people
}
