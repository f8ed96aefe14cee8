// Prints the lines of `terce preview`: a table, or JSON lines. Also writes instants in lists.

import { notesOf, type PreviewedSlot } from '../../app/occasions/preview-people.ts'
import { yearsSince } from '../../domain/messages/message-variables.ts'
import { originOf } from '../../domain/occasions/schedule.ts'
import { formatInstant, formatLocal } from '../../domain/time/timestamp.ts'
import type { TimezoneTable } from '../../domain/time/tzdb.ts'
import { fullName } from '../../domain/users/full-name.ts'

export function* jsonLines(schedule: Iterable<PreviewedSlot>, table: TimezoneTable): Generator<string> {
  for (const due of schedule) {
    const { slot } = due
    const { user, who, occasion } = due.of
    yield `${JSON.stringify({
      targetTimestampLocal: formatLocal(slot.instant, slot.offsetSeconds),
      targetTimestampUTC: formatInstant(slot.instant),
      timezone: user.timezone,
      who,
      firstName: user.firstName,
      lastName: user.lastName,
      dateOfBirth: user.dateOfBirth,
      type: occasion.type,
      years: yearsOf(due),
      occurrence: slot.occurrence,
      tzVersion: table.version,
      notes: notesOf(due, table),
    })}\n`
  }
}

/** A longer name is not cut; it shifts the rest of its line. */
const WIDEST = 40

/** `firsts` has every person and type of the schedule, which decide the widths of the columns. */
export function* tableLines(
  schedule: Iterable<PreviewedSlot>,
  { firsts, table }: { firsts: readonly PreviewedSlot[]; table: TimezoneTable },
): Generator<string> {
  const width = (heading: string, text: (due: PreviewedSlot) => string) =>
    firsts.reduce((most, due) => Math.min(WIDEST, Math.max(most, text(due).length)), heading.length)
  const widths = [
    23,
    17,
    width('PERSON', nameOf),
    width('OCCASION', ({ of }) => of.occasion.type),
    5,
    width('TIMEZONE', ({ of }) => of.user.timezone),
    0,
  ]
  const line = (cells: string[]) =>
    `${cells.map((cell, at) => (at === 4 ? cell.padStart(widths[at]!) : cell.padEnd(widths[at]!))).join('  ')}`.trimEnd() +
    '\n'
  yield line(['LOCAL TIME', 'UTC', 'PERSON', 'OCCASION', 'YEARS', 'TIMEZONE', 'NOTE'])
  for (const due of schedule) {
    const { instant, offsetSeconds } = due.slot
    yield line([
      brief(formatLocal(instant, offsetSeconds)),
      brief(formatInstant(instant)),
      nameOf(due),
      due.of.occasion.type,
      String(yearsOf(due) ?? ''),
      due.of.user.timezone,
      notesOf(due, table)
        .map(({ text }) => text)
        .join(' '),
    ])
  }
}

/** The number of the anniversary, such as the age on a birthday; null for the reminder of a task. */
function yearsOf({ of: { occasion, task, user }, slot }: PreviewedSlot): number | null {
  return task === null ? yearsSince(originOf(occasion, user), slot) : null
}

function nameOf({ of }: PreviewedSlot): string {
  return fullName(of.user)
}

/** `2026-12-15T09:00:00-07:00` as `2026-12-15 09:00 -07:00`; with seconds and milliseconds only if they are not zero. */
export function brief(timestamp: string): string {
  const parts = /^(.{10})T(.{5})(:\d\d(?:\.\d+)?)(.+)$/.exec(timestamp)!
  const [date, minutes, exact, offset] = parts.slice(1) as [string, string, string, string]
  const seconds = exact.replace(/\.0+$/, '')
  return `${date} ${minutes}${seconds === ':00' ? '' : seconds}${offset === 'Z' ? 'Z' : ` ${offset}`}`
}
