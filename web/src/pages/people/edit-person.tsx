// Edits a person, and shows which events a change reschedules before it is saved.
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { FIELD_NAMES } from '../../../../src/domain/users/user-fields.ts'
import { changeUser, tryChange } from '../../api/people.ts'
import { KEYS } from '../../api/query-keys.ts'
import type { NewUser, User } from '../../api/types.ts'
import { count } from '../../clock/format.ts'
import { useAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { useDebounced } from '../../ui/debounced.ts'
import { useFields } from '../../ui/form.ts'
import { FormError } from '../../ui/form-error.tsx'
import { Note } from '../../ui/panel.tsx'
import { PersonInputs, type PersonTexts, textsOf, valuesOf } from './person-inputs.tsx'
import { RescheduledEvents } from './rescheduled-events.tsx'

/** Only the changed fields. */
function changeOf(user: User, texts: PersonTexts): Partial<NewUser> {
  const before = textsOf(user)
  return valuesOf(
    texts,
    FIELD_NAMES.filter((name) => texts[name] !== before[name]),
  )
}

export function EditPerson({ user, onClose }: { user: User; onClose: () => void }) {
  const [fields, setFields] = useState(() => textsOf(user))
  const client = useQueryClient()
  const change = changeOf(user, fields)
  const isChanged = Object.keys(change).length > 0
  const impact = useImpact(user, change)
  const saving = useAction(() => changeUser(user.id, change), {
    showsError: true,
    says: ({ rescheduled }) =>
      rescheduled > 0 ? `Saved. ${count(rescheduled, 'event')} rescheduled.` : 'Saved.',
    onSuccess: ({ user: saved }) => {
      client.setQueryData(KEYS.user(user.id), saved)
      onClose()
    },
  })
  const wrong = saving.error ?? impact.error
  const { field, formProblem } = useFields(fields, setFields, wrong)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    saving.mutate()
  }
  return (
    <form onSubmit={submit} className="space-y-4 rounded-lg border border-line bg-panel p-4">
      <PersonInputs field={field} />
      <FormError text={formProblem} />
      {isChanged && impact.data?.moves !== undefined && wrong === null && (
        <Note>
          <RescheduledEvents
            moves={impact.data.moves}
            skipped={impact.data.skipped}
            timezone={user.timezone}
            newTimezone={fields.timezone}
          />
        </Note>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" type="submit" disabled={!isChanged} busy={saving.isPending}>
          Save
        </Button>
      </div>
    </form>
  )
}

/** A dry run of the change, after a pause in typing. */
function useImpact(user: User, change: Partial<NewUser>) {
  const asked = useDebounced(JSON.stringify(change), 300)
  const isMoving = /dateOfBirth|timezone/.test(asked)
  return useQuery({
    queryKey: ['impact', user.id, user.version, asked],
    queryFn: ({ signal }) => tryChange(user.id, JSON.parse(asked), signal),
    enabled: isMoving,
    placeholderData: isMoving ? keepPreviousData : undefined,
    retry: false,
    meta: { live: false },
  })
}
