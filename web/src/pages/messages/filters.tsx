// The most used filters as selects. They change the terms of the typed query.
import { typeText } from '../../clock/format.ts'
import { Button } from '../../ui/button.tsx'
import { INPUT } from '../../ui/field.tsx'
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
      <Filter
        label="Status"
        all="Any status"
        value={terms.status}
        options={STATUS_WORDS.map((word) => [word, word])}
        onChange={change('status')}
      />
      <Filter
        label="Type"
        all="Any type"
        value={terms.type}
        options={types.map((type) => [type, typeText(type)])}
        onChange={change('type')}
      />
      <Filter
        label="Channel"
        all="Any channel"
        value={terms.channel}
        options={[...channels, 'default', 'unknown'].map((name) => [name, name])}
        onChange={change('channel')}
      />
      <Filter
        label="Due"
        all="Last 30 days"
        value={terms.due}
        options={Object.entries(DUE)}
        onChange={change('due')}
      />
      {Object.keys(terms).length > 0 && (
        <Button look="quiet" onClick={() => onApply({})}>
          Clear
        </Button>
      )}
    </div>
  )
}

type FilterProps = {
  label: string
  /** The text without a filter. */
  all: string
  value: string | undefined
  options: readonly (readonly [string, string])[]
  onChange: (value: string) => void
}

function Filter({ label, all, value = '', options, onChange }: FilterProps) {
  const isListed = value === '' || options.some(([option]) => option === value)
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      className={`${INPUT} h-8 md:w-36 max-md:h-10 max-md:max-w-[calc(50%-0.25rem)]`}
    >
      <option value="">{all}</option>
      {!isListed && <option value={value}>{value}</option>}
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </select>
  )
}
