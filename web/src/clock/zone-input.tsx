// A time zone field that shows the current time there, so that a wrong choice is noticed.
import { useId, useState } from 'react'
import { isPlace, parseTimezone } from '../../../src/domain/time/timezone.ts'
import { tzdb } from '../../../src/domain/time/tzdb.ts'
import { suggestZones } from '../../../src/domain/time/zone-suggestions.ts'
import { Input } from '../ui/field.tsx'
import { offsetText, wallIn } from './format.ts'
import { useNow } from './now.ts'

type ZoneInputProps = {
  value: string
  onChange: (zone: string) => void
  label?: string
  problem?: string | undefined
  required?: boolean
  placeholder?: string
}

/** Six hundred names, rendered on first focus. */
const ZONES = tzdb.zones().filter((name) => (name.includes('/') && isPlace(name)) || name === 'UTC')

export function ZoneInput(props: ZoneInputProps) {
  const { value, onChange, label = 'Time zone', problem, required = true, placeholder } = props
  const list = useId()
  const [touched, setTouched] = useState(false)
  const now = useNow(60_000)
  const name = parseTimezone(value.trim())
  const wall = name === null ? null : wallIn(now, name)
  return (
    <div className="min-w-0">
      <Input
        label={label}
        list={list}
        required={required}
        autoComplete="off"
        spellCheck={false}
        placeholder={placeholder}
        value={value}
        onFocus={() => setTouched(true)}
        onChange={(event) => onChange(event.target.value)}
        problem={problem}
        hint={
          wall === null
            ? unknownText(value, now)
            : `Now ${wall.time} ${wall.day}, ${offsetText(wall.offsetMinutes)}`
        }
      />
      <datalist id={list}>{touched && ZONES.map((zone) => <option key={zone} value={zone} />)}</datalist>
    </div>
  )
}

function unknownText(typed: string, now: number): string | undefined {
  if (typed.trim() === '') return undefined
  const { suggestions } = suggestZones(typed, { now, table: tzdb })
  return suggestions.length === 0
    ? 'Not a time zone. Use an IANA name such as Asia/Jakarta.'
    : `Not a time zone. Did you mean ${suggestions.join(' or ')}?`
}
