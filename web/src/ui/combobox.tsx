// A text field with a list of options: the keyboard, the ARIA roles and the list. The caller owns the text and the options.
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'

type Combobox = ReturnType<typeof useCombobox>

export function useCombobox() {
  const id = useId()
  const [isOpen, setIsOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const open = (first = -1) => {
    setIsOpen(true)
    setActive(first)
  }
  const close = () => {
    setIsOpen(false)
    setActive(-1)
  }
  return {
    id,
    isOpen,
    active,
    open,
    close,
    /** For the text field. */
    inputProps: (options: readonly unknown[]) => ({
      role: 'combobox',
      'aria-expanded': options.length > 0,
      'aria-controls': `${id}-list`,
      'aria-autocomplete': 'list' as const,
      'aria-activedescendant': active >= 0 && active < options.length ? `${id}-${active}` : undefined,
      autoComplete: 'off',
      spellCheck: false,
      onBlur: close,
    }),
    /** Arrows move, Enter and Tab choose, Escape closes. False if the key means nothing to the list. */
    onKey<T>(event: KeyboardEvent, options: readonly T[], choose: (option: T) => void): boolean {
      const option = options[active]
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
      if (step !== 0) {
        setIsOpen(true)
        if (options.length > 0) setActive(moved(active, step, options.length))
      } else if (option !== undefined && (event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey)))
        choose(option)
      else if (event.key === 'Escape' && isOpen) close()
      else return false
      // Handled: Enter does not send the form, and Escape does not close the dialog around it.
      event.preventDefault()
      return true
    },
  }
}

/** From the first to the last option and around; -1 is the text itself. */
export function moved(active: number, step: 1 | -1, length: number): number {
  return active === -1 && step === -1 ? length - 1 : (active + step + length) % length
}

type OptionListProps<T> = {
  box: Combobox
  label: string
  options: readonly T[]
  keyOf: (option: T) => string
  choose: (option: T) => void
  children: (option: T) => ReactNode
}

/** Below the text field, or above it where there is more room. Render it beside the field, in one element. */
export function OptionList<T>({ box, label, options, keyOf, choose, children }: OptionListProps<T>) {
  const ref = useRef<HTMLDivElement>(null)
  const { length } = options
  const { active } = box
  useLayoutEffect(() => {
    const list = ref.current
    if (list === null || length === 0) return
    // In the top layer, so that no dialog cuts it off.
    list.showPopover()
    const place = () => placeAt(list, list.parentElement!.querySelector('input')!)
    place()
    addEventListener('resize', place)
    document.addEventListener('scroll', place, true)
    return () => {
      removeEventListener('resize', place)
      document.removeEventListener('scroll', place, true)
      list.hidePopover()
    }
  }, [length])
  useLayoutEffect(() => {
    ref.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <div
      ref={ref}
      id={`${box.id}-list`}
      role="listbox"
      aria-label={label}
      popover="manual"
      // The text field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      className="fixed inset-auto m-0 max-h-80 overflow-y-auto rounded-lg border border-line-strong bg-panel p-1 text-ink shadow-float"
    >
      {options.map((option, index) => (
        <button
          key={keyOf(option)}
          id={`${box.id}-${index}`}
          type="button"
          role="option"
          tabIndex={-1}
          aria-selected={index === box.active}
          onClick={() => choose(option)}
          className="flex w-full justify-between gap-3 rounded px-2 py-1 text-left hover:bg-raised aria-selected:bg-raised max-md:py-2"
        >
          {children(option)}
        </button>
      ))}
    </div>
  )
}

const [GAP, LEAST_WIDTH] = [4, 288]

function placeAt(list: HTMLElement, field: HTMLElement): void {
  const at = field.getBoundingClientRect()
  const width = Math.min(Math.max(at.width, LEAST_WIDTH), innerWidth - 2 * GAP)
  list.style.width = `${width}px`
  list.style.left = `${Math.max(GAP, Math.min(at.left, innerWidth - width - GAP))}px`
  const height = list.offsetHeight
  const isAbove = at.bottom + GAP + height > innerHeight && at.top > innerHeight - at.bottom
  list.style.top = `${isAbove ? Math.max(GAP, at.top - GAP - height) : at.bottom + GAP}px`
}
