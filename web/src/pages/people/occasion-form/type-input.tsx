// The type of an occasion as free text. Stored as WORK_ANNIVERSARY, shown as "Work anniversary".
import { useId } from 'react'
import { isTypeName, occasionType } from '../../../../../src/domain/occasions/occasion-types.ts'
import { useOccasionTypes, useTemplates } from '../../../api/settings.ts'
import { typeCode, typeText } from '../../../clock/format.ts'
import { Input } from '../../../ui/field.tsx'

const SUGGESTED = ['WORK_ANNIVERSARY', 'NAME_DAY', 'WEDDING_ANNIVERSARY']

/** Null if the API does not accept it. */
export function codeOf(text: string): string | null {
  const code = typeCode(text)
  return isTypeName(code) && !isOfTasks(code) ? code : null
}

/** Tasks have a form of their own. */
function isOfTasks(type: string): boolean {
  return occasionType(type).belongsTo === 'task'
}

type TypeInputProps = { value: string; onChange: (text: string) => void; problem: string | undefined }

export function TypeInput({ value, onChange, problem }: TypeInputProps) {
  const list = useId()
  const inUse = useOccasionTypes().data?.items.map(({ type }) => type) ?? []
  const types = [...new Set([...inUse, ...SUGGESTED])].filter((type) => !isOfTasks(type))
  const code = codeOf(value)
  return (
    <>
      <Input
        label="Type (e.g. Work anniversary)"
        required
        list={list}
        autoComplete="off"
        value={value}
        onChange={({ target }) => onChange(target.value)}
        problem={problem ?? (value.trim() === '' || code !== null ? undefined : problemOf(value))}
        hint={code === null ? undefined : `Stored as ${code}`}
      />
      <datalist id={list}>
        {types.map((type) => (
          <option key={type} value={typeText(type)} />
        ))}
      </datalist>
    </>
  )
}

function problemOf(text: string): string {
  if (isOfTasks(typeCode(text))) return 'Add a task instead: its reminder is created with it.'
  return 'Use a name in Latin letters and digits, such as Name day. Start with a letter.'
}

/** Whether messages of a type fail without a text of their own. False until it is known. */
export function useNeedsText(type: string | null): boolean {
  const types = useOccasionTypes().data?.items
  const templates = useTemplates().data?.items
  if (type === null || types === undefined || templates === undefined) return false
  const isBuiltIn = types.some((one) => one.type === type && one.builtInText !== null)
  return !isBuiltIn && !templates.some((template) => template.type === type)
}
