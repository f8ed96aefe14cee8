// Rules of each person's next event, its year and its due time.
import { dueIn, nextYear } from '../../support/oracle/birthdays.ts'
import { bodyOf, type EventRow, type Evidence } from '../support/evidence.ts'
import { factsNow, type Person } from '../support/population.ts'
import type { Facts } from '../support/user-script.ts'
import type { Rule } from './rule.ts'

/** People who were not deleted, with the events of their one occasion. */
function* presentPeople({ people, tables }: Evidence) {
  const users = new Map(tables.users.map((row) => [row.id, row]))
  const occasions = Map.groupBy(tables.occasions, ({ user_id }) => user_id)
  const open = Map.groupBy(tables.events, ({ occasion_id }) => occasion_id)
  const settled = Map.groupBy(tables.settled_events, ({ occasion_id }) => occasion_id)
  for (const person of people) {
    const user = users.get(person.id)
    const [occasion] = occasions.get(person.id) ?? []
    if (person.deleted !== null || user === undefined || occasion === undefined) continue
    const createdAt = Date.parse(user.created_at)
    yield { person, createdAt, open: open.get(occasion.id) ?? [], settled: settled.get(occasion.id) ?? [] }
  }
}

const onePlannedEvent: Rule = {
  name: 'one planned event',
  description:
    'Each person has exactly one open event, due at their local time, on their day, where they live now.',
  *check(evidence) {
    for (const { person, open } of presentPeople(evidence)) {
      if (open.length !== 1) yield `${person.id} has ${open.length} open events.`
      for (const { id, occurrence, target_at } of open) {
        const at = dueIn(Number(occurrence), factsNow(person), person.localTime)
        if (at !== Date.parse(target_at))
          yield `${id} of ${person.id} is due ${target_at}, not ${new Date(at).toISOString()}.`
      }
    }
  },
}

const noOccurrenceSkipped: Rule = {
  name: 'no occurrence skipped',
  description:
    'The open event is for the year after the last settled one, or for the first year that was still ahead.',
  *check(evidence) {
    for (const { person, createdAt, open, settled } of presentPeople(evidence)) {
      const last = settled.reduce(
        (latest, { occurrence }) => Math.max(latest, Number.parseInt(occurrence, 10)),
        0,
      )
      const owed = last > 0 ? new Set([last + 1]) : yearsOwed(person, createdAt)
      for (const { id, occurrence } of open)
        if (!owed.has(Number(occurrence)))
          yield `${id} of ${person.id} is for ${occurrence}; expected is ${[...owed].join(' or ')}.`
    }
  },
}

/** The possible years of the next event of a person without a settled one. More than one if an edit coincided with the due time. */
function yearsOwed(person: Person, createdAt: number): Set<number> {
  const { localTime } = person
  let owed = new Set([nextYear(person.atFirst, localTime, { now: createdAt, after: null })])
  for (const { kind, sentAt, respondedAt, after } of person.changes) {
    if (kind === 'rename') continue
    const next = [sentAt, respondedAt].map((now) => nextYear(after, localTime, { now, after: null }))
    // A corrected date starts again; a move keeps the pending year, unless an earlier year is still ahead there.
    owed =
      kind === 'correct'
        ? new Set(next)
        : new Set([...owed].flatMap((pending) => next.map((year) => Math.min(year, pending))))
  }
  return owed
}

const rightNameAndTime: Rule = {
  name: 'right name and time',
  description:
    'A message has the name of the person at that time, and was due at their local time where they lived.',
  *check({ arrivals, people, tables }) {
    const known = new Map(people.map((person) => [person.id, person]))
    for (const [key, [arrival]] of Map.groupBy(arrivals, ({ key }) => key)) {
      const { userId, occurrence, message, targetTimestampUTC } = bodyOf(arrival!)
      const person = known.get(userId)
      if (person === undefined) yield `${key} is for ${userId}, who was never created.`
      else {
        const versions = versionsOf(person)
        if (!versions.some(({ firstName, lastName }) => message.includes(`${firstName} ${lastName}`)))
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

const versionsOf = ({ atFirst, changes }: Person): Facts[] => [atFirst, ...changes.map(({ after }) => after)]

function wasDue(person: Person, event: Pick<EventRow, 'occurrence' | 'target_at'>): boolean {
  const year = Number.parseInt(event.occurrence, 10)
  const target = Date.parse(event.target_at)
  return versionsOf(person).some((version) => dueIn(year, version, person.localTime) === target)
}

export const SCHEDULE_RULES: readonly Rule[] = [onePlannedEvent, noOccurrenceSkipped, rightNameAndTime]
