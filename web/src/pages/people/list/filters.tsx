// The search and the filters of the list of people. All of them are in the URL.
import { useEffect, useState } from 'react'
import { parseTimezone } from '../../../../../src/domain/time/timezone.ts'
import { usePopulation } from '../../../api/population.ts'
import { useOccasionTypes } from '../../../api/settings.ts'
import { typeText } from '../../../clock/format.ts'
import { ZoneInput } from '../../../clock/zone-input.tsx'
import { setParams, useParam, useSearch } from '../../../router.tsx'
import { Button } from '../../../ui/button.tsx'
import { INPUT } from '../../../ui/field.tsx'
import { FilterGroup } from '../../../ui/filter-group.tsx'
import { FilterSelect } from '../../../ui/filter-select.tsx'
import { DUE_WITHIN, filterOfUrl, NO_FILTER } from './people-filter.ts'

/** A filter starts at the first page. The browser's Back returns to the filter before. */
function apply(changes: Partial<typeof NO_FILTER>): void {
  setParams({ ...changes, cursor: '' }, { isEntry: true })
}

export function Filters() {
  const [search] = useParam('search')
  const [zone] = useParam('zone')
  const [due] = useParam('due')
  const [type] = useParam('type')
  const [paused] = useParam('paused')
  const [failed] = useParam('failed')
  const types = useOccasionTypes().data?.items.map((one) => one.type) ?? []
  const filter = filterOfUrl(useSearch())
  const active = Object.keys(filter).length
  return (
    <search className="mb-3 flex flex-wrap items-center gap-2">
      <input
        data-search
        type="search"
        aria-label="Search people"
        placeholder="Name, email or id   /"
        maxLength={100}
        value={search}
        // No history entry for each letter.
        onChange={({ target }) => setParams({ search: target.value, cursor: '' })}
        className={`${INPUT} h-8 max-w-56 max-md:h-10 max-md:w-auto max-md:max-w-none max-md:flex-1`}
      />
      <FilterGroup active={active - (filter.search === undefined ? 0 : 1)}>
        <ZoneFilter value={zone} onChange={(next) => apply({ zone: next })} />
        <FilterSelect
          label="Due"
          all="Due any time"
          value={due}
          options={DUE_WITHIN}
          onChange={(next) => apply({ due: next })}
        />
        <FilterSelect
          label="Type"
          all="Any type"
          value={type}
          options={Object.fromEntries(types.map((one) => [one, typeText(one)]))}
          onChange={(next) => apply({ type: next })}
        />
        <FilterSelect
          label="Paused"
          all="Paused or not"
          value={paused}
          options={{ true: 'Paused', false: 'Not paused' }}
          onChange={(next) => apply({ paused: next })}
        />
        <FilterSelect
          label="Failures"
          all="Any result"
          value={failed}
          options={{ true: 'Has failures' }}
          onChange={(next) => apply({ failed: next })}
        />
      </FilterGroup>
      {active > 0 && (
        <Button look="quiet" onClick={() => apply(NO_FILTER)}>
          Clear
        </Button>
      )}
    </search>
  )
}

/** Applied once it is a time zone, or empty. Before anything is typed it offers the zones of most people. */
function ZoneFilter({ value, onChange }: { value: string; onChange: (zone: string) => void }) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  const zones = usePopulation()?.zones ?? []
  const common = [...zones].sort((a, b) => b.people - a.people).slice(0, 8)
  return (
    <div className="w-full md:w-44">
      <ZoneInput
        compact
        required={false}
        placeholder="Any time zone"
        value={text}
        common={common.map(({ timezone }) => timezone)}
        onChange={(next) => {
          setText(next)
          const zone = parseTimezone(next.trim())
          if (zone !== null || next.trim() === '') onChange(zone ?? '')
        }}
      />
    </div>
  )
}
