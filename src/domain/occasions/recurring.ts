// The occurrences of everything that falls on days: yearly, once, by a rule, by another calendar. Never reads a clock.

import { originalOf } from '../events/idempotency-key.ts'
import { civilFromLocalMs, DAY_MS, dayNumber, digitsAt, formatCivilDate } from '../time/calendar.ts'
import { parseLocalTime } from '../time/local-time.ts'
import type { LocalConversion, TimezoneTable } from '../time/tzdb.ts'
import { nextYearly, occurrenceInYear, type YearlyOccurrence } from './next-occurrence.ts'
import type { Occasion } from './occasion.ts'
import { type From, ruleOf, type Schedule, type Series, type Slot } from './schedule.ts'
import { type Day, dayNamed, daysFrom } from './scheduled-days.ts'

export const recurring: Series = {
  first(schedule, from, table) {
    const { occasion } = schedule
    if (occasion.pausedAt !== null) return null
    const slot = isPlainYearly(occasion) ? firstYear(schedule, from, table) : firstDay(schedule, from, table)
    return slot !== null && isWithin(occasion, slot) ? slot : null
  },
  moved(schedule, from, table) {
    const { occasion } = schedule
    const next = recurring.first(schedule, from, table)
    const pending = nameOf(occasion, from.pending)
    const kept = pending === null ? null : slotNamed(schedule, pending, table)
    if (pending === null || kept === null || next === null) return kept ?? next
    // Within one rule the names are in the order of time.
    return nameOf(occasion, next.occurrence)! < pending ? next : kept
  },
  named(schedule, occurrence, table) {
    const { occasion } = schedule
    const name = nameOf(occasion, occurrence)
    const slot = name === null || occasion.pausedAt !== null ? null : slotNamed(schedule, name, table)
    return slot !== null && isWithin(occasion, slot) ? slot : null
  },
}

/** Every occurrence from now on, in order. Ends with the rule, or with the table of its calendar. */
export function* upcoming(
  series: Series,
  schedule: Schedule,
  from: From,
  table: TimezoneTable,
): Generator<Slot> {
  let { now, after } = from
  for (;;) {
    const slot = series.first(schedule, { now, after }, table)
    if (slot === null) return
    yield slot
    now = Math.max(now, slot.instant)
    after = { occurrence: slot.occurrence, targetAt: slot.instant }
  }
}

function isPlainYearly({ repeats, calendar }: Occasion): boolean {
  return repeats === 'YEARLY' && calendar === 'gregorian'
}

function isWithin({ until }: Occasion, slot: Slot): boolean {
  return until === null || slot.occursOn <= until
}

/** How occurrences are named: those of a rule that replaced another tell which rule it was. */
function nameIn({ ruleRevision }: Occasion, name: string): string {
  return ruleRevision === 1 ? name : `${ruleRevision}:${name}`
}

/** What an occurrence of this rule is called within it; null for one of a rule before. */
function nameOf({ ruleRevision }: Occasion, occurrence: string): string | null {
  const original = originalOf(occurrence)
  const colon = original.indexOf(':')
  if (colon === -1) return ruleRevision === 1 ? original : null
  return Number(original.slice(0, colon)) === ruleRevision ? original.slice(colon + 1) : null
}

/** Two years of different calendars can begin within months of each other; one greeting is enough for both. */
const HALF_A_YEAR_MS = 183 * DAY_MS
const YEAR_OF_ANY_RULE = /^(\d+:)?([a-z]+-)?\d{4}$/

/** What is left after those that are spoken for: by name if one is of this rule, by time if it is of a rule before. */
function whatIsLeft(occasion: Occasion, { now, after }: From): { notBefore: number; past: string | null } {
  if (after === null) return { notBefore: now, past: null }
  const past = nameOf(occasion, after.occurrence)
  if (past !== null) return { notBefore: now, past }
  const bothYearly = occasion.repeats === 'YEARLY' && YEAR_OF_ANY_RULE.test(originalOf(after.occurrence))
  const spokenForUntil = after.targetAt + (bothYearly ? HALF_A_YEAR_MS : 0)
  return { notBefore: Math.max(now, spokenForUntil + 1), past: null }
}

function firstYear({ occasion, user }: Schedule, from: From, table: TimezoneTable): Slot {
  const rule = ruleOf(occasion, user)
  const { notBefore, past } = whatIsLeft(occasion, from)
  // What is yet to happen has no anniversaries before.
  const yearBefore = digitsAt(rule.date, 0, 4) - 1
  const afterYear = Math.max(yearBefore, past === null ? 0 : Number(past))
  return yearSlot(
    occasion,
    nextYearly(rule, { notBefore, afterYear: afterYear > 0 ? afterYear : undefined }, table),
  )
}

function yearSlot(occasion: Occasion, found: YearlyOccurrence): Slot {
  const { year, instant, occursOn, offsetMinutes, note } = found
  const occurrence = nameIn(occasion, String(year).padStart(4, '0'))
  const slot = { occurrence, instant, offsetSeconds: Math.round(offsetMinutes * 60), occursOn }
  return note === undefined ? slot : { ...slot, note }
}

function firstDay(schedule: Schedule, from: From, table: TimezoneTable): Slot | null {
  const { notBefore, past } = whatIsLeft(schedule.occasion, from)
  // Wherever it is, a day is over two days after it began by UTC.
  for (const day of daysFrom(schedule, civilFromLocalMs(notBefore - 2 * DAY_MS))) {
    if (past !== null && day.name <= past) continue
    const slot = daySlot(schedule, day, table)
    if (slot.instant >= notBefore) return slot
  }
  return null
}

/** The occurrence of that name, past or future; null if the rule as it stands has none. */
function slotNamed(schedule: Schedule, name: string, table: TimezoneTable): Slot | null {
  const { occasion, user } = schedule
  if (isPlainYearly(occasion))
    return yearSlot(occasion, occurrenceInYear(ruleOf(occasion, user), Number(name), table))
  const day = dayNamed(schedule, name)
  return day === null ? null : daySlot(schedule, day, table)
}

function daySlot({ occasion, user }: Schedule, day: Day, table: TimezoneTable): Slot {
  const localMs = dayNumber(day.date) * DAY_MS + parseLocalTime(occasion.localTime)!
  const conversion = table.zone(user.timezone).instantOf(localMs)
  const { instant, offsetMs } = conversion
  const note = clockNote(conversion, localMs) ?? day.note
  const slot = {
    occurrence: nameIn(occasion, day.name),
    instant,
    offsetSeconds: Math.round(offsetMs / 1000),
    occursOn: formatCivilDate(civilFromLocalMs(instant + offsetMs)),
  }
  return note === undefined ? slot : { ...slot, note }
}

function clockNote({ instant, offsetMs, kind }: LocalConversion, localMs: number): Slot['note'] {
  switch (kind) {
    case 'gap':
      return instant + offsetMs - localMs >= DAY_MS ? 'DATE_SKIPPED' : 'CLOCK_GAP'
    case 'overlap':
      return 'CLOCK_OVERLAP'
    case 'plain':
      return undefined
  }
}
