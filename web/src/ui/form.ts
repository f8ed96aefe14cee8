// The fields of a form: values, changes, and the problems that the server found. A corrected field loses its problem at once.
import { type Dispatch, type SetStateAction, useState } from 'react'
import { messageOf, problemOf } from '../api/client.ts'

/** Which fields were edited since which error. */
export type Edits = { error: unknown; names: readonly string[] }

export const NO_EDITS: Edits = { error: null, names: [] }

export function afterEdit(edits: Edits, error: unknown, name: string): Edits {
  return { error, names: edits.error === error ? [...edits.names, name] : [name] }
}

/** The problem of a field, unless the field was edited since. */
export function openProblem(edits: Edits, error: unknown, name: string): string | undefined {
  return edits.error === error && edits.names.includes(name) ? undefined : problemOf(error, name)
}

type Given = string | { target: { value: string } }
type Fields = Record<string, string>

/** The value, the change handler and the problem of the input of a field. */
export type FieldOf<F extends Fields> = (name: keyof F & string) => {
  value: string
  onChange: (given: Given) => void
  problem: string | undefined
}

/**
 * `field('email')` gives the value, the change handler and the problem of an input. `formProblem` is the message of an error
 * that concerns no field of the form.
 */
export function useFields<F extends Fields>(
  fields: F,
  setFields: Dispatch<SetStateAction<F>>,
  error: unknown,
) {
  const [edits, setEdits] = useState(NO_EDITS)
  const field: FieldOf<F> = (name) => ({
    value: fields[name]!,
    onChange: (given: Given) => {
      const value = typeof given === 'string' ? given : given.target.value
      setFields((before) => ({ ...before, [name]: value }))
      setEdits((before) => afterEdit(before, error, name))
    },
    problem: openProblem(edits, error, name),
  })
  const isPlaced = Object.keys(fields).some((name) => problemOf(error, name) !== undefined)
  return { field, formProblem: error === null || isPlaced ? undefined : messageOf(error) }
}
