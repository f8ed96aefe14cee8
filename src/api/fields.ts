// Fields that several resources share, documented and parsed in one place.
import { z } from '@hono/zod-openapi'
import type { FieldCode } from '../domain/errors.ts'
import { parseUuid } from '../domain/events/uuid.ts'
import { parseInstant } from '../domain/time/timestamp.ts'
import { versionsIn } from './entity-tag.ts'

/** An instant in a response, in UTC or with the offset of the place. */
export const instant = (description: string, example = '2026-11-15T04:00:00.000Z') =>
  z.string().openapi({ description, format: 'date-time', example })

/** An id in a response. */
export const id = (description: string, example?: string) =>
  z.string().openapi({ description, format: 'uuid', ...(example && { example }) })

export const eventType = z
  .string()
  .regex(/^[A-Z][A-Z0-9_]{0,63}$/, 'Must be a type in capitals, such as BIRTHDAY.')
  .openapi({ description: 'The type of the occasion, in capitals.', example: 'BIRTHDAY' })

/** Of an occasion or a task. */
export const data = z
  .record(z.string(), z.unknown())
  .nullable()
  .openapi({
    description:
      'Data of your own, which its messages carry: a JSON object of 4,096 bytes at most. Null for none.',
    example: { plan: 'gold' },
  })

export const version = z
  .int()
  .openapi({ description: 'Increases by one with every change; the ETag contains it.', example: 1 })

/** On resources that belong to a user. */
export const externalIdOfUser = z.string().nullable().openapi({
  description: 'The id of the user in your own system; null if the user has none.',
  example: 'crm-4711',
})

/** The id in a path or a body, in lower case. */
export const idInput = (description: string, example?: string) =>
  z
    .string()
    .transform((text, context) => {
      const id = parseUuid(text)
      if (id === null) context.addIssue({ code: 'custom', message: 'Must be an id.' })
      return id ?? z.NEVER
    })
    .openapi({ description, format: 'uuid', ...(example && { example }) })

/** The id to filter by, in lower case. */
export const idFilter = (description: string, message = 'Must be the id of a user.') =>
  z
    .guid(message)
    .transform((text) => text.toLowerCase())
    .optional()
    .openapi({ description, format: 'uuid' })

/** An instant in a query or a body, as epoch milliseconds. */
export const instantInput = (description: string, code: FieldCode = 'INVALID_VALUE') =>
  z
    .string()
    .transform((text, context) => {
      const instant = parseInstant(text)
      if (instant !== null) return instant
      const message =
        'Must be an instant such as 2026-12-15T16:00:00Z, with Z or an offset. In a URL, write + as %2B.'
      context.addIssue({ code: 'custom', message, params: { code } })
      return z.NEVER
    })
    .optional()
    .openapi({ description, format: 'date-time', example: '2026-12-15T00:00:00Z' })

/** `true` or `false` in a query. */
export const flag = (description: string) =>
  z
    .enum(['true', 'false'], 'Must be true or false.')
    .transform((text) => text === 'true')
    .optional()
    .openapi({ description, example: 'false' })

export const dryRunQuery = z.strictObject({
  dryRun: z
    .enum(['true', 'false'], 'Must be true or false.')
    .optional()
    .transform((text) => text === 'true')
    .openapi({ type: 'boolean', description: 'Return what would happen, and write nothing.', example: true }),
})

/** In the body of a request that can change many records. */
export const dryRunInput = z
  .boolean()
  .default(false)
  .openapi({ description: 'Count what would happen, and write nothing.' })

/** In every response to a request that takes `dryRun`. */
export const dryRun = z
  .boolean()
  .openapi({ description: 'Whether the request was a dry run, which writes nothing.', example: false })

export const etag = {
  ETag: z.string().openapi({ description: 'The version, in quotes.', example: '"v1"' }),
}

/** The versions that may be changed; null for any. */
export const ifMatch = z.object({
  'If-Match': ifMatchHeader('Change only this version: the ETag you read, a list of them, or `*`.', (seen) =>
    seen === undefined || seen === '*' ? null : seen,
  ),
})

/** `toValue` gets `*`, the versions listed, or undefined without the header. */
export function ifMatchHeader<T>(
  description: string,
  toValue: (seen: '*' | readonly number[] | undefined) => T,
) {
  return z
    .string()
    .optional()
    .transform((header, context): T => {
      if (header === undefined) return toValue(undefined)
      if (header.trim() === '*') return toValue('*')
      const versions = versionsIn(header)
      if (versions !== null) return toValue(versions)
      const message = 'If-Match must be *, or tags in quotes such as "v3", "v4".'
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    })
    .openapi({ description, example: '"v1"' })
}

export const ifNoneMatch = z.object({
  'If-None-Match': z.string().optional().openapi({ description: 'The ETag you have.', example: '"v1"' }),
})
