// Finds a person by name.

import { useState } from 'react'
import { fullName } from '../../../../src/domain/users/full-name.ts'
import { usePeople } from '../../api/people.ts'
import type { User } from '../../api/types.ts'
import { cityOf } from '../../clock/format.ts'
import { OptionList, useCombobox } from '../../ui/combobox.tsx'
import { useDebounced } from '../../ui/debounced.ts'
import { Input } from '../../ui/field.tsx'

type PersonSearchProps = { onPick: (user: User) => void; label: string; chosen: string; compact?: boolean }

export function PersonSearch({ onPick, label, chosen, compact = false }: PersonSearchProps) {
  const [text, setText] = useState('')
  const box = useCombobox()
  const search = useDebounced(text.trim())
  const people = usePeople({ search }, { limit: 6 })
  // Until the search has a result, Enter must not choose a person who does not match.
  const isCurrent = search === text.trim() && !people.isPlaceholderData
  const isMatch = (user: User) =>
    isCurrent || fullName(user).toLowerCase().includes(text.trim().toLowerCase())
  const options = box.isOpen ? (people.data?.items ?? []) : []
  const choose = (user: User) => {
    setText('')
    box.close()
    onPick(user)
  }
  return (
    <div className={compact ? 'min-w-0 max-md:flex-1 md:w-44' : 'min-w-0'}>
      <Input
        data-search
        label={label}
        hideLabel={compact}
        type="search"
        placeholder={chosen}
        value={text}
        {...box.inputProps(options)}
        onFocus={() => box.open()}
        onClick={() => box.open()}
        onKeyDown={(event) => void box.onKey(event, options.filter(isMatch), choose)}
        onChange={({ target }) => {
          setText(target.value)
          box.open(target.value.trim() === '' ? -1 : 0)
        }}
      />
      <OptionList box={box} label="People" options={options} keyOf={({ id }) => id} choose={choose}>
        {(user) => (
          <>
            <span className="truncate">{fullName(user)}</span>
            <span className="shrink-0 text-soft">
              {user.dateOfBirth !== null && `${user.dateOfBirth}, `}
              {cityOf(user.timezone)}
            </span>
          </>
        )}
      </OptionList>
    </div>
  )
}
