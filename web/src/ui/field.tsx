// Form fields, each with its label, hint and error.
import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react'

export const INPUT =
  'w-full min-w-0 rounded-md border border-line-strong bg-panel px-2.5 text-sm text-ink max-md:text-base aria-invalid:border-failed'

type Labelled = { label: string; hint?: ReactNode; problem?: string | undefined; hideLabel?: boolean }
type Wired = { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean | undefined }

function Field(props: Labelled & { children: (wired: Wired) => ReactNode }) {
  const { label, hint, problem, hideLabel = false, children } = props
  const id = useId()
  const isDescribed = problem !== undefined || hint !== undefined
  return (
    <div className="min-w-0">
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'mb-1 block text-soft text-xs'}>
        {label}
      </label>
      {children({
        id,
        'aria-describedby': isDescribed ? `${id}-description` : undefined,
        'aria-invalid': problem === undefined ? undefined : true,
      })}
      {isDescribed && (
        <p
          id={`${id}-description`}
          className={`mt-1 text-xs ${problem === undefined ? 'text-soft' : 'text-failed'}`}
        >
          {problem ?? hint}
        </p>
      )}
    </div>
  )
}

export function Input({
  label,
  hint,
  problem,
  hideLabel,
  className = '',
  ...rest
}: Labelled & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <Field label={label} hint={hint} problem={problem} hideLabel={hideLabel ?? false}>
      {(wired) => <input {...wired} {...rest} className={`${INPUT} h-8 max-md:h-10 ${className}`} />}
    </Field>
  )
}

export function Select({
  label,
  hint,
  problem,
  hideLabel,
  ...rest
}: Labelled & SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <Field label={label} hint={hint} problem={problem} hideLabel={hideLabel ?? false}>
      {(wired) => <select {...wired} {...rest} className={`${INPUT} h-8 pr-1 max-md:h-10`} />}
    </Field>
  )
}

export function TextArea({
  label,
  hint,
  problem,
  hideLabel,
  ...rest
}: Labelled & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <Field label={label} hint={hint} problem={problem} hideLabel={hideLabel ?? false}>
      {(wired) => (
        <textarea
          {...wired}
          {...rest}
          className={`${INPUT} resize-y py-2 font-mono text-xs leading-relaxed`}
        />
      )}
    </Field>
  )
}

type CheckboxProps = {
  label: string
  hint?: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
}

export function Checkbox({ label, hint, checked, onChange }: CheckboxProps) {
  const id = useId()
  return (
    <div>
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          className="accent-accent-fill"
          aria-describedby={hint === undefined ? undefined : id}
          checked={checked}
          onChange={({ target }) => onChange(target.checked)}
        />
        {label}
      </label>
      {hint !== undefined && (
        <p id={id} className="mt-1 text-soft text-xs">
          {hint}
        </p>
      )}
    </div>
  )
}

type ChoicesProps<T extends string> = {
  label: string
  value: T
  /** The text of each value. */
  choices: Readonly<Record<T, string>>
  onChange: (value: T) => void
  disabled?: boolean
}

/** A segmented control. */
export function Choices<T extends string>({ value, choices, onChange, ...rest }: ChoicesProps<T>) {
  return (
    <Segments
      {...rest}
      type="radio"
      choices={choices}
      isChecked={(choice) => choice === value}
      onChange={onChange}
    />
  )
}

type TogglesProps<T extends string> = {
  label: string
  values: readonly T[]
  choices: Readonly<Record<T, string>>
  onChange: (values: T[]) => void
}

/** A segmented control as wide as its place, of which several may be on, at least one. */
export function Toggles<T extends string>({ label, values, choices, onChange }: TogglesProps<T>) {
  const toggle = (choice: T) => {
    const next = values.includes(choice) ? values.filter((one) => one !== choice) : [...values, choice]
    if (next.length > 0) onChange(next)
  }
  return (
    <Segments
      label={label}
      type="checkbox"
      choices={choices}
      isChecked={(choice) => values.includes(choice)}
      onChange={toggle}
    />
  )
}

function Segments<T extends string>(props: {
  label: string
  type: 'radio' | 'checkbox'
  choices: Readonly<Record<T, string>>
  isChecked: (value: T) => boolean
  onChange: (value: T) => void
  disabled?: boolean
}) {
  const { label, type, choices, isChecked, onChange, disabled = false } = props
  const name = useId()
  const isRadio = type === 'radio'
  return (
    <fieldset
      disabled={disabled}
      className={`rounded-md border border-line-strong bg-panel p-0.5 ${isRadio ? 'inline-flex' : 'flex'}`}
    >
      <legend className="sr-only">{label}</legend>
      {(Object.entries(choices) as [T, string][]).map(([choice, text]) => (
        <label
          key={choice}
          className={`relative cursor-pointer whitespace-nowrap rounded py-1 text-soft text-sm hover:text-ink has-checked:bg-raised has-checked:font-medium has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent-fill ${isRadio ? 'px-2.5' : 'flex-1 text-center'}`}
        >
          <input
            type={type}
            name={name}
            value={choice}
            checked={isChecked(choice)}
            onChange={() => onChange(choice)}
            className="absolute inset-0 cursor-pointer opacity-0"
          />
          {text}
        </label>
      ))}
    </fieldset>
  )
}
