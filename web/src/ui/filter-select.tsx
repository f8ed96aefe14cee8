// A filter of a list as a select.
import { INPUT } from './field.tsx'

type FilterSelectProps = {
  label: string
  /** The text without a filter. */
  all: string
  value: string | undefined
  /** The text of each value. */
  options: Readonly<Record<string, string>>
  onChange: (value: string) => void
}

/** A value that is not among the options, such as one from the URL, is added to them. */
export function FilterSelect({ label, all, value = '', options, onChange }: FilterSelectProps) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      className={`${INPUT} h-8 max-md:h-10 md:w-36`}
    >
      <option value="">{all}</option>
      {value !== '' && !(value in options) && <option value={value}>{value}</option>}
      {Object.entries(options).map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </select>
  )
}
