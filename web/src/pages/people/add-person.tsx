// Adds a person, with the time zone of the browser as default.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { messageOf, problemOf } from '../../api/client.ts'
import { invalidateAll } from '../../api/invalidate.ts'
import { createUser } from '../../api/people.ts'
import { useSession } from '../../api/session.ts'
import type { User } from '../../api/types.ts'
import { minuteOf } from '../../clock/delivery-time.ts'
import { browserZone, cityOf, durationText, utcText } from '../../clock/format.ts'
import { useNow } from '../../clock/now.ts'
import { ZoneInput } from '../../clock/zone-input.tsx'
import { Button } from '../../ui/button.tsx'
import { Choices, Input } from '../../ui/field.tsx'
import { Note } from '../../ui/panel.tsx'
import { missedBirthday } from './missed-birthday.ts'

type AddPersonProps = { onAdded: (user: User) => void; onClose: () => void }

const BLANK = { firstName: '', lastName: '', dateOfBirth: '', email: '' }

export function AddPerson({ onAdded, onClose }: AddPersonProps) {
  const [fields, setFields] = useState({ ...BLANK, timezone: browserZone() })
  const [when, setWhen] = useState<'next' | 'now'>('next')
  const client = useQueryClient()
  const now = useNow(60_000)
  const deliverAt = useSession().data?.deliverAt ?? '09:00'
  const missed = missedBirthday(fields, minuteOf(deliverAt), now)
  const adding = useMutation({
    mutationFn: () => {
      const { email, ...rest } = fields
      const sendTodayNow = missed !== null && when === 'now'
      return createUser({
        ...rest,
        email: email === '' ? null : email,
        ...(sendTodayNow && { sendTodayNow }),
      })
    },
    onSuccess: ({ user }) => {
      void invalidateAll(client)
      onAdded(user)
    },
  })
  const set = (name: keyof typeof fields) => ({
    value: fields[name],
    onChange: (event: { target: { value: string } }) => setFields({ ...fields, [name]: event.target.value }),
    problem: problemOf(adding.error, name),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    adding.mutate()
  }
  const unplaced = adding.error !== null && !Object.keys(fields).some((name) => problemOf(adding.error, name))
  return (
    <form onSubmit={submit} className="space-y-4">
      <div className="grid grid-cols-2 gap-3">
        <Input label="First name" required maxLength={100} autoComplete="given-name" {...set('firstName')} />
        <Input label="Last name" required maxLength={100} autoComplete="family-name" {...set('lastName')} />
        <Input label="Date of birth" type="date" required autoComplete="bday" {...set('dateOfBirth')} />
        <ZoneInput
          value={fields.timezone}
          onChange={(timezone) => setFields({ ...fields, timezone })}
          problem={problemOf(adding.error, 'timezone')}
        />
        <div className="col-span-2">
          <Input label="Email (optional)" type="email" autoComplete="email" {...set('email')} />
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
              choices={[
                { value: 'next', label: 'Next year' },
                { value: 'now', label: 'Send today’s now' },
              ]}
            />
          </div>
        </Note>
      )}
      {unplaced && (
        <p role="alert" className="text-failed">
          {messageOf(adding.error)}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" type="submit" busy={adding.isPending}>
          Add
        </Button>
      </div>
    </form>
  )
}
