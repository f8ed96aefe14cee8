// Keyboard shortcuts and their help.
import { useEffect, useState } from 'react'
import { navigate } from '../router.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { PAGE_ENTRIES } from './pages.ts'

/** How long after `g` a letter completes the shortcut. */
const SEQUENCE_MS = 1_200

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')
}

function moveThroughRows(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')]
  if (rows.length === 0) return
  const open = rows.findIndex((row) => row.getAttribute('aria-current') === 'true')
  const focused = rows.findIndex((row) => row.contains(document.activeElement))
  const current = open === -1 ? focused : open
  const next = current === -1 ? (step === 1 ? 0 : rows.length - 1) : current + step
  const row = rows[Math.max(0, Math.min(rows.length - 1, next))]
  row?.scrollIntoView({ block: 'nearest' })
  // While a row is open beside the list, the panel moves along.
  if (open !== -1) row?.click()
  else row?.focus()
}

/** Ticks or unticks the row that has the focus, in a list whose rows can be selected. */
function selectRow(): void {
  document.activeElement?.closest('li, tr')?.querySelector<HTMLElement>('input[type=checkbox]')?.click()
}

/** The dialog that the keyboard, or a button of the navigation, has opened. */
type Opened = 'help' | 'find' | null

export function useKeyboard(): [Opened, (opened: Opened) => void] {
  const [opened, setOpened] = useState<Opened>(null)
  useEffect(() => {
    let wentAt = 0
    const onKey = (event: KeyboardEvent) => {
      if (document.querySelector('dialog[open]') !== null) return
      if ((event.ctrlKey || event.metaKey) && event.key === 'k') {
        event.preventDefault()
        return setOpened('find')
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const isSequence = Date.now() - wentAt < SEQUENCE_MS
      wentAt = 0
      const page = PAGE_ENTRIES.find(({ key }) => key === event.key)
      if (isSequence && page !== undefined) navigate(page.page)
      else if (event.key === 'g') wentAt = Date.now()
      else if (event.key === 'j') moveThroughRows(1)
      else if (event.key === 'k') moveThroughRows(-1)
      else if (event.key === 'x') selectRow()
      else if (event.key === '?') setOpened('help')
      else if (event.key === '/') document.querySelector<HTMLElement>('[data-search]')?.focus()
      else return
      event.preventDefault()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return [opened, setOpened]
}

const KEYS: readonly (readonly [string, string])[] = [
  ['Ctrl K', 'Search everything'],
  ['/', 'Search this page'],
  ['j  k', 'Next, previous row'],
  ['Enter', 'Open row'],
  ['x', 'Select row'],
  ['Esc', 'Close'],
  ...PAGE_ENTRIES.map(({ key, label }) => [`g ${key}`, label] as const),
  ['?', 'Show this list'],
]

export function KeyboardHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 sm:grid-cols-[auto_1fr_auto_1fr]">
        {KEYS.map(([keys, what]) => (
          <div key={keys} className="contents">
            <dt className="flex gap-1">
              {keys.split(/ +/).map((key) => (
                <kbd
                  key={key}
                  className="min-w-6 rounded border border-line-strong border-b-2 bg-raised px-1.5 text-center font-mono text-xs leading-5"
                >
                  {key}
                </kbd>
              ))}
            </dt>
            <dd className="text-soft">{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
