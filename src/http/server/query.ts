// Reads query strings: known parameters once each, and cursors that an answer gave.
import { z } from '@hono/zod-openapi'
import type { FieldProblem } from '../../domain/errors.ts'
import { parseUuid } from '../../domain/events/uuid.ts'
import type { Page } from '../../ports/query.ts'
import { invalidQuery } from './problem.ts'
import { checkShape } from './shape.ts'

/** The parameters every list takes. */
export const pageQuery = {
  limit: z
    .string()
    .regex(/^(?:[1-9]\d?|1\d\d|200)$/, 'Give a number from 1 to 200.')
    .default('50')
    .transform(Number)
    .openapi({
      type: 'integer',
      minimum: 1,
      maximum: 200,
      default: 50,
      description: 'How many items at most: 1 to 200.',
      example: 50,
    }),
  cursor: cursorInput('Give the "nextCursor" of an answer as it was, or none to begin.').openapi({
    description: 'Where to go on: the `nextCursor` of the page before.',
  }),
}

/** A cursor, decoded to the id inside: opaque on the wire. Null to begin. */
export function cursorInput(message: string) {
  return z
    .string()
    .optional()
    .transform((text, context): string | null => {
      const id = text === undefined ? null : decodeCursor(text)
      if (text !== undefined && id === null)
        context.addIssue({ code: 'custom', message, params: { code: 'INVALID_CURSOR' } })
      return id
    })
}

export function parseQuery<T>(url: string, schema: z.ZodType<T>): T {
  const parameters = new URL(url).searchParams
  const shape = checkShape(schema, Object.fromEntries(parameters))
  const problems = shape.ok ? [] : shape.problems.map(asParameter)
  for (const field of new Set(parameters.keys())) {
    if (parameters.getAll(field).length > 1) {
      problems.push({ field, code: 'REPEATED_PARAMETER', message: `Give "${field}" once.` })
    }
  }
  if (shape.ok && problems.length === 0) return shape.value
  throw invalidQuery(problems)
}

function asParameter(problem: FieldProblem): FieldProblem {
  if (problem.code !== 'UNKNOWN_FIELD') return problem
  const message = `There is no parameter "${problem.field}". Check its spelling or leave it out.`
  return { ...problem, code: 'UNKNOWN_PARAMETER', message }
}

export function pageSchema(item: z.ZodType) {
  return z.object({
    items: z.array(item),
    nextCursor: z
      .string()
      .nullable()
      .openapi({ description: 'Give it as `cursor` for the next page; null on the last.' }),
  })
}

export function pageJson<T, J>(page: Page<T>, toJson: (item: T) => J) {
  const nextCursor = page.nextCursor === null ? null : encodeCursor(page.nextCursor)
  return { items: page.items.map(toJson), nextCursor }
}

export function encodeCursor(id: string): string {
  return btoa(id).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

export function decodeCursor(text: string): string | null {
  // 36 characters of a UUID are 48 of base64, without padding.
  if (!/^[\w-]{48}$/.test(text)) return null
  const id = parseUuid(atob(text.replaceAll('-', '+').replaceAll('_', '/')))
  return id !== null && encodeCursor(id) === text ? id : null
}
