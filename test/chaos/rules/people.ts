// Rules of people who were created, changed and deleted, and of the processes that serve them.
import { bodyOf } from '../support/evidence.ts'
import { factsNow } from '../support/population.ts'
import type { Rule } from './rule.ts'

const acknowledgedIsStored: Rule = {
  name: 'acknowledged is stored',
  description: 'Every person that the API acknowledged is stored as last acknowledged, and nobody else is.',
  *check({ people, tables }) {
    const rows = new Map(tables.users.map((row) => [row.id, row]))
    const present = people.filter(({ deleted }) => deleted === null)
    for (const person of present) {
      const row = rows.get(person.id)
      const { firstName, lastName, dateOfBirth, timezone } = factsNow(person)
      const acknowledged = [firstName, lastName, dateOfBirth, timezone].join(', ')
      const found = row && [row.first_name, row.last_name, row.date_of_birth, row.timezone].join(', ')
      if (found !== acknowledged)
        yield `${person.id} is ${found ?? 'missing'}; acknowledged was: ${acknowledged}.`
    }
    const ids = new Set(people.map(({ id }) => id))
    for (const { id } of tables.users) if (!ids.has(id)) yield `${id} is stored and was never acknowledged.`
  },
}

const deletedPersonIsErased: Rule = {
  name: 'deleted person is erased',
  description: 'No table keeps a row of a deleted person; only the audit log keeps the id.',
  *check({ people, tables }) {
    const { audit_entries: audit, ...others } = tables as Record<string, unknown>
    const ids = new Set(JSON.stringify(others).match(/[0-9a-f]{8}-[0-9a-f-]{27}/gi))
    const names = new Set(
      JSON.stringify({ audit, ...others })
        .toLowerCase()
        .match(LAST_NAME),
    )
    for (const { id, deleted, atFirst } of people) {
      if (deleted === null) continue
      if (ids.has(id)) yield `${id} was deleted and is still in a table.`
      if (names.has(atFirst.lastName.toLowerCase()))
        yield `${id} was deleted and their name is still in a table.`
    }
    const occasions = new Set(tables.occasions.map(({ id }) => id))
    const events = [...tables.events, ...tables.settled_events]
    for (const { id, occasion_id } of events)
      if (!occasions.has(occasion_id)) yield `${id} belongs to no occasion.`
    const eventIds = new Set(events.map(({ id }) => id))
    for (const { event_id } of [...tables.payloads, ...tables.attempts])
      if (!eventIds.has(event_id)) yield `A row of the missing event ${event_id} is left.`
  },
}

/** The generated last names, in lower case. */
const LAST_NAME = /lovelace \d+-\d+/g

const noClaimAfterDeletion: Rule = {
  name: 'no claim after deletion',
  description: 'No event of a person is claimed or changed after their deletion was acknowledged.',
  *check({ people, steps }) {
    const goneAt = new Map(people.flatMap(({ id, deleted }) => (deleted ? [[id, deleted.respondedAt]] : [])))
    for (const { event_id, user_id, at } of steps) {
      const lateMs = Date.parse(at) - (goneAt.get(user_id) ?? Number.POSITIVE_INFINITY)
      if (lateMs > 0) yield `${event_id} of ${user_id} was touched ${lateMs} ms after their deletion.`
    }
  },
}

/** A call to the database that takes a whole lease (2 s), a worker that is suspended while it connects (6 s), and a second. */
const LAST_ARRIVAL_MS = 9_000

const noArrivalAfterDeletion: Rule = {
  name: 'no arrival after deletion',
  description: 'No message to a person arrives seconds after their deletion was acknowledged.',
  *check({ people, arrivals }) {
    const goneAt = new Map(people.flatMap(({ id, deleted }) => (deleted ? [[id, deleted.respondedAt]] : [])))
    for (const arrival of arrivals) {
      const { eventId, userId } = bodyOf(arrival)
      const lateMs = arrival.at - (goneAt.get(userId) ?? Number.POSITIVE_INFINITY)
      if (lateMs > LAST_ARRIVAL_MS) yield `${eventId} of ${userId} arrived ${lateMs} ms after their deletion.`
    }
  },
}

const noUnexpectedError: Rule = {
  name: 'no unexpected error',
  description: 'The API rejects no valid request, and no process exits without a reason.',
  check: ({ unexpected }) => unexpected,
}

export const PEOPLE_RULES: readonly Rule[] = [
  acknowledgedIsStored,
  deletedPersonIsErased,
  noClaimAfterDeletion,
  noArrivalAfterDeletion,
  noUnexpectedError,
]
