// The tables of docs/occasions.md and docs/preview.md: defaults of fields, calendars, notes.
import { describe, expect, it } from 'vitest'
import { CALENDARS, type CalendarName, knownDates } from '../../../src/domain/calendars/calendars.ts'
import type { NoteCode } from '../../../src/domain/occasions/explain.ts'
import { parseOccasion } from '../../../src/domain/occasions/occasion-fields.ts'
import { occasionType } from '../../../src/domain/occasions/occasion-types.ts'
import { upcoming } from '../../../src/domain/occasions/recurring.ts'
import type { SlotNote } from '../../../src/domain/occasions/schedule.ts'
import { formatCivilDate } from '../../../src/domain/time/calendar.ts'
import { tzdb } from '../../../src/domain/time/tzdb.ts'
import { NewOccasionJson } from '../../../src/http/occasions/json.ts'
import { makeOccasion, makePerson } from '../../support/fixtures.ts'
import { rowsOf, spansOf } from '../support/tables.ts'

describe('the fields of an occasion in docs/occasions.md', () => {
  const rows = rowsOf('docs/occasions.md', 'field', 'meaning', 'default').map(([name, , standard]) => ({
    name: spansOf(name!)[0]!,
    standard: standard!,
  }))

  it('are those that the API accepts', () => {
    expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(NewOccasionJson.shape).sort())
  })

  it('have the defaults that apply', () => {
    const deliverAt = '10:30'
    const notAfter = '20:00'
    const parsed = parseOccasion({ type: 'PARTY', date: '2020-03-01' }, { deliverAt, notAfter })
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
    const { channelId, ...fields } = parsed.value
    const applied: Record<string, unknown> = { ...fields, channel: channelId }
    const words: Record<string, unknown> = {
      'no end': null,
      none: null,
      'the text of its type': null,
      'the default channel': null,
      '`DELIVER_AT`': deliverAt,
      '`NOT_AFTER`': notAfter,
    }
    for (const { name, standard } of rows.filter(
      ({ name }) => !['type', 'date', 'sendTodayNow'].includes(name),
    ))
      expect([name, applied[name]]).toEqual([
        name,
        standard in words ? words[standard] : spansOf(standard)[0],
      ])
  })
})

describe('the calendars in docs/occasions.md', () => {
  const rows = rowsOf('docs/occasions.md', '`calendar`')

  it('are all that there are', () => {
    expect(rows.map(([name]) => spansOf(name!)[0])).toEqual([...CALENDARS])
  })

  it.each(rows.slice(1))('%s covers the dates that the page says', (name, _, dates) => {
    const { from, to } = knownDates(spansOf(name!)[0] as CalendarName)
    expect(dates).toBe(`${formatCivilDate(from)} to ${formatCivilDate(to)}`)
  })

  it.each(rows)('%s has occurrences with names like its example', (name, _description, _dates, example) => {
    const { user } = makePerson()
    const calendar = spansOf(name!)[0] as CalendarName
    const occasion = makeOccasion(user, { type: 'PARTY', date: '1990-06-15', calendar })
    const { series } = occasionType(occasion.type)
    const from = { now: Date.parse('2026-01-01T00:00:00Z'), after: null }
    const slots = upcoming(series, { occasion, user, task: null }, from, tzdb)
    const names = Array.from({ length: 3 }, () => slots.next().value?.occurrence)
    expect(names).toContain(spansOf(example!)[0])
  })
})

it('docs/preview.md explains every note of an occurrence', () => {
  // The compiler demands every code.
  const codes: Record<NoteCode | SlotNote, true> = {
    LEAP_DAY_MOVED: true,
    CLOCK_GAP: true,
    CLOCK_OVERLAP: true,
    DATE_SKIPPED: true,
    OFFSET_CHANGED: true,
    CALENDAR_MOVED: true,
  }
  const listed = rowsOf('docs/preview.md', 'note', 'meaning').flatMap(([note]) => spansOf(note!))
  expect(listed.sort()).toEqual(Object.keys(codes).sort())
})
