// The occurrences of occasions that fall on days: yearly, once, by a rule, or by another calendar. Never reads a clock.

import { originalOf } from '../events/idempotency-key.ts'
import { civilFromLocalMs, DAY_MS, dayNumber, digitsAt, formatCivilDate } from '../time/calendar.ts'
import { parseLocalTime } from '../time/local-time.ts'
import type { LocalConversion, TimezoneTable, Zone } from '../time/tzdb.ts'
import { hasYear } from '../users/date-of-birth.ts'
import { findInYear, nextYearly, type YearlyOccurrence } from './next-occurrence.ts'
import type { Occasion } from './occasion.ts'
import { type From, ruleOf, type Schedule, type Series, type Slot, sendRuleOf } from './schedule.ts'
import { type Day, dayNamed, daysFrom } from './scheduled-days.ts'
import { sendDay, WEEKEND_DAYS } from './send-day.ts'

export const recurring: Series = {
  first(schedule, from, table) {
    const { occasion } = schedule
    if (occasion.pausedAt !== null) return null
    const slot = isGregorianYearly(occasion)
      ? firstYear(schedule, from, table)
      : firstDay(schedule, from, table)
    return slot !== null && isWithin(occasion, slot) ? slot : null
  },
  moved(schedule, from, table) {
    const { occasion } = schedule
    const next = recurring.first(schedule, from, table)
    const pending = withoutRevision(occasion, from.pending)
    const kept = pending === null ? null : slotNamed(schedule, pending, table)
    if (pending === null || kept === null || next === null) return kept ?? next
    // Within one rule revision, names sort by time.
    return withoutRevision(occasion, next.occurrence)! < pending ? next : kept
  },
  named(schedule, occurrence, table) {
    const { occasion } = schedule
    const name = withoutRevision(occasion, occurrence)
    const slot = name === null || occasion.pausedAt !== null ? null : slotNamed(schedule, name, table)
    return slot !== null && isWithin(occasion, slot) ? slot : null
  },
}

/** Every occurrence from now on, in order. Ends with the rule, or with the calendar's table. */
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

export function isGregorianYearly({ repeats, calendar }: Occasion): boolean {
  return repeats === 'YEARLY' && calendar === 'gregorian'
}

function isWithin({ until }: Occasion, slot: Slot): boolean {
  return until === null || slot.date <= until
}

/** The name of an occurrence within its occasion: from the second rule revision on, it begins with the revision. */
function withRevision({ ruleRevision }: Occasion, name: string): string {
  return ruleRevision === 1 ? name : `${ruleRevision}:${name}`
}

/** The name without the revision; null if the occurrence belongs to an earlier rule revision. */
function withoutRevision({ ruleRevision }: Occasion, occurrence: string): string | null {
  const original = originalOf(occurrence)
  const colon = original.indexOf(':')
  if (colon === -1) return ruleRevision === 1 ? original : null
  return Number(original.slice(0, colon)) === ruleRevision ? original.slice(colon + 1) : null
}

/** Years of different calendars can begin within months of each other; one greeting is enough for both. */
const HALF_A_YEAR_MS = 183 * DAY_MS
const YEAR_OF_ANY_RULE = /^(\d+:)?([a-z]+-)?\d{4}$/

/** Where the next occurrence may begin: after the name of the last settled one, or after its local day if the rule changed. */
function searchStart(
  { occasion, user }: Schedule,
  { now, after }: From,
  table: TimezoneTable,
): { notBefore: number; lastName: string | null } {
  if (after === null) return { notBefore: now, lastName: null }
  const lastName = withoutRevision(occasion, after.occurrence)
  // Days that a weekend moves to one day make one message, that of the first.
  if (lastName !== null) return { notBefore: Math.max(now, after.targetAt + 1), lastName }
  const bothYearly = occasion.repeats === 'YEARLY' && YEAR_OF_ANY_RULE.test(originalOf(after.occurrence))
  const settledUntil = bothYearly
    ? after.targetAt + HALF_A_YEAR_MS + 1
    : nextMidnight(table.zone(user.timezone), after.targetAt)
  return { notBefore: Math.max(now, settledUntil), lastName: null }
}

function nextMidnight(zone: Zone, instant: number): number {
  const localMs = instant + zone.offsetMsAt(instant)
  return zone.instantOf((Math.floor(localMs / DAY_MS) + 1) * DAY_MS).instant
}

function firstYear(schedule: Schedule, from: From, table: TimezoneTable): Slot | null {
  const { occasion, user } = schedule
  const rule = ruleOf(occasion, user)
  if (rule === null) return null
  const { notBefore, lastName } = searchStart(schedule, from, table)
  // The first anniversary is in the year after the original date.
  const afterYear = Math.max(yearOf(rule.date), lastName === null ? 0 : Number(lastName)) || undefined
  return yearSlot(occasion, nextYearly(rule, { notBefore, afterYear }, table))
}

/** 0 for a day of the year: every year has its anniversary. */
function yearOf(date: string): number {
  return hasYear(date) ? digitsAt(date, 0, 4) : 0
}

function yearSlot(occasion: Occasion, found: YearlyOccurrence): Slot {
  const { year, date, instant, occursOn, offsetMinutes, note } = found
  const occurrence = withRevision(occasion, String(year).padStart(4, '0'))
  const slot = { occurrence, instant, offsetSeconds: Math.round(offsetMinutes * 60), occursOn, date }
  return note === undefined ? slot : { ...slot, note }
}

/** A rule whose next thousand days are all on weekends never has another one: every seventh day, or each first Saturday. */
export const MOST_SKIPPED = 1_000

function firstDay(schedule: Schedule, from: From, table: TimezoneTable): Slot | null {
  const { notBefore, lastName } = searchStart(schedule, from, table)
  const { shiftDays, onWeekend } = sendRuleOf(schedule.occasion)
  // In every timezone a day has ended two days after it began in UTC.
  const days = 2 + shiftDays + (onWeekend === 'EXACT' ? 0 : WEEKEND_DAYS)
  let skipped = 0
  for (const day of daysFrom(schedule, civilFromLocalMs(notBefore - days * DAY_MS))) {
    if (lastName !== null && day.name <= lastName) continue
    const slot = daySlot(schedule, day, table)
    if (slot === null && ++skipped === MOST_SKIPPED) return null
    if (slot !== null && slot.instant >= notBefore) return slot
  }
  return null
}

/** The occurrence of that name, past or future; null if the current rule has none. */
function slotNamed(schedule: Schedule, name: string, table: TimezoneTable): Slot | null {
  const { occasion, user } = schedule
  if (isGregorianYearly(occasion)) {
    const rule = ruleOf(occasion, user)
    if (rule === null || Number(name) <= yearOf(rule.date)) return null
    const found = findInYear(rule, Number(name), table)
    return found && yearSlot(occasion, found)
  }
  const day = dayNamed(schedule, name)
  return day === null ? null : daySlot(schedule, day, table)
}

/** Null if it is not sent, because of a weekend. */
function daySlot({ occasion, user }: Schedule, day: Day, table: TimezoneTable): Slot | null {
  const sent = sendDay(dayNumber(day.date), sendRuleOf(occasion))
  if (sent === null) return null
  const localMs = sent.day * DAY_MS + parseLocalTime(occasion.localTime)!
  const conversion = table.zone(user.timezone).instantOf(localMs)
  const { instant, offsetMs } = conversion
  const isMoved = sent.note === 'MOVED_FROM_WEEKEND'
  const note = clockNote(conversion, localMs) ?? (isMoved ? sent.note : (day.note ?? sent.note))
  const slot = {
    occurrence: withRevision(occasion, day.name),
    instant,
    offsetSeconds: Math.round(offsetMs / 1000),
    occursOn: formatCivilDate(civilFromLocalMs(instant + offsetMs)),
    date: formatCivilDate(day.date),
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
