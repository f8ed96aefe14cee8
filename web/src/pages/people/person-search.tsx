// Finds a person by name.
import { useState } from 'react'
import { usePeople } from '../../api/people.ts'
import type { User } from '../../api/types.ts'
import { cityOf } from '../../clock/format.ts'
import { useDebounced } from '../../ui/debounced.ts'
import { Input } from '../../ui/field.tsx'

type PersonSearchProps = { onPick: (user: User) => void; label?: string; chosen?: string }

export function PersonSearch({ onPick, label = 'Find a person', chosen = '' }: PersonSearchProps) {
  const [text, setText] = useState('')
  const [open, setOpen] = useState(false)
  const people = usePeople({ search: useDebounced(text.trim()), timezone: '' }, '', 6)
  const found = people.data?.items ?? []
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape and losing the focus close the list
    <div
      className="relative"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return
        event.preventDefault()
        setOpen(false)
      }}
      onBlur={({ currentTarget, relatedTarget }) => !currentTarget.contains(relatedTarget) && setOpen(false)}
    >
      <Input
        data-search
        label={label}
        type="search"
        autoComplete="off"
        placeholder={chosen === '' ? 'Search by name' : chosen}
        value={text}
        onFocus={() => setOpen(true)}
        onChange={({ target }) => {
          setText(target.value)
          setOpen(true)
        }}
      />
      {open && found.length > 0 && (
        <ul className="absolute inset-x-0 z-20 mt-1 rounded-lg border border-line-strong bg-panel p-1 shadow-float">
          {found.map(({ user }) => (
            <li key={user.id}>
              <button
                type="button"
                onClick={() => {
                  setText('')
                  setOpen(false)
                  onPick(user)
                }}
                className="flex w-full justify-between gap-2 rounded px-2 py-1.5 text-left hover:bg-raised"
              >
                <span className="truncate">
                  {user.firstName} {user.lastName}
                </span>
                <span className="shrink-0 text-soft">
                  {user.dateOfBirth}, {cityOf(user.timezone)}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
