// Edits a person, and shows which events a change reschedules before it is saved.
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { messageOf, problemOf } from '../../api/client.ts'
import { invalidateAll } from '../../api/invalidate.ts'
import { changeUser } from '../../api/people.ts'
import { KEYS } from '../../api/query-keys.ts'
import type { NewUser, User } from '../../api/types.ts'
import { count } from '../../clock/format.ts'
import { ZoneInput } from '../../clock/zone-input.tsx'
import { Button } from '../../ui/button.tsx'
import { useDebounced } from '../../ui/debounced.ts'
import { Input } from '../../ui/field.tsx'
import { Note } from '../../ui/panel.tsx'
import { notify } from '../../ui/toast.tsx'
import { RescheduledEvents } from './rescheduled-events.tsx'

const FIELDS = ['firstName', 'lastName', 'dateOfBirth', 'timezone', 'email', 'language'] as const
type Fields = Record<(typeof FIELDS)[number], string>

function fieldsOf(user: User): Fields {
  return { ...user, email: user.email ?? '', language: user.language ?? '' }
}

/** Only the changed fields. */
function changeOf(user: User, fields: Fields): Partial<NewUser> {
  const before = fieldsOf(user)
  const changed = FIELDS.filter((name) => fields[name] !== before[name])
  return Object.fromEntries(
    changed.map((name) => [
      name,
      (name === 'email' || name === 'language') && fields[name] === '' ? null : fields[name],
    ]),
  )
}

export function EditPerson({ user, onClose }: { user: User; onClose: () => void }) {
  const [fields, setFields] = useState(() => fieldsOf(user))
  const client = useQueryClient()
  const change = changeOf(user, fields)
  const isChanged = Object.keys(change).length > 0
  const impact = useImpact(user, change)
  const saving = useMutation({
    mutationFn: () => changeUser(user.id, change, false),
    onSuccess: ({ user: saved, rescheduled }) => {
      client.setQueryData(KEYS.user(user.id), saved)
      void invalidateAll(client)
      notify(rescheduled > 0 ? `Saved. ${count(rescheduled, 'event')} rescheduled.` : 'Saved.')
      onClose()
    },
  })
  const wrong = saving.error ?? impact.error
  const set = (name: keyof Fields) => ({
    value: fields[name],
    onChange: (event: { target: { value: string } }) => setFields({ ...fields, [name]: event.target.value }),
    problem: problemOf(wrong, name),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    saving.mutate()
  }
  return (
    <form onSubmit={submit} className="space-y-4 rounded-lg border border-line bg-panel p-4">
      <div className="grid grid-cols-2 gap-3">
        <Input label="First name" required {...set('firstName')} />
        <Input label="Last name" required {...set('lastName')} />
        <Input label="Date of birth" type="date" required {...set('dateOfBirth')} />
        <ZoneInput
          value={fields.timezone}
          onChange={(timezone) => setFields({ ...fields, timezone })}
          problem={problemOf(wrong, 'timezone')}
        />
        <Input label="Email" type="email" {...set('email')} />
        <Input label="Language" placeholder="en" {...set('language')} />
      </div>
      {wrong !== null && !FIELDS.some((name) => problemOf(wrong, name)) && (
        <p role="alert" className="text-failed">
          {messageOf(wrong)}
        </p>
      )}
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
    queryFn: () => changeUser(user.id, JSON.parse(asked), true),
    enabled: isMoving,
    placeholderData: isMoving ? keepPreviousData : undefined,
    retry: false,
    meta: { live: false },
  })
}
