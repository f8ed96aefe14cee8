// The query of the list of people.
import { z } from '@hono/zod-openapi'
import { listOrder, pageQuery } from '../query.ts'
import type { AsSent } from '../shape.ts'
import { peopleFilter } from './filter.ts'

export const usersQuery = z.strictObject({
  ...pageQuery,
  order: listOrder('people'),
  ...peopleFilter,
  externalId: z.string().normalize('NFC').optional().openapi({
    description: 'Only the person with this external id.',
    example: 'hr-1042',
  }),
})

export type PeopleQuery = AsSent<z.output<typeof usersQuery>>
