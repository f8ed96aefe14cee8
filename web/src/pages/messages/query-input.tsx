// The typed query with its completions. Applies it on Enter, when the focus leaves it, or when a value is chosen.
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { usePeople } from '../../api/people.ts'
import { OptionList, useCombobox } from '../../ui/combobox.tsx'
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
  const box = useCombobox()
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  useEffect(() => {
    setDraft({ text: applied, caret: applied.length })
    setMistakes([])
  }, [applied])
  const people = useNamesLike(box.isOpen ? personAt(draft.text, draft.caret) : '')
  const completion = completionAt(draft.text, draft.caret, { ...known, people })
  const options = box.isOpen ? completion.options : []

  const apply = (text: string) => {
    const parsed = parseQuery(text)
    setMistakes(parsed.problems)
    if (parsed.problems.length === 0) onApply(parsed.terms)
  }
  const choose = (option: string) => {
    const next = complete(draft.text, completion, option)
    box.open()
    // At once: a caret that moves in a later frame moves back behind what was typed until then.
    flushSync(() => setDraft(next))
    input.current?.setSelectionRange(next.caret, next.caret)
    if (option.endsWith(':')) return
    box.close()
    apply(next.text)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (box.onKey(event, options, choose)) return
    if (event.key === 'Enter') {
      box.close()
      apply(draft.text)
    } else if (event.key === 'Tab' && options.length > 0 && draft.text !== '' && !event.shiftKey) {
      event.preventDefault()
      choose(options[0]!)
    }
  }
  const shownProblems = mistakes.length > 0 ? mistakes : problems
  return (
    <div className="min-w-0 flex-1 basis-80">
      <input
        ref={input}
        data-search
        type="search"
        aria-label="Filter messages"
        {...box.inputProps(options)}
        aria-invalid={shownProblems.length > 0 || undefined}
        aria-describedby={`${id}-problems`}
        placeholder="status:failed due:today person:ada   /"
        value={draft.text}
        onFocus={() => box.open()}
        onClick={() => box.open()}
        onBlur={() => {
          box.close()
          if (draft.text.trim() !== applied) apply(draft.text)
        }}
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
          box.open()
          if (target.value === '') onApply({})
        }}
        className={`${INPUT} h-8 font-mono max-md:h-10`}
      />
      <OptionList box={box} label="Completions" options={options} keyOf={(option) => option} choose={choose}>
        {(option) => <span className="font-mono">{option}</span>}
      </OptionList>
      <p id={`${id}-problems`} aria-live="polite" className="text-failed text-xs">
        {shownProblems.join(' ')}
      </p>
    </div>
  )
}

function useNamesLike(text: string): string[] {
  const search = useDebounced(text)
  const people = usePeople({ search }, { limit: 6, enabled: search !== '' })
  if (search === '') return []
  return (people.data?.items ?? []).map(({ user }) => `${user.firstName} ${user.lastName}`)
}
