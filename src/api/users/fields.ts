// The schemas of the fields of a person, in requests and in responses.
import { z } from '@hono/zod-openapi'
import {
  FIELD_NAMES,
  mapFields,
  USER_FIELDS,
  type UserField,
  type UserFields,
} from '../../domain/users/user-fields.ts'

export const fieldInputs = mapFields((_, { required, about, accepts, example, schema }) => {
  const doc = { description: `${about} ${accepts}`, example, ...schema }
  return required ? z.string().openapi(doc) : z.string().nullable().optional().openapi(doc)
})

/** Other names that fields are accepted under. */
export const ALIASES = FIELD_NAMES.flatMap((name) => {
  const { alias } = USER_FIELDS[name]
  return alias === undefined ? [] : [{ alias, name }]
})

export const aliasInputs = Object.fromEntries(
  ALIASES.map(({ alias, name }) => {
    const doc = { description: `Alias of ${name}.`, ...USER_FIELDS[name].schema }
    return [alias, z.string().optional().openapi(doc)]
  }),
)

type FieldSchemas = { [K in UserField]: z.ZodType<null extends UserFields[K] ? string | null : string> }

export const fieldSchemas = mapFields((_, { required, about, example, schema }) =>
  (required ? z.string() : z.string().nullable()).openapi({ description: about, example, ...schema }),
) as FieldSchemas
