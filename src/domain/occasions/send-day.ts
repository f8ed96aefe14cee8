// On which day the message of an occasion is sent: on its date, some days before or after it, and perhaps not on a weekend.
// Knows no zones.
import { civilFromLocalMs, DAY_MS, dayNumber, formatCivilDate, parseCivilDate } from '../time/calendar.ts'

/**
 * What to do if the day of sending is a Saturday or Sunday: send on it, on the Friday before, on the Monday after, or not at
 * all.
 */
export const WEEKEND_RULES = ['EXACT', 'BEFORE', 'AFTER', 'SKIP'] as const
export type WeekendRule = (typeof WEEKEND_RULES)[number]

export type SendRule = {
  /** Days from the date to the day of sending, negative for days before it. */
  shiftDays: number
  onWeekend: WeekendRule
}

export const ON_ITS_DATE: SendRule = { shiftDays: 0, onWeekend: 'EXACT' }

/** The most days between a date and its message. */
export const MOST_SHIFT_DAYS = 90
/** How many days a weekend moves a message, at most. */
export const WEEKEND_DAYS = 2

export type SendDay = { day: number; note?: 'MOVED_FROM_WEEKEND' | 'SHIFTED' }

/** The day of sending for a date; null if it is not sent. Days are counted from 1970-01-01. */
export function sendDay(date: number, { shiftDays, onWeekend }: SendRule): SendDay | null {
  const day = date + shiftDays
  if (onWeekend !== 'EXACT' && isWeekend(day)) {
    if (onWeekend === 'SKIP') return null
    let moved = day
    while (isWeekend(moved)) moved += onWeekend === 'BEFORE' ? -1 : 1
    return { day: moved, note: 'MOVED_FROM_WEEKEND' }
  }
  return shiftDays === 0 ? { day } : { day, note: 'SHIFTED' }
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

/** 1970-01-01 was a Thursday. */
const weekdayOf = (day: number) => WEEKDAYS[(((day + 4) % 7) + 7) % 7]!

const isWeekend = (day: number) => weekdayOf(day).startsWith('S')

/** Why a message is not sent on its date, in words. */
export function sendNotes(
  date: string,
  rule: SendRule,
): { code: 'SHIFTED' | 'MOVED_FROM_WEEKEND'; text: string }[] {
  const { shiftDays } = rule
  const wanted = dayNumber(parseCivilDate(date)!) + shiftDays
  const sent = sendDay(wanted - shiftDays, rule)
  const notes: ReturnType<typeof sendNotes> = []
  if (shiftDays !== 0) notes.push({ code: 'SHIFTED', text: `It is sent ${shiftInWords(shiftDays)} ${date}.` })
  if (sent?.note === 'MOVED_FROM_WEEKEND') {
    const text = `${inWords(wanted)} is on a weekend: it is sent on ${inWords(sent.day)}.`
    notes.push({ code: 'MOVED_FROM_WEEKEND', text })
  }
  return notes
}

/** `3 days before`, `1 day after` */
export function shiftInWords(days: number): string {
  const count = Math.abs(days)
  return `${count} ${count === 1 ? 'day' : 'days'} ${days < 0 ? 'before' : 'after'}`
}

/** `Saturday, 2026-12-12` */
function inWords(day: number): string {
  return `${weekdayOf(day)}, ${formatCivilDate(civilFromLocalMs(day * DAY_MS))}`
}

/** Days of an ISO 8601 duration in whole days or weeks, such as `-P3D` or `P1W`; null for any other text, or too many. */
export function parseShift(text: string): number | null {
  const match = /^([+-]?)P(?:(\d{1,2})W)?(?:(\d{1,2})D)?$/.exec(text)
  if (match === null || (match[2] === undefined && match[3] === undefined)) return null
  const days = Number(match[2] ?? 0) * 7 + Number(match[3] ?? 0)
  if (days > MOST_SHIFT_DAYS) return null
  return match[1] === '-' && days > 0 ? -days : days
}

export function formatShift(days: number): string {
  return `${days < 0 ? '-' : ''}P${Math.abs(days)}D`
}
