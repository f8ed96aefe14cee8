// The most used filters as selects. They change the terms of the typed query.
import { typeText } from '../../clock/format.ts'
import { Button } from '../../ui/button.tsx'
import { FilterGroup } from '../../ui/filter-group.tsx'
import { FilterSelect } from '../../ui/filter-select.tsx'
import { STATUS_WORDS, type Terms } from './query.ts'

const DUE = {
  today: 'Today',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '+24h': 'Next 24 hours',
  '+7d': 'Next 7 days',
  past: 'All past',
  all: 'All, past and future',
}

const FILTERS = ['status', 'type', 'channel', 'due'] as const

type FiltersProps = {
  terms: Terms
  types: readonly string[]
  channels: readonly string[]
  onApply: (terms: Terms) => void
}

export function Filters({ terms, types, channels, onApply }: FiltersProps) {
  const change = (name: keyof Terms) => (value: string) => onApply({ ...terms, [name]: value })
  return (
    <div className="flex flex-wrap items-center gap-2 max-md:w-full md:flex-nowrap">
      <FilterGroup active={FILTERS.filter((name) => terms[name] !== undefined).length}>
        <FilterSelect
          label="Status"
          all="Any status"
          value={terms.status}
          options={Object.fromEntries(STATUS_WORDS.map((word) => [word, word]))}
          onChange={change('status')}
        />
        <FilterSelect
          label="Type"
          all="Any type"
          value={terms.type}
          options={Object.fromEntries(types.map((type) => [type, typeText(type)]))}
          onChange={change('type')}
        />
        <FilterSelect
          label="Channel"
          all="Any channel"
          value={terms.channel}
          options={Object.fromEntries([...channels, 'default', 'unknown'].map((name) => [name, name]))}
          onChange={change('channel')}
        />
        <FilterSelect
          label="Due"
          all="Last 30 days"
          value={terms.due}
          options={DUE}
          onChange={change('due')}
        />
      </FilterGroup>
      {Object.keys(terms).length > 0 && (
        <Button look="quiet" onClick={() => onApply({})}>
          Clear
        </Button>
      )}
    </div>
  )
}
