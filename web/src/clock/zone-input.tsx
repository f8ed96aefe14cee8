// A timezone to choose, with what time it is there, so that a wrong one is seen at once.
import { useId, useMemo } from 'react'
import { tzdb } from '../../../src/domain/tzdb.ts'
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

export function ZoneInput(props: ZoneInputProps) {
  const { value, onChange, label = 'Timezone', problem, required = true, placeholder } = props
  const list = useId()
  const now = useNow(60_000)
  const zones = useMemo(() => tzdb.zones().filter((name) => name.includes('/') || name === 'UTC'), [])
  const name = tzdb.canonicalName(value.trim())
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
        onChange={(event) => onChange(event.target.value)}
        problem={problem}
        hint={
          wall === null
            ? value.trim() === ''
              ? undefined
              : 'Not an IANA name yet, such as Asia/Jakarta.'
            : `${wall.time} ${wall.day} there now, ${offsetText(wall.offsetMinutes)}`
        }
      />
      <datalist id={list}>
        {zones.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </div>
  )
}
