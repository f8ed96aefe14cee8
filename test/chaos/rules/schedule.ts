// Who is greeted next, for which year and when.
import { bodyOf, type EventRow, type Evidence, groupBy } from '../support/evidence.ts'
import { dueIn, nextYear } from '../support/expected-instant.ts'
import { factsNow, type Person } from '../support/population.ts'
import type { Facts } from '../support/user-script.ts'
import type { Rule } from './rule.ts'

/** People who are there in the end, with the events of their one occasion. */
function* living({ people, tables }: Evidence) {
  const users = new Map(tables.users.map((row) => [row.id, row]))
  const occasions = groupBy(tables.occasions, ({ user_id }) => user_id)
  const open = groupBy(tables.events, ({ occasion_id }) => occasion_id)
  const settled = groupBy(tables.settled_events, ({ occasion_id }) => occasion_id)
  for (const person of people) {
    const user = users.get(person.id)
    const [occasion] = occasions.get(person.id) ?? []
    if (person.deleted !== null || user === undefined || occasion === undefined) continue
    const createdAt = Date.parse(user.created_at)
    yield { person, createdAt, open: open.get(occasion.id) ?? [], settled: settled.get(occasion.id) ?? [] }
  }
}

const oneAhead: Rule = {
  name: 'one ahead',
  words:
    'Everybody has exactly one event ahead, due at their time of day, on their day, where they live now.',
  *look(evidence) {
    for (const { person, open } of living(evidence)) {
      if (open.length !== 1) yield `${person.id} has ${open.length} events ahead.`
      for (const { id, occurrence, target_at } of open) {
        const at = dueIn(Number(occurrence), factsNow(person), person.localTime)
        if (at !== Date.parse(target_at))
          yield `${id} of ${person.id} is due ${target_at}, not ${new Date(at).toISOString()}.`
      }
    }
  },
}

const noneSkipped: Rule = {
  name: 'none skipped',
  words:
    'The event ahead is for the year after the last that was settled, or for the first that was still to come.',
  *look(evidence) {
    for (const { person, createdAt, open, settled } of living(evidence)) {
      const last = settled.reduce(
        (latest, { occurrence }) => Math.max(latest, Number.parseInt(occurrence, 10)),
        0,
      )
      const owed = last > 0 ? new Set([last + 1]) : yearsOwed(person, createdAt)
      for (const { id, occurrence } of open)
        if (!owed.has(Number(occurrence)))
          yield `${id} of ${person.id} is for ${occurrence}; owed is ${[...owed].join(' or ')}.`
    }
  },
}

/** The years that may be ahead of somebody of whom nothing was settled. More than one where an edit met the instant. */
function yearsOwed(person: Person, createdAt: number): Set<number> {
  const { localTime } = person
  let owed = new Set([nextYear(person.atFirst, localTime, { now: createdAt, after: null })])
  for (const { kind, sentAt, answeredAt, after } of person.changes) {
    if (kind === 'rename') continue
    const next = [sentAt, answeredAt].map((now) => nextYear(after, localTime, { now, after: null }))
    // A corrected date starts anew; who moves keeps what they are owed, unless an earlier year is still to come there.
    owed =
      kind === 'correct'
        ? new Set(next)
        : new Set([...owed].flatMap((pending) => next.map((year) => Math.min(year, pending))))
  }
  return owed
}

const toldTruly: Rule = {
  name: 'told truly',
  words: 'A message names the person as they were called, and was due at their time of day where they lived.',
  *look({ arrivals, people, tables }) {
    const known = new Map(people.map((person) => [person.id, person]))
    for (const [key, [arrival]] of groupBy(arrivals, ({ key }) => key)) {
      const { userId, occurrence, message, targetTimestampUTC } = bodyOf(arrival!)
      const person = known.get(userId)
      if (person === undefined) yield `${key} is for ${userId}, whom nobody knows.`
      else {
        const faces = facesOf(person)
        if (!faces.some(({ firstName, lastName }) => message.includes(`${firstName} ${lastName}`)))
          yield `${key} says "${message}".`
        if (!wasDue(person, { occurrence, target_at: targetTimestampUTC }))
          yield `${key} was due ${targetTimestampUTC}.`
      }
    }
    const owners = new Map(tables.occasions.map(({ id, user_id }) => [id, known.get(user_id)]))
    for (const event of tables.settled_events) {
      const person = owners.get(event.occasion_id)
      if (person !== undefined && !wasDue(person, event)) yield `${event.id} was due ${event.target_at}.`
    }
  },
}

const facesOf = ({ atFirst, changes }: Person): Facts[] => [atFirst, ...changes.map(({ after }) => after)]

function wasDue(person: Person, event: Pick<EventRow, 'occurrence' | 'target_at'>): boolean {
  const year = Number.parseInt(event.occurrence, 10)
  const target = Date.parse(event.target_at)
  return facesOf(person).some((face) => dueIn(year, face, person.localTime) === target)
}

export const SCHEDULE_RULES: readonly Rule[] = [oneAhead, noneSkipped, toldTruly]
