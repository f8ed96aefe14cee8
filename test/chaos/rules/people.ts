// What holds for people who came, changed and went, and for the processes that serve them.
import { factsNow } from '../support/population.ts'
import type { Rule } from './rule.ts'

const kept: Rule = {
  name: 'kept',
  words: 'Whoever the API said is there is there, as they last said; and nobody else.',
  *look({ people, tables }) {
    const rows = new Map(tables.users.map((row) => [row.id, row]))
    const living = people.filter(({ deleted }) => deleted === null)
    for (const person of living) {
      const row = rows.get(person.id)
      const { firstName, lastName, dateOfBirth, timezone } = factsNow(person)
      const said = [firstName, lastName, dateOfBirth, timezone].join(', ')
      const found = row && [row.first_name, row.last_name, row.date_of_birth, row.timezone].join(', ')
      if (found !== said) yield `${person.id} is ${found ?? 'missing'}, and said: ${said}.`
    }
    const ids = new Set(people.map(({ id }) => id))
    for (const { id } of tables.users) if (!ids.has(id)) yield `${id} is there, and nobody was told.`
  },
}

const forgotten: Rule = {
  name: 'forgotten',
  words: 'Of a person who was deleted nothing is left in any table.',
  *look({ people, tables }) {
    const text = JSON.stringify(tables).toLowerCase()
    const ids = new Set(text.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g))
    const names = new Set(text.match(LAST_NAME))
    for (const { id, deleted, atFirst } of people) {
      if (deleted === null) continue
      if (ids.has(id)) yield `${id} was deleted and is still in a table.`
      if (names.has(atFirst.lastName.toLowerCase()))
        yield `${id} was deleted and their name is still in a table.`
    }
    const occasions = new Set(tables.occasions.map(({ id }) => id))
    const events = [...tables.events, ...tables.settled_events]
    for (const { id, occasion_id } of events)
      if (!occasions.has(occasion_id)) yield `${id} belongs to nobody.`
    const eventIds = new Set(events.map(({ id }) => id))
    for (const { event_id } of [...tables.payloads, ...tables.attempts])
      if (!eventIds.has(event_id)) yield `Something of ${event_id} is left behind.`
  },
}

/** As the town names its people, in lower case. */
const LAST_NAME = /lovelace \d+-\d+/g

const leftAlone: Rule = {
  name: 'left alone',
  words: 'Nothing of a person is taken or changed after their deletion was acknowledged.',
  *look({ people, steps }) {
    const goneAt = new Map(people.flatMap(({ id, deleted }) => (deleted ? [[id, deleted.answeredAt]] : [])))
    for (const { event_id, user_id, at } of steps) {
      const lateMs = Date.parse(at) - (goneAt.get(user_id) ?? Number.POSITIVE_INFINITY)
      if (lateMs > 0) yield `${event_id} of ${user_id} was touched ${lateMs} ms after their deletion.`
    }
  },
}

const noSurprise: Rule = {
  name: 'no surprise',
  words: 'The API refuses nothing that is right, and no process ends by itself without a word.',
  look: ({ surprises }) => surprises,
}

export const PEOPLE_RULES: readonly Rule[] = [kept, forgotten, leftAlone, noSurprise]
