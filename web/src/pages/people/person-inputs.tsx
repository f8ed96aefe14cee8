// The inputs for the fields of a person, as the dialogs that add and edit one show them.
import type { InputHTMLAttributes } from 'react'
import {
  FIELD_NAMES,
  mapFields,
  USER_FIELDS,
  type UserField,
} from '../../../../src/domain/users/user-fields.ts'
import type { NewUser, User } from '../../api/types.ts'
import { ZoneInput } from '../../clock/zone-input.tsx'
import { Input } from '../../ui/field.tsx'
import type { FieldOf } from '../../ui/form.ts'

/** What the inputs contain: an empty text for a field without a value. */
export type PersonTexts = Record<UserField, string>

const INPUTS: { readonly [K in UserField]?: InputHTMLAttributes<HTMLInputElement> } = {
  firstName: { autoComplete: 'given-name' },
  lastName: { autoComplete: 'family-name' },
  dateOfBirth: { placeholder: '1990-12-15, or --12-15', autoComplete: 'bday' },
  email: { type: 'email', autoComplete: 'email' },
  language: { placeholder: 'en' },
}

export function textsOf(user: Partial<User>): PersonTexts {
  return mapFields((name) => user[name] ?? '')
}

/** The values of these fields for a request. */
export function valuesOf(texts: PersonTexts, names: readonly UserField[] = FIELD_NAMES): Partial<NewUser> {
  const given = (name: UserField) => (texts[name] === '' && !USER_FIELDS[name].required ? null : texts[name])
  return Object.fromEntries(names.map((name) => [name, given(name)]))
}

export function PersonInputs({ field }: { field: FieldOf<PersonTexts> }) {
  return (
    <div className="grid grid-cols-2 gap-3">
      {FIELD_NAMES.map((name) => {
        const { title, required, schema } = USER_FIELDS[name]
        if (name === 'timezone') return <ZoneInput key={name} {...field(name)} />
        return (
          <Input
            key={name}
            label={required ? title : `${title} (optional)`}
            required={required}
            maxLength={schema?.maxLength}
            {...INPUTS[name]}
            {...field(name)}
          />
        )
      })}
    </div>
  )
}
