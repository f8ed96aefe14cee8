// Adds one occasion to each of many people.
import { useState } from 'react'
import { parseCivilDate } from '../../../../../src/domain/time/calendar.ts'
import { addOccasions } from '../../../api/bulk.ts'
import type { PeopleFilter } from '../../../api/people.ts'
import { useSession } from '../../../api/session.ts'
import { count } from '../../../clock/format.ts'
import { useAction } from '../../../ui/action.ts'
import { Confirm } from '../../../ui/dialog.tsx'
import { Input } from '../../../ui/field.tsx'
import { useFields } from '../../../ui/form.ts'
import { FormError } from '../../../ui/form-error.tsx'
import { firstRule, type Preset, presetOf } from '../occasion-form/presets.ts'
import { PresetSelect, RuleFields } from '../occasion-form/repeats.tsx'
import { codeOf, TypeInput, useNeedsText } from '../occasion-form/type-input.tsx'

type AddOccasionProps = {
  audience: { filter: PeopleFilter; text: string }
  onDone: () => void
  onClose: () => void
}

export function AddOccasion({ audience, onDone, onClose }: AddOccasionProps) {
  const deliverAt = useSession().data?.deliverAt ?? '09:00'
  const [fields, setFields] = useState({ type: '', date: '', localTime: deliverAt, repeats: 'YEARLY' })
  const [done, setDone] = useState(0)
  const type = codeOf(fields.type)
  const needsText = useNeedsText(type)
  const preset = presetOf(fields.repeats)
  const adding = useAction(() => addOccasions(audience.filter, { ...fields, type: type ?? '' }, setDone), {
    showsError: true,
    says: (n) => `Occasion added to ${count(n, 'person', 'people')}.`,
    onSuccess: () => {
      onDone()
      onClose()
    },
  })
  const { field, formProblem } = useFields(fields, setFields, adding.error)
  const choose = (next: Preset) => setFields({ ...fields, repeats: firstRule(next, fields.date) })
  return (
    <Confirm
      title="Add an occasion"
      action={adding.isPending ? `${done.toLocaleString('en')} done` : 'Add'}
      busy={adding.isPending}
      disabled={type === null || needsText || parseCivilDate(fields.date) === null}
      onClose={onClose}
      onConfirm={() => adding.mutate()}
    >
      <p>
        {audience.text}. All of them get the same date; the column hiredOn of an import gives each their own.
      </p>
      <div className="grid grid-cols-2 gap-3">
        <TypeInput {...field('type')} />
        <Input label="Date" type="date" required {...field('date')} />
        <Input label="Time (local)" type="time" required {...field('localTime')} />
        <PresetSelect preset={preset} onChoose={choose} />
        <RuleFields preset={preset} date={fields.date} {...field('repeats')} />
      </div>
      {needsText && (
        <p className="text-soft">This type has no text yet. Add a template under Settings first.</p>
      )}
      <FormError text={formProblem} />
    </Confirm>
  )
}
