// Shows when an occasion would fall, with what is odd about each time. Stores nothing.
import type { Occasion } from '../../domain/occasions/occasion.ts'
import type { OccasionFields } from '../../domain/occasions/occasion-fields.ts'
import { occasionType } from '../../domain/occasions/occasion-types.ts'
import { upcoming } from '../../domain/occasions/recurring.ts'
import { ruleInWords } from '../../domain/occasions/rule-in-words.ts'
import type { Slot, SlotNote, Where } from '../../domain/occasions/schedule.ts'
import type { TimezoneTable } from '../../domain/time/tzdb.ts'

export type OccasionPreview = { rule: string; occurrences: (Slot & { reason?: string })[] }

export function previewOccasion(
  fields: OccasionFields,
  of: { where: Where; from: number; count: number; table: TimezoneTable },
): OccasionPreview {
  const occasion: Occasion = { ...fields, id: '', userId: '', ruleRevision: 1, pausedAt: null, version: 1 }
  const schedule = { occasion, user: of.where, task: null }
  const { series } = occasionType(occasion.type)
  const occurrences: OccasionPreview['occurrences'] = []
  for (const slot of upcoming(series, schedule, { now: of.from, after: null }, of.table)) {
    occurrences.push(slot.note === undefined ? slot : { ...slot, reason: NOTES[slot.note] })
    if (occurrences.length === of.count) break
  }
  return { rule: ruleInWords(schedule), occurrences }
}

/** What is odd about an occurrence, in words. */
export const NOTES: Readonly<Record<SlotNote, string>> = {
  LEAP_DAY_MOVED: '29 February does not exist in that year.',
  CLOCK_GAP: 'That time does not exist there on that day: the clocks go forward over it. Moved by as much.',
  CLOCK_OVERLAP: 'That time comes twice there on that day: the clocks go back. The earlier counts.',
  DATE_SKIPPED: 'The place skipped that whole date. Moved to the same time on the next.',
  CALENDAR_MOVED:
    'The month or the day does not exist in that year of its calendar. Moved by the rule of the calendar.',
  QUIET_HOURS: 'Moved out of the hours in which nobody is disturbed there.',
}
