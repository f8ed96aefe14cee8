// Adds or edits an occasion, with a preview of its next dates.
import { type FormEvent, useState } from 'react'
import { parseShift, shiftInWords } from '../../../../../src/domain/occasions/send-day.ts'
import { parseCivilDate } from '../../../../../src/domain/time/calendar.ts'
import { statusOf } from '../../../api/client.ts'
import { changeOccasion, createOccasion } from '../../../api/occasions.ts'
import { KEYS } from '../../../api/query-keys.ts'
import { useSession } from '../../../api/session.ts'
import type { Occasion, OccasionInput, User } from '../../../api/types.ts'
import { noNextText, typeText, wallIn } from '../../../clock/format.ts'
import { now } from '../../../clock/now.ts'
import { useAction } from '../../../ui/action.ts'
import { Button } from '../../../ui/button.tsx'
import { Input, Select } from '../../../ui/field.tsx'
import { useFields } from '../../../ui/form.ts'
import { FormError } from '../../../ui/form-error.tsx'
import { type Draft, NextDates, useNextDates } from './next-dates.tsx'
import { firstRule, type Preset, presetOf, problemOfRule } from './presets.ts'
import { PresetSelect, RuleFields } from './repeats.tsx'
import { codeOf, TypeInput, useNeedsText } from './type-input.tsx'

type OccasionFormProps = { user: User; occasion?: Occasion; onClose: () => void }

const CALENDARS = ['gregorian', 'hebrew', 'islamic', 'chinese', 'persian']

export function OccasionForm({ user, occasion, onClose }: OccasionFormProps) {
  const isBirthday = occasion?.type === 'BIRTHDAY' && occasion.date === null
  const deliverAt = useSession().data?.deliverAt ?? '09:00'
  const [fields, setFields] = useState({
    type: occasion === undefined ? '' : typeText(occasion.type),
    date: occasion?.date ?? '',
    localTime: occasion?.localTime ?? deliverAt,
    repeats: occasion?.repeats ?? 'YEARLY',
    calendar: occasion?.calendar ?? 'gregorian',
    leapDay: occasion?.leapDay ?? 'MARCH_1',
    shift: occasion?.shift ?? '',
    onWeekend: (occasion?.onWeekend ?? 'EXACT').replace('EXACT', ''),
    template: occasion?.template ?? '',
  })
  const [isCustom, setCustom] = useState(presetOf(fields.repeats) === 'CUSTOM')
  const preset = isCustom ? 'CUSTOM' : presetOf(fields.repeats)
  const date = isBirthday ? (user.dateOfBirth ?? '') : fields.date
  const type = codeOf(fields.type)
  const draft = draftOf(fields, date, occasion?.until ?? null)
  const ruleProblem = problemOfRule(fields.repeats)
  const preview = useNextDates(user, draft, isBirthday)
  const saving = useAction(
    async () => {
      const input = { ...inputOf(draft, isBirthday), template: fields.template || null }
      if (occasion === undefined) return createOccasion(user.id, { ...input, type: type ?? '' })
      return (await changeOccasion(occasion.id, input)).occasion
    },
    {
      showsError: true,
      refetches: [KEYS.user(user.id), KEYS.occasionTypes],
      says: ({ nextReason }) => (nextReason === null ? 'Saved.' : `Saved. ${noNextText(nextReason)}`),
      onSuccess: onClose,
    },
  )
  const { field, formProblem } = useFields(fields, setFields, saving.error ?? preview.error)
  const needsText = useNeedsText(occasion?.type ?? type) && fields.template === ''
  const hint =
    ruleProblem !== undefined
      ? 'Correct the rule to see the next dates.'
      : !isBirthday && parseCivilDate(date) === null
        ? 'Enter a date to see the next messages.'
        : preview.error !== null
          ? 'Correct the fields above to see the next dates.'
          : preview.data?.nextReason === 'NO_DATE'
            ? noNextText('NO_DATE')
            : undefined
  const isWrong = ruleProblem !== undefined || statusOf(preview.error) === 400
  const choose = (next: Preset) => {
    const from = fields.date || wallIn(now(), user.timezone).date
    const keepsRule = next === 'CUSTOM' && preset !== 'YEARLY' && preset !== 'ONCE'
    const isRule = next !== 'YEARLY' && next !== 'ONCE'
    setCustom(next === 'CUSTOM')
    setFields({
      ...fields,
      repeats: keepsRule ? fields.repeats : firstRule(next, isBirthday ? date : from),
      // A rule with its own days needs a date only to start from.
      ...(isRule && { date: from }),
    })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    saving.mutate()
  }
  return (
    <form onSubmit={submit} className="space-y-3 rounded-lg border border-line bg-panel p-4">
      <div className="grid grid-cols-2 gap-3">
        {occasion === undefined && <TypeInput {...field('type')} />}
        {!isBirthday && <Input label={DATE_LABELS[preset]} type="date" required {...field('date')} />}
        <Input label="Time (local)" type="time" required {...field('localTime')} />
        <PresetSelect preset={preset} onChoose={choose} />
        <RuleFields
          preset={preset}
          date={date}
          {...field('repeats')}
          problem={ruleProblem ?? field('repeats').problem}
        />
        {preset === 'YEARLY' && (
          <Select label="Calendar" {...field('calendar')}>
            {[...new Set([...CALENDARS, fields.calendar])].map((name) => (
              <option key={name} value={name}>
                {typeText(name)}
              </option>
            ))}
          </Select>
        )}
        {preset === 'YEARLY' && date.endsWith('-02-29') && (
          <Select label="In non-leap years" {...field('leapDay')}>
            <option value="MARCH_1">1 March</option>
            <option value="FEBRUARY_28">28 February</option>
          </Select>
        )}
        <Select label="Send" {...field('shift')}>
          <option value="">on the date</option>
          {[...new Set([...SHIFTS, fields.shift])].filter(Boolean).map((shift) => (
            <option key={shift} value={shift}>
              {shiftInWords(parseShift(shift)!)}
            </option>
          ))}
        </Select>
        <Select label="If that is on a weekend" {...field('onWeekend')}>
          <option value="">send on that day</option>
          <option value="BEFORE">send on Friday</option>
          <option value="AFTER">send on Monday</option>
          <option value="SKIP">send nothing</option>
        </Select>
        <div className="col-span-2">
          <Input
            label="Custom message (Liquid, optional)"
            placeholder="{{ years }} years, {{ firstName }}!"
            hint={needsText ? NO_TEXT : undefined}
            {...field('template')}
          />
        </div>
      </div>
      <NextDates user={user} draft={draft} preview={preview} hint={hint} />
      <FormError text={formProblem} />
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" type="submit" busy={saving.isPending} disabled={isWrong || type === null}>
          {occasion === undefined ? 'Add occasion' : 'Save'}
        </Button>
      </div>
    </form>
  )
}

const NO_TEXT = 'This type has no text yet. Write a message here, or add a template under Settings.'

const DATE_LABELS: Record<Preset, string> = {
  YEARLY: 'Original date',
  MONTHLY: 'Starts on',
  WEEKLY: 'Starts on',
  CUSTOM: 'Starts on',
  ONCE: 'Date',
}

const SHIFTS = ['-P1D', '-P2D', '-P3D', '-P7D', '-P14D', '-P30D', 'P1D', 'P7D']

type Fields = Record<'localTime' | 'repeats' | 'calendar' | 'leapDay' | 'shift' | 'onWeekend', string>

function draftOf(fields: Fields, date: string, until: string | null) {
  const { localTime, repeats, calendar, leapDay, shift, onWeekend } = fields
  const send = { shift: shift || null, onWeekend: onWeekend || null }
  const draft = { date, localTime, repeats, leapDay, ...send, until }
  return { ...draft, calendar: repeats === 'YEARLY' ? calendar : 'gregorian' } as Draft
}

/** A birthday follows the date of birth: it has no date of its own. */
function inputOf({ date, until: _, ...rest }: Draft, isBirthday: boolean): Omit<OccasionInput, 'type'> {
  return isBirthday ? rest : { ...rest, date }
}
