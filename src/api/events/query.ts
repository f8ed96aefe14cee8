// The filters of lists of events.
import { z } from '@hono/zod-openapi'
import { EVENT_STATUSES, type EventStatus } from '../../domain/events/event-status.ts'
import { parseCivilDate } from '../../domain/time/calendar.ts'
import { idFilter, instantInput } from '../fields.ts'
import { listOrder, pageQuery } from '../query.ts'

export const typeFilter = z
  .string()
  .regex(/^[A-Z][A-Z0-9_]{0,63}$/, 'Must be a type in capitals, such as BIRTHDAY.')
  .optional()
  .openapi({ description: 'Only events of this type.', example: 'BIRTHDAY' })

export const reasonText = z
  .string()
  .min(1, 'Must not be empty.')
  .max(200, 'Must be at most 200 characters.')
  .refine((text) => !/\p{Cc}/u.test(text), 'Must not contain control characters.')

export const reasonFilters = {
  channel: z
    .union(
      [z.literal('default'), z.literal('unknown'), z.guid()],
      'Must be the id of a channel, "default" or "unknown".',
    )
    .optional()
    .openapi({
      type: 'string',
      description:
        'Only events of this channel: its id, `default` (with events that name no channel), or `unknown` (no channel is recorded).',
      example: 'default',
    }),
  reason: reasonText.optional().openapi({
    description:
      'Only events whose failure reason starts with this text: the code, or the code and the error.',
    example: 'RETRIES_EXHAUSTED',
  }),
  exactReason: reasonText.optional().openapi({
    description:
      'Only events with exactly this reason, as in GET /failures: the code and the last error, regardless of the number of attempts.',
    example: 'RETRIES_EXHAUSTED: HTTP 500',
  }),
}

const isStatus = (text: string): text is EventStatus => EVENT_STATUSES.some((status) => status === text)

export const eventsQuery = z.strictObject({
  ...pageQuery,
  order: listOrder('events'),
  status: z
    .string()
    .transform((text, context): EventStatus[] => {
      const statuses = text.split(',')
      if (statuses.every(isStatus)) return statuses
      const message = `Must be one of ${EVENT_STATUSES.join(', ')}, or several with commas between them.`
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    })
    .optional()
    .openapi({
      type: 'string',
      description: `Only events in this state: ${EVENT_STATUSES.join(', ')}, or several with commas between them.`,
      example: 'PENDING',
    }),
  id: idFilter('Only the event with this id.', 'Must be the id of an event.'),
  idempotencyKey: z
    .string()
    .regex(/^event-[0-9a-f]{32}$/, 'Must be "event-" and 32 hexadecimal digits.')
    .optional()
    .openapi({
      description:
        'Only events with this idempotency key: an event and its replays. The key is not stored: a page compares 5,000 events and may be empty; continue with its `nextCursor`, or narrow the search with `dueFrom` and `dueBefore`.',
      example: 'event-4f1c0f2b8f9f4b0f9a7de1a2b3c4d5e6',
    }),
  type: typeFilter,
  ...reasonFilters,
  dueFrom: instantInput('Only events due at this instant or later.'),
  dueBefore: instantInput('Only events due before this instant.'),
  localDate: z
    .string()
    .refine((text) => parseCivilDate(text) !== null, 'Must be a date such as 2026-12-15.')
    .optional()
    .openapi({
      description: 'Only events due on this date in the timezone of the person.',
      format: 'date',
      example: '2026-12-15',
    }),
  unresolved: z
    .literal('true', 'Must be true.')
    .transform(() => true as const)
    .optional()
    .openapi({
      type: 'string',
      description:
        'Only failures that are neither delivered since nor being replayed nor dismissed; of an event that failed more than once, the latest.',
      example: 'true',
    }),
  settledFrom: instantInput('Only events settled at this instant or later.'),
  settledBefore: instantInput('Only events settled before this instant.'),
  unknownFrom: instantInput(
    'Only events with an attempt that ended UNKNOWN at this instant or later: their message may have arrived twice.',
  ),
})
