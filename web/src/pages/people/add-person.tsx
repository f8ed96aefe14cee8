// Adds a person, with the time zone of the browser as default.
import { type FormEvent, useState } from 'react'
import { createUser } from '../../api/people.ts'
import { useSession } from '../../api/session.ts'
import type { NewUser, User } from '../../api/types.ts'
import { minuteOf } from '../../clock/delivery-time.ts'
import { browserZone, cityOf, durationText, utcText } from '../../clock/format.ts'
import { useNow } from '../../clock/now.ts'
import { useAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { Choices } from '../../ui/field.tsx'
import { useFields } from '../../ui/form.ts'
import { FormError } from '../../ui/form-error.tsx'
import { Note } from '../../ui/panel.tsx'
import { missedBirthday } from './missed-birthday.ts'
import { PersonInputs, textsOf, valuesOf } from './person-inputs.tsx'

type AddPersonProps = { onAdded: (user: User) => void; onClose: () => void }

export function AddPerson({ onAdded, onClose }: AddPersonProps) {
  const [fields, setFields] = useState(() => textsOf({ timezone: browserZone() }))
  const [when, setWhen] = useState<'next' | 'now'>('next')
  const now = useNow(60_000)
  const deliverAt = useSession().data?.deliverAt ?? '09:00'
  const missed = missedBirthday(fields, minuteOf(deliverAt), now)
  const adding = useAction(
    () => {
      const sendTodayNow = missed !== null && when === 'now'
      return createUser({ ...(valuesOf(fields) as NewUser), ...(sendTodayNow && { sendTodayNow }) })
    },
    { showsError: true, onSuccess: ({ user }) => onAdded(user) },
  )
  const { field, formProblem } = useFields(fields, setFields, adding.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    adding.mutate()
  }
  return (
    <form onSubmit={submit} className="space-y-4">
      <PersonInputs field={field} />
      {missed !== null && (
        <Note>
          <p>
            Today is their birthday, but {deliverAt} passed {durationText(now - missed.passedAt)} ago in{' '}
            {cityOf(fields.timezone)} ({utcText(missed.passedAt)}). The next message is due in{' '}
            {missed.nextYear}.
          </p>
          <div className="mt-2">
            <Choices
              label="First message"
              value={when}
              onChange={setWhen}
              choices={{ next: 'Next year', now: 'Send today’s now' }}
            />
          </div>
        </Note>
      )}
      <FormError text={formProblem} />
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" type="submit" busy={adding.isPending}>
          Add
        </Button>
      </div>
    </form>
  )
}
