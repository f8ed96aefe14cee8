// Checks JSON, queries and path parameters against a schema, and reports all problems in the codes of the API.
import type { z } from '@hono/zod-openapi'
import { FIELD_CODES, type FieldCode, type FieldProblem, type Parsed } from '../domain/errors.ts'

/** JSON and query strings have no `undefined`: an absent field has no key, and its type need not say so. */
export type AsSent<T> = T extends readonly (infer Item)[]
  ? AsSent<Item>[]
  : T extends object
    ? { [K in keyof T]: object extends Pick<T, K> ? AsSent<Exclude<T[K], undefined>> : AsSent<T[K]> }
    : T

/** Bounds the response: a small body could otherwise cause a huge list of problems. */
const MAX_PROBLEMS = 50
const MAX_FIELD_LENGTH = 100

export function checkShape<T>(schema: z.ZodType<T>, value: unknown): Parsed<T> {
  const result = schema.safeParse(value)
  if (result.success) return { ok: true, value: result.data }
  const problems = result.error.issues.flatMap((issue) => problemsOf(issue, value))
  return { ok: false, problems: problems.slice(0, MAX_PROBLEMS) }
}

function problemsOf(issue: z.core.$ZodIssue, value: unknown): FieldProblem[] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map(unknownField)
  const field = issue.path.join('.')
  if (issue.code === 'custom') {
    return [{ field, code: fieldCode(issue.params?.code), message: issue.message }]
  }
  if (issue.code !== 'invalid_type') return [{ field, code: 'INVALID_VALUE', message: issue.message }]
  if (field !== '' && at(value, issue.path) === undefined) {
    return [{ field, code: 'REQUIRED', message: `The field "${field}" is required.${HINTS[field] ?? ''}` }]
  }
  const what = field === '' ? 'This' : `The field "${field}"`
  return [
    { field, code: 'WRONG_TYPE', message: `${what} must be ${ARTICLED[issue.expected] ?? issue.expected}.` },
  ]
}

function fieldCode(code: unknown): FieldCode {
  return typeof code === 'string' && Object.hasOwn(FIELD_CODES, code) ? (code as FieldCode) : 'INVALID_VALUE'
}

/** What a beginner may not know of a required field. */
const HINTS: Record<string, string> = {
  timezone: ' Give an IANA name such as Europe/Berlin.',
}

const ARTICLED: Record<string, string> = {
  object: 'a JSON object',
  record: 'a JSON object',
  array: 'an array',
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
}

function unknownField(name: string): FieldProblem {
  const field = name.slice(0, MAX_FIELD_LENGTH)
  return {
    field,
    code: 'UNKNOWN_FIELD',
    message: `Unknown field "${field}". Check its spelling or leave it out.`,
  }
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key],
    value,
  )
}
