// The presets of the field Repeats. The rule is the only state: a preset is read from it and written into it.
import { parseRule } from '../../../../../src/domain/occasions/rules/rrule.ts'
import type { RecurrenceRule } from '../../../../../src/domain/occasions/rules/rrule-rule.ts'
import { parseCivilDate } from '../../../../../src/domain/time/calendar.ts'

export type Preset = 'YEARLY' | 'MONTHLY' | 'WEEKLY' | 'ONCE' | 'CUSTOM'

/** `day` is a day of the month, `last` the last day, `weekday` such as the second Tuesday. */
export type Monthly =
  | { on: 'day'; day: number }
  | { on: 'last' }
  | { on: 'weekday'; ordinal: number; weekday: number }

/** Not every month has a fifth one. -1 is the last. */
export const WEEKDAY_ORDINALS = [1, 2, 3, 4, -1]
const CODES = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

/** CUSTOM for a rule that no preset can show. */
export function presetOf(repeats: string): Preset {
  if (repeats === 'YEARLY' || repeats === 'ONCE') return repeats
  if (weekdaysOf(repeats) !== null) return 'WEEKLY'
  return monthlyOf(repeats) === null ? 'CUSTOM' : 'MONTHLY'
}

/** The weekdays of a weekly rule, 0 for Monday; null for any other rule. */
export function weekdaysOf(repeats: string): number[] | null {
  const parsed = parseRule(repeats)
  if (!parsed.ok || parsed.rule.weekdays.length === 0) return null
  const weekdays = parsed.rule.weekdays.map(({ weekday }) => weekday)
  return weeklyRule(weekdays) === parsed.text ? weekdays : null
}

/** The day of a monthly rule with one day; null for any other rule. */
export function monthlyOf(repeats: string): Monthly | null {
  const parsed = parseRule(repeats)
  if (!parsed.ok) return null
  return choices(parsed.rule).find((choice) => monthlyRule(choice) === parsed.text) ?? null
}

function choices({ monthDays: [day = 0], weekdays: [weekday] }: RecurrenceRule): Monthly[] {
  if (day === -1) return [{ on: 'last' }]
  if (day > 0) return [{ on: 'day', day }]
  if (weekday === undefined || !WEEKDAY_ORDINALS.includes(weekday.ordinal ?? 0)) return []
  return [{ on: 'weekday', ordinal: weekday.ordinal!, weekday: weekday.weekday }]
}

/** In the canonical spelling of `parseRule`. */
export function weeklyRule(weekdays: readonly number[]): string {
  const sorted = weekdays.toSorted((a, b) => a - b)
  return `FREQ=WEEKLY;BYDAY=${sorted.map((weekday) => CODES[weekday]).join()}`
}

/** In the canonical spelling of `parseRule`. */
export function monthlyRule(monthly: Monthly): string {
  if (monthly.on === 'last') return 'FREQ=MONTHLY;BYMONTHDAY=-1'
  if (monthly.on === 'day') return `FREQ=MONTHLY;BYMONTHDAY=${monthly.day}`
  return `FREQ=MONTHLY;BYDAY=${monthly.ordinal}${CODES[monthly.weekday]}`
}

/** The rule that a preset starts with: on the weekday or the day of the date. */
export function firstRule(preset: Preset, date: string): string {
  if (preset === 'YEARLY' || preset === 'ONCE') return preset
  if (preset === 'WEEKLY') return weeklyRule([weekdayOn(date)])
  return monthlyRule({ on: 'day', day: parseCivilDate(date)?.day ?? 1 })
}

/** 0 for Monday, and without a date. */
export function weekdayOn(date: string): number {
  return (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7 || 0
}

/** What is wrong with a rule, and what to use instead. */
export function problemOfRule(repeats: string): string | undefined {
  if (repeats === 'YEARLY' || repeats === 'ONCE') return undefined
  const parsed = parseRule(repeats)
  return parsed.ok ? undefined : parsed.message
}
