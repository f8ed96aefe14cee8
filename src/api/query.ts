// Reads query strings: each known parameter at most once, and cursors of earlier responses.
import { z } from '@hono/zod-openapi'
import type { FieldProblem } from '../domain/errors.ts'
import { parseUuid } from '../domain/events/uuid.ts'
import type { Page } from '../ports/query.ts'
import { invalidQuery } from './problem.ts'
import { checkShape } from './shape.ts'

/** How many items a page has, 50 by default. */
export function pageLimit(most: number) {
  const message = `Must be a number from 1 to ${most}.`
  return z
    .string()
    .regex(/^[1-9]\d{0,2}$/, message)
    .default('50')
    .transform(Number)
    .refine((limit) => limit <= most, message)
    .openapi({
      type: 'integer',
      minimum: 1,
      maximum: most,
      default: 50,
      description: `The maximum number of items, 1 to ${most}.`,
      example: 50,
    })
}

/** The parameters of every list. */
export const pageQuery = {
  limit: pageLimit(200),
  cursor: pageCursor(parseUuid),
}

/** Which items of a list come first. */
export const listOrder = (what: string) =>
  z
    .enum(['oldest', 'newest'], 'Must be oldest or newest.')
    .optional()
    .openapi({ description: `Which ${what} come first; by default the oldest.`, example: 'newest' })

/** The cursor of a list. `parse` reads the id of its items. */
export function pageCursor(parse: ParseId) {
  return cursorInput(
    'Must be the "nextCursor" of a response, unchanged. Omit it for the first page.',
    parse,
  ).openapi({ description: 'Where to continue: `nextCursor` of the previous page.' })
}

const MOST_IN_REQUEST = 10_000

/** In the body of a request that goes through many records, `initial` of them unless the caller says otherwise. */
export function pageInput(initial: number, parse: ParseId = parseUuid) {
  const message = `Must be a number from 1 to ${MOST_IN_REQUEST}.`
  return {
    limit: z
      .int()
      .min(1, message)
      .max(MOST_IN_REQUEST, message)
      .default(initial)
      .openapi({ description: 'How many records to process in this request at most.' }),
    cursor: cursorInput(
      'Must be the "nextCursor" of a response, unchanged. Omit it to start.',
      parse,
    ).openapi({ description: 'Where to continue: `nextCursor` of the previous response.' }),
  }
}

type ParseId = (text: string) => string | null

/** The largest number of a column of 32 bits. */
const LARGEST_NUMBER = 2_147_483_647

/** The id of an item that is numbered. */
export const parseNumber: ParseId = (text) =>
  /^[1-9]\d{0,9}$/.test(text) && Number(text) <= LARGEST_NUMBER ? text : null

/** A cursor, decoded to the id in it; opaque to clients. Null for the first page. */
export function cursorInput(message: string, parse: ParseId = parseUuid) {
  return z
    .string()
    .optional()
    .transform((text, context): string | null => {
      const id = text === undefined ? null : decodeCursor(text, parse)
      if (text !== undefined && id === null)
        context.addIssue({ code: 'custom', message, params: { code: 'INVALID_CURSOR' } })
      return id
    })
}

/** More than any operation has: the checks below compare each parameter with all others. */
const MOST_PARAMETERS = 50
const TOO_MANY_PARAMETERS = {
  field: '',
  code: 'UNKNOWN_PARAMETER',
  message: `A request may have at most ${MOST_PARAMETERS} parameters.`,
} as const

export function parseQuery<T>(parameters: URLSearchParams, schema: z.ZodType<T>): T {
  if (parameters.size > MOST_PARAMETERS) throw invalidQuery([TOO_MANY_PARAMETERS])
  const shape = checkShape(schema, Object.fromEntries(parameters))
  const problems = shape.ok ? [] : shape.problems.map(asParameter)
  for (const [field, text] of parameters) {
    // PostgreSQL rejects a NUL in any text, and no parameter needs a control character.
    if (/\p{Cc}/u.test(text) && !problems.some((one) => one.field === field))
      problems.push({ field, code: 'INVALID_VALUE', message: 'Must not contain control characters.' })
  }
  for (const field of new Set(parameters.keys())) {
    if (parameters.getAll(field).length > 1) {
      problems.push({
        field,
        code: 'REPEATED_PARAMETER',
        message: `The parameter "${field}" is repeated. Send it once.`,
      })
    }
  }
  if (shape.ok && problems.length === 0) return shape.value
  throw invalidQuery(problems)
}

function asParameter(problem: FieldProblem): FieldProblem {
  if (problem.code !== 'UNKNOWN_FIELD') return problem
  const message = `Unknown parameter "${problem.field}". Check its spelling or leave it out.`
  return { ...problem, code: 'UNKNOWN_PARAMETER', message }
}

export const nextCursor = z
  .string()
  .nullable()
  .openapi({ description: 'Send the request again with it as `cursor` to continue; null at the end.' })

export function pageSchema<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), nextCursor })
}

export function pageJson<T, J>(page: Page<T>, toJson: (item: T) => J) {
  return { items: page.items.map(toJson), nextCursor: cursorJson(page.nextCursor) }
}

export function cursorJson(cursor: string | null): string | null {
  return cursor === null ? null : encodeCursor(cursor)
}

/** Base64 of UTF-8, for URLs. */
export function encodeCursor(text: string): string {
  const bytes = String.fromCharCode(...new TextEncoder().encode(text))
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** More than any cursor takes. */
const LONGEST_CURSOR = 200

function decodeCursor(text: string, parse: ParseId): string | null {
  // A length of 4n + 1 is not base64.
  if (!/^[\w-]+$/.test(text) || text.length > LONGEST_CURSOR || text.length % 4 === 1) return null
  const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0))
  const id = parse(new TextDecoder().decode(bytes))
  return id !== null && encodeCursor(id) === text ? id : null
}
