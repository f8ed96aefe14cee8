// Adds a person, with the time zone of the browser as default.
import { type FormEvent, useState } from 'react'
import { createUser } from '../../api/people.ts'
import { useSession } from '../../api/session.ts'
import type { User } from '../../api/types.ts'
import { minuteOf } from '../../clock/delivery-time.ts'
import { browserZone, cityOf, durationText, utcText } from '../../clock/format.ts'
import { useNow } from '../../clock/now.ts'
import { ZoneInput } from '../../clock/zone-input.tsx'
import { useAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { Choices, Input } from '../../ui/field.tsx'
import { useFields } from '../../ui/form.ts'
import { FormError } from '../../ui/form-error.tsx'
import { Note } from '../../ui/panel.tsx'
import { missedBirthday } from './missed-birthday.ts'

type AddPersonProps = { onAdded: (user: User) => void; onClose: () => void }

const BLANK = { firstName: '', lastName: '', dateOfBirth: '', email: '' }

export function AddPerson({ onAdded, onClose }: AddPersonProps) {
  const [fields, setFields] = useState({ ...BLANK, timezone: browserZone() })
  const [when, setWhen] = useState<'next' | 'now'>('next')
  const now = useNow(60_000)
  const deliverAt = useSession().data?.deliverAt ?? '09:00'
  const missed = missedBirthday(fields, minuteOf(deliverAt), now)
  const adding = useAction(
    () => {
      const { email, ...rest } = fields
      const sendTodayNow = missed !== null && when === 'now'
      return createUser({
        ...rest,
        email: email === '' ? null : email,
        ...(sendTodayNow && { sendTodayNow }),
      })
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
      <div className="grid grid-cols-2 gap-3">
        <Input
          label="First name"
          required
          maxLength={100}
          autoComplete="given-name"
          {...field('firstName')}
        />
        <Input label="Last name" required maxLength={100} autoComplete="family-name" {...field('lastName')} />
        <Input label="Date of birth" type="date" required autoComplete="bday" {...field('dateOfBirth')} />
        <ZoneInput {...field('timezone')} />
        <div className="col-span-2">
          <Input label="Email (optional)" type="email" autoComplete="email" {...field('email')} />
        </div>
      </div>
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
