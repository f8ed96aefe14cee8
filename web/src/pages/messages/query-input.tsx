// The typed query with its completions. Applies it on Enter, when the focus leaves it, or when a value is chosen.
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { usePeople } from '../../api/people.ts'
import { useDebounced } from '../../ui/debounced.ts'
import { INPUT } from '../../ui/field.tsx'
import { complete, completionAt, type Known, personAt } from './completion.ts'
import { formatQuery, parseQuery, type Terms } from './query.ts'

type QueryInputProps = {
  terms: Terms
  known: Omit<Known, 'people'>
  /** About the terms in the URL. */
  problems: readonly string[]
  onApply: (terms: Terms) => void
}

export function QueryInput({ terms, known, problems, onApply }: QueryInputProps) {
  const applied = formatQuery(terms)
  const [draft, setDraft] = useState({ text: applied, caret: applied.length })
  const [mistakes, setMistakes] = useState<readonly string[]>([])
  const [isOpen, setIsOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  useEffect(() => {
    setDraft({ text: applied, caret: applied.length })
    setMistakes([])
  }, [applied])
  const people = useNamesLike(isOpen ? personAt(draft.text, draft.caret) : '')
  const completion = completionAt(draft.text, draft.caret, { ...known, people })
  const options = isOpen ? completion.options : []

  const apply = (text: string) => {
    const parsed = parseQuery(text)
    setMistakes(parsed.problems)
    if (parsed.problems.length === 0) onApply(parsed.terms)
  }
  const choose = (option: string) => {
    const next = complete(draft.text, completion, option)
    setDraft(next)
    setActive(-1)
    // The caret moves after React has written the new text.
    requestAnimationFrame(() => input.current?.setSelectionRange(next.caret, next.caret))
    if (option.endsWith(':')) return
    setIsOpen(false)
    apply(next.text)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const option = options[active]
    if (step !== 0) {
      setIsOpen(true)
      if (options.length > 0)
        setActive((active + step + options.length + (active === -1 && step === -1 ? 1 : 0)) % options.length)
    } else if (event.key === 'Enter' && option !== undefined) choose(option)
    else if (event.key === 'Enter') {
      setIsOpen(false)
      apply(draft.text)
      return
    } else if (event.key === 'Tab' && options.length > 0 && draft.text !== '' && !event.shiftKey)
      choose(option ?? options[0]!)
    else if (event.key === 'Escape' && isOpen) setIsOpen(false)
    else return
    event.preventDefault()
  }
  const shownProblems = mistakes.length > 0 ? mistakes : problems
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: losing the focus closes the list and applies the query
    <div
      className="relative min-w-0 flex-1 basis-80"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (currentTarget.contains(relatedTarget)) return
        setIsOpen(false)
        if (draft.text.trim() !== applied) apply(draft.text)
      }}
    >
      <input
        ref={input}
        data-search
        type="search"
        role="combobox"
        aria-label="Filter messages"
        aria-expanded={options.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={active >= 0 && options.length > 0 ? `${id}-${active}` : undefined}
        aria-invalid={shownProblems.length > 0 || undefined}
        aria-describedby={`${id}-problems`}
        autoComplete="off"
        spellCheck={false}
        placeholder="status:failed due:today person:ada   /"
        value={draft.text}
        onFocus={() => setIsOpen(true)}
        onClick={() => setIsOpen(true)}
        onKeyDown={onKeyDown}
        onSelect={({ currentTarget }) =>
          setDraft({
            text: currentTarget.value,
            caret: currentTarget.selectionStart ?? currentTarget.value.length,
          })
        }
        onChange={({ target }) => {
          setDraft({ text: target.value, caret: target.selectionStart ?? target.value.length })
          setMistakes([])
          setActive(-1)
          setIsOpen(true)
          if (target.value === '') onApply({})
        }}
        className={`${INPUT} h-8 font-mono max-md:h-10`}
      />
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label="Completions"
        hidden={options.length === 0}
        className="absolute inset-x-0 z-20 mt-1 max-w-md rounded-lg border border-line-strong bg-panel p-1 shadow-float"
      >
        {options.map((option, index) => (
          <button
            key={option}
            id={`${id}-${index}`}
            type="button"
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            onClick={() => choose(option)}
            // The input keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            className="block w-full rounded px-2 py-1 text-left font-mono hover:bg-raised aria-selected:bg-raised"
          >
            {option}
          </button>
        ))}
      </div>
      <p id={`${id}-problems`} aria-live="polite" className="text-failed text-xs">
        {shownProblems.join(' ')}
      </p>
    </div>
  )
}

function useNamesLike(text: string): string[] {
  const search = useDebounced(text)
  const people = usePeople({ search, timezone: '' }, '', 6, { enabled: search !== '' })
  if (search === '') return []
  return (people.data?.items ?? []).map(({ user }) => `${user.firstName} ${user.lastName}`)
}
