// A time zone field: found by city, country, abbreviation or IANA name. It shows the current time there, so that a wrong
// choice is noticed.
import { useEffect, useState } from 'react'
import { parseTimezone } from '../../../src/domain/time/timezone.ts'
import { OptionList, useCombobox } from '../ui/combobox.tsx'
import { Input } from '../ui/field.tsx'
import { cityOf, offsetText, wallIn } from './format.ts'
import { useNow } from './now.ts'
import type { ZoneOption } from './zone-search.ts'

type ZoneInputProps = {
  value: string
  onChange: (zone: string) => void
  label?: string
  problem?: string | undefined
  required?: boolean
  placeholder?: string
  /** Hides the label and the current time. */
  compact?: boolean
  /** The options before anything is typed; the most populous zones if omitted. */
  common?: readonly string[]
}

export function ZoneInput(props: ZoneInputProps) {
  const {
    value,
    onChange,
    label = 'Time zone',
    problem,
    required = true,
    placeholder,
    compact,
    common,
  } = props
  const box = useCombobox()
  const now = useNow(60_000)
  const name = parseTimezone(value.trim())
  const isUnknown = name === null && value.trim() !== ''
  const search = useZoneSearch(box.isOpen || isUnknown)
  // A complete name is not searched for: the list then offers other zones.
  const typed = name === null ? value : ''
  const options = box.isOpen && search !== null ? optionsFor(search, typed, now, common) : []
  const choose = ({ timezone }: ZoneOption) => {
    onChange(timezone)
    box.close()
  }
  const wall = name === null || compact ? null : wallIn(now, name)
  return (
    <div className="min-w-0">
      <Input
        label={label}
        hideLabel={compact ?? false}
        required={required}
        placeholder={placeholder}
        value={value}
        {...box.inputProps(options)}
        onFocus={({ target }) => target.select()}
        onClick={() => box.open()}
        onKeyDown={(event) => void box.onKey(event, options, choose)}
        onChange={({ target }) => {
          const typed = target.value.trim()
          onChange(target.value)
          if (parseTimezone(typed) !== null) box.close()
          else box.open(typed === '' ? -1 : 0)
        }}
        problem={problem}
        hint={
          wall !== null ? (
            `Now ${wall.time} ${wall.day}, ${offsetText(wall.offsetMinutes)}`
          ) : isUnknown && search !== null ? (
            // While the list is open it has the suggestions; the line keeps its place.
            options.length > 0 ? (
              '\u00a0'
            ) : (
              <Unknown likely={search.likelyZones(value, now)} onChoose={onChange} />
            )
          ) : undefined
        }
      />
      <OptionList
        box={box}
        label="Suggestions"
        options={options}
        keyOf={({ timezone }) => timezone}
        choose={choose}
      >
        {({ timezone, city, country }) => (
          <>
            <span className="min-w-0">
              {city}
              <span className="text-soft">{country === '' ? ` ${timezone}` : `, ${country}`}</span>
            </span>
            <span className="shrink-0 text-soft">{clockText(now, timezone)}</span>
          </>
        )}
      </OptionList>
    </div>
  )
}

type ZoneSearch = typeof import('./zone-search.ts')

/** The search is loaded when it is first needed: most visits to a list do not use it. */
function useZoneSearch(isNeeded: boolean): ZoneSearch | null {
  const [search, setSearch] = useState<ZoneSearch | null>(null)
  useEffect(() => {
    if (isNeeded && search === null) void import('./zone-search.ts').then(setSearch)
  }, [isNeeded, search])
  return search
}

function optionsFor(
  search: ZoneSearch,
  typed: string,
  now: number,
  common: readonly string[] | undefined,
): ZoneOption[] {
  if (typed.trim() !== '' || common === undefined) return search.findZones(typed, now)
  return common.map((timezone) => ({ timezone, city: cityOf(timezone), country: '' }))
}

function clockText(now: number, timezone: string): string {
  const { time, offsetMinutes } = wallIn(now, timezone)
  return `${time} ${offsetText(offsetMinutes)}`
}

function Unknown({ likely, onChoose }: { likely: readonly string[]; onChoose: (zone: string) => void }) {
  if (likely.length === 0) return 'Not a time zone. Type a city, a country or a name such as Asia/Jakarta.'
  return (
    <>
      Not a time zone. Did you mean{' '}
      {likely.map((timezone, index) => (
        <span key={timezone}>
          {index > 0 && (index === likely.length - 1 ? ' or ' : ', ')}
          <button type="button" onClick={() => onChoose(timezone)} className="text-accent underline">
            {timezone}
          </button>
        </span>
      ))}
      ?
    </>
  )
}
