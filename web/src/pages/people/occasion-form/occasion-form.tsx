// Adds or edits an occasion, with a live preview of its next occurrences.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { changeOccasion, createOccasion, previewOccasion } from '../../../api/occasions.ts'
import { KEYS } from '../../../api/query-keys.ts'
import type { Occasion, OccasionInput, User } from '../../../api/types.ts'
import { noNextText, typeCode, typeText } from '../../../clock/format.ts'
import { LocalTime } from '../../../clock/local-time.tsx'
import { useAction } from '../../../ui/action.ts'
import { Button } from '../../../ui/button.tsx'
import { useDebounced } from '../../../ui/debounced.ts'
import { Input, Select } from '../../../ui/field.tsx'
import { useFields } from '../../../ui/form.ts'
import { FormError } from '../../../ui/form-error.tsx'
import { Badge } from '../../../ui/panel.tsx'

type OccasionFormProps = { user: User; occasion?: Occasion; onClose: () => void }

const CALENDARS = ['gregorian', 'hebrew', 'islamic', 'chinese', 'persian']

export function OccasionForm({ user, occasion, onClose }: OccasionFormProps) {
  const isBirthday = occasion?.type === 'BIRTHDAY' && occasion.date === null
  const [fields, setFields] = useState({
    type: occasion?.type ?? 'Work anniversary',
    date: occasion?.date ?? '',
    localTime: occasion?.localTime ?? '09:00',
    repeats: occasion?.repeats ?? 'YEARLY',
    calendar: occasion?.calendar ?? 'gregorian',
    leapDay: occasion?.leapDay ?? 'MARCH_1',
    template: occasion?.template ?? '',
  })
  const input = inputOf(fields)
  const preview = usePreview(user, isBirthday ? { ...input, date: user.dateOfBirth } : input)
  const saving = useAction(
    async () => {
      if (occasion === undefined) return createOccasion(user.id, input)
      const { type: _, ...change } = input
      return (await changeOccasion(occasion.id, change)).occasion
    },
    {
      showsError: true,
      refetches: [KEYS.user(user.id)],
      says: ({ nextReason }) => (nextReason === null ? 'Saved.' : `Saved. ${noNextText(nextReason)}`),
      onSuccess: onClose,
    },
  )
  const wrong = saving.error ?? preview.error
  const { field, formProblem } = useFields(fields, setFields, wrong)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    saving.mutate()
  }
  const isRule = fields.repeats !== 'YEARLY' && fields.repeats !== 'ONCE'
  const date = isBirthday ? user.dateOfBirth : fields.date
  return (
    <form onSubmit={submit} className="space-y-3 rounded-lg border border-line bg-panel p-4">
      <div className="grid grid-cols-2 gap-3">
        {occasion === undefined && (
          <Input label="Type (e.g. Work anniversary)" required list="occasion-types" {...field('type')} />
        )}
        {!isBirthday && <Input label="Original date" type="date" required {...field('date')} />}
        <Input label="Time (local)" type="time" required {...field('localTime')} />
        <Select
          label="Repeats"
          value={isRule ? 'RULE' : fields.repeats}
          onChange={({ target }) =>
            setFields({ ...fields, repeats: target.value === 'RULE' ? 'FREQ=MONTHLY' : target.value })
          }
        >
          <option value="YEARLY">Every year</option>
          <option value="ONCE">Once</option>
          <option value="RULE">Custom (RRULE)</option>
        </Select>
        {isRule && <Input label="RRULE" spellCheck={false} {...field('repeats')} />}
        {fields.repeats === 'YEARLY' && (
          <Select label="Calendar" {...field('calendar')}>
            {[...new Set([...CALENDARS, fields.calendar])].map((name) => (
              <option key={name} value={name}>
                {typeText(name)}
              </option>
            ))}
          </Select>
        )}
        {date.endsWith('-02-29') && (
          <Select label="In non-leap years" {...field('leapDay')}>
            <option value="MARCH_1">1 March</option>
            <option value="FEBRUARY_28">28 February</option>
          </Select>
        )}
        <div className="col-span-2">
          <Input
            label="Custom message (Liquid, optional)"
            placeholder="{{ years }} years, {{ firstName }}!"
            {...field('template')}
          />
        </div>
      </div>
      <datalist id="occasion-types">
        <option value="Work anniversary" />
        <option value="Name day" />
        <option value="Wedding anniversary" />
      </datalist>
      <FormError text={formProblem} />
      {preview.data !== undefined && wrong === null && (
        <div>
          <p className="mb-1 text-soft text-xs">{preview.data.rule ?? 'Next:'}</p>
          <ol className="space-y-1">
            {preview.data.occurrences.map(({ occurrence, utc, local, reason, note }) => (
              <li key={occurrence}>
                <LocalTime at={utc} local={local} timezone={user.timezone} place={false} />{' '}
                {note !== undefined && <Badge tone="accent">{reason ?? note}</Badge>}
              </li>
            ))}
          </ol>
          {preview.data.nextReason !== null && <p>{noNextText(preview.data.nextReason)}</p>}
        </div>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" type="submit" busy={saving.isPending}>
          {occasion === undefined ? 'Add occasion' : 'Save'}
        </Button>
      </div>
    </form>
  )
}

type Fields = Record<'type' | 'date' | 'localTime' | 'repeats' | 'calendar' | 'leapDay' | 'template', string>

function inputOf({ type, date, template, calendar, repeats, ...rest }: Fields): OccasionInput {
  return {
    ...rest,
    type: typeCode(type),
    repeats,
    calendar: repeats === 'YEARLY' ? calendar : 'gregorian',
    template: template === '' ? null : template,
    ...(date !== '' && { date }),
  }
}

function usePreview(user: User, input: OccasionInput) {
  const { template: _, ...rule } = input
  const asked = useDebounced(JSON.stringify(rule), 300)
  const isComplete = /"date":"\d{4}-/.test(asked)
  return useQuery({
    queryKey: ['preview', user.id, user.timezone, asked],
    queryFn: ({ signal }) => previewOccasion({ ...JSON.parse(asked), userId: user.id, count: 3 }, signal),
    enabled: isComplete,
    placeholderData: isComplete ? keepPreviousData : undefined,
    retry: false,
    meta: { live: false },
  })
}
