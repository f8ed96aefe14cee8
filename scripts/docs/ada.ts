// The person and the event of the examples in docs/templates.md.
import type { Facts } from '../../src/domain/messages/message-variables.ts'
import { tzdb } from '../../src/domain/time/tzdb.ts'

const NINE = Date.parse('2026-12-15T16:00:00Z')

export const ADA: Facts = {
  event: {
    id: 'e',
    occasionId: 'o',
    occurrence: '2026',
    targetAt: NINE,
    offsetSeconds: -25_200,
    timezone: 'America/Vancouver',
    tzVersion: 'test',
    eventType: 'BIRTHDAY',
    occasion: { date: null },
  },
  person: {
    id: 'u',
    externalId: 'crm-4711',
    firstName: 'Ada',
    lastName: 'Lovelace',
    dateOfBirth: '1990-12-15',
    language: 'en',
  },
  now: NINE,
  table: tzdb,
}
