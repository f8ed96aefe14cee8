// Prints the schedule of `terce simulate`: a table, or JSON lines.
import type { ListedPerson } from '../../rehearsal/people.ts'
import type { Due } from '../../rehearsal/schedule.ts'

export function* jsonLines(schedule: Iterable<Due>): Generator<string> {
  for (const { person, age, explanation } of schedule) {
    const { firstName, lastName, dateOfBirth, who } = person
    const { year, local, utc, timezone, tzVersion, oddities } = explanation
    yield `${JSON.stringify({
      targetTimestampLocal: local,
      targetTimestampUTC: utc,
      timezone,
      who,
      firstName,
      lastName,
      dateOfBirth,
      age,
      occurrence: String(year),
      tzVersion,
      oddities,
    })}\n`
  }
}

/** A longer name is not cut; it shifts the rest of its line. */
const WIDEST_NAME = 40

export function* tableLines(schedule: Iterable<Due>, people: readonly ListedPerson[]): Generator<string> {
  const names = Math.min(WIDEST_NAME, longest(people, nameOf))
  const zones = longest(people, ({ timezone }) => timezone)
  const line = (cells: [string, string, string, string, string, string]) => {
    const [local, utc, name, age, zone, note] = cells
    const row = `${local.padEnd(23)}  ${utc.padEnd(17)}  ${name.padEnd(names)}  ${age.padStart(3)}  ${zone.padEnd(zones)}  ${note}`
    return `${row.trimEnd()}\n`
  }
  yield line(['LOCAL TIME', 'UTC', 'PERSON', 'AGE', 'TIMEZONE', 'NOTE'])
  for (const { person, age, explanation } of schedule) {
    const { local, utc, timezone, oddities } = explanation
    const note = oddities.map(({ text }) => text).join(' ')
    yield line([brief(local), brief(utc), nameOf(person), String(age), timezone, note])
  }
}

function longest(people: readonly ListedPerson[], text: (person: ListedPerson) => string): number {
  return people.reduce((most, person) => Math.max(most, text(person).length), 'TIMEZONE'.length)
}

function nameOf({ firstName, lastName }: ListedPerson): string {
  return `${firstName} ${lastName}`
}

/** `2026-12-15T09:00:00-07:00` as `2026-12-15 09:00 -07:00`; with seconds and milliseconds only if they are not zero. */
export function brief(timestamp: string): string {
  const parts = /^(.{10})T(.{5})(:\d\d(?:\.\d+)?)(.+)$/.exec(timestamp)!
  const [date, minutes, exact, offset] = parts.slice(1) as [string, string, string, string]
  const seconds = exact.replace(/\.0+$/, '')
  return `${date} ${minutes}${seconds === ':00' ? '' : seconds}${offset === 'Z' ? 'Z' : ` ${offset}`}`
}
