// Filters of people: by query for lists, by body for bulk operations.
import { z } from '@hono/zod-openapi'
import type { AppDeps } from '../../app/app-deps.ts'
import type { FieldProblem } from '../../domain/errors.ts'
import { parseDuration } from '../../domain/time/duration.ts'
import type { Timezone } from '../../domain/time/timezone.ts'
import { unknownTimezone } from '../../domain/time/zone-suggestions.ts'
import { typeFilter } from '../events/query.ts'
import { flag, idInput } from '../fields.ts'
import { invalidInput, invalidQuery, type Problem } from '../problem.ts'

const MOST_IDS = 1_000
const DAY_MS = 86_400_000
const MOST_DAYS = 3_660

const either = {
  search: z
    .string()
    .regex(/^\P{Cc}{1,100}$/u, 'Must be 1 to 100 characters without control characters.')
    .optional()
    .openapi({
      description:
        'Only people who have, for each word of this text, a word that begins with it: a word of their name, their e-mail address or external id. Letter case and accents do not matter: `muller` finds Müller. Also the beginning of an id, from 8 characters on.',
      // JSON Schema has no flags.
      pattern: '^\\P{Cc}{1,100}$',
      example: 'love',
    }),
  timezone: z.string().optional().openapi({
    description: 'Only people in this IANA timezone, in any letter case.',
    example: 'America/Vancouver',
  }),
  type: typeFilter.openapi({ description: 'Only people with an occasion of this type.' }),
  dueWithin: z
    .string()
    .refine((text) => daysIn(text) !== null, {
      message: `Must be a number of days such as 7d, or a duration such as PT36H, of at most ${MOST_DAYS} days.`,
      params: { code: 'INVALID_DURATION' },
    })
    .optional()
    .openapi({
      description:
        'Only people with a message that is due, or that is retried, within this time from now, or is overdue: days (`7d`) or an ISO 8601 duration.',
      example: '7d',
    }),
}

const paused = 'Only people with a paused occasion (true), or only people without one (false).'
const failed = 'Only people with a failed message that was not delivered since.'

/** In the query of a list. */
export const peopleFilter = {
  ...either,
  paused: flag(paused),
  failed: z
    .literal('true', 'Must be true.')
    .transform(() => true as const)
    .optional()
    .openapi({ type: 'string', description: failed, example: 'true' }),
}

/** In the body of a bulk operation. */
export const PeopleFilterJson = z
  .strictObject({
    ...either,
    paused: z.boolean().optional().openapi({ description: paused }),
    failed: z.literal(true, 'Must be true.').optional().openapi({ description: failed }),
    ids: z
      .array(idInput('The id of a person.'))
      .max(MOST_IDS, `Must have at most ${MOST_IDS} ids.`)
      .optional()
      .openapi({ description: 'Only these people, of those who match the rest of the filter.' }),
  })
  .openapi('PeopleFilter', {
    description: 'As for GET /user. Empty for everyone.',
    example: { search: 'love' },
  })

type Filter = { timezone?: string | undefined; dueWithin?: string | undefined }
type Parsed<F> = Omit<F, 'timezone' | 'dueWithin'> & { timezone?: Timezone; dueBefore?: number }

type Deps = Pick<AppDeps, 'planner' | 'clock'>

export function queryFilter<F extends Filter>(app: Deps, filter: F): Parsed<F> {
  return parseFilter(app, filter, 'timezone', invalidQuery)
}

/** `field` is the name of the filter in the body. */
export function bodyFilter<F extends Filter>(app: Deps, filter: F, field = 'filter'): Parsed<F> {
  return parseFilter(app, filter, `${field}.timezone`, invalidInput)
}

function parseFilter<F extends Filter>(
  { planner: { table }, clock }: Deps,
  { timezone: name, dueWithin, ...filter }: F,
  field: string,
  reject: (problems: FieldProblem[]) => Problem,
): Parsed<F> {
  // Any name of the table: people who were stored with an abbreviation can still be found.
  const timezone = name === undefined ? undefined : (table.canonicalName(name) as Timezone | null)
  if (timezone === null) throw reject([unknownTimezone(field, name!, { now: clock.now(), table })])
  return {
    ...filter,
    ...(timezone && { timezone }),
    ...(dueWithin && { dueBefore: clock.now() + daysIn(dueWithin)! * DAY_MS }),
  }
}

/** `7d`, or an ISO 8601 duration; null for anything else and for more than ten years. */
function daysIn(text: string): number | null {
  const days = /^\d{1,4}d$/.test(text) ? Number(text.slice(0, -1)) : (parseDuration(text) ?? -1) / DAY_MS
  return days >= 0 && days <= MOST_DAYS ? days : null
}
