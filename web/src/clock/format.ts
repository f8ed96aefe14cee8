// Dates, times and durations as text. Every time carries its zone.
import type { NextReason } from '../../../src/domain/occasions/next-reason.ts'
import { tzdb } from '../../../src/domain/time/tzdb.ts'

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** The parts of a local date and time. */
type Wall = {
  /** `09:00` */
  time: string
  /** `09:00:12` */
  timeWithSeconds: string
  /** `2026-12-15` */
  date: string
  /** `Tue 15 Dec` */
  day: string
  year: number
  minuteOfDay: number
  offsetMinutes: number
}

export function wallAt(instant: number, offsetMinutes: number): Wall {
  const shifted = new Date(instant + offsetMinutes * 60_000)
  const iso = shifted.toISOString()
  return {
    time: iso.slice(11, 16),
    timeWithSeconds: iso.slice(11, 19),
    date: iso.slice(0, 10),
    day: `${DAYS[shifted.getUTCDay()]} ${shifted.getUTCDate()} ${MONTHS[shifted.getUTCMonth()]}`,
    year: shifted.getUTCFullYear(),
    minuteOfDay: shifted.getUTCHours() * 60 + shifted.getUTCMinutes(),
    offsetMinutes,
  }
}

/** Uses the time zone table of Terce: that of the browser can be years older. */
export function wallIn(instant: number, timezone: string): Wall {
  return wallAt(instant, offsetIn(timezone, instant))
}

export function offsetIn(timezone: string, instant: number): number {
  const name = tzdb.canonicalName(timezone)
  return name === null ? 0 : tzdb.zone(name).offsetMsAt(instant) / 60_000
}

/** The offset at the end of `2026-12-15T09:00:00-07:00`, in minutes. */
export function offsetOfLocal(local: string): number {
  const match = /([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(local)
  if (match === null) return 0
  const minutes = Number(match[2]) * 60 + Number(match[3]) + Number(match[4] ?? 0) / 60
  return match[1] === '-' ? -minutes : minutes
}

/** `UTC−7`, `UTC+5:45` */
export function offsetText(offsetMinutes: number): string {
  const whole = Math.round(Math.abs(offsetMinutes))
  const minutes = whole % 60 === 0 ? '' : `:${String(whole % 60).padStart(2, '0')}`
  return `UTC${offsetMinutes < 0 ? '−' : '+'}${Math.floor(whole / 60)}${minutes}`
}

/** `Buenos Aires` for `America/Argentina/Buenos_Aires`. */
export function cityOf(timezone: string): string {
  if (timezone === 'Etc/UTC' || timezone === 'UTC') return 'UTC'
  return (timezone.split('/').at(-1) ?? timezone).replaceAll('_', ' ')
}

/** `16:00Z`, with the date if it differs from `besideDate`. */
export function utcText(instant: number, besideDate?: string, withSeconds = false): string {
  const { time, timeWithSeconds, date, day } = wallAt(instant, 0)
  const clock = `${withSeconds ? timeWithSeconds : time}Z`
  return besideDate === undefined || besideDate === date ? clock : `${day} ${clock}`
}

/** In the time zone of the browser: `17:00 Tue 15 Dec 2026, Berlin`. */
export function readerTimeText(instant: number): string {
  const offset = -new Date(instant).getTimezoneOffset()
  const { time, day, year } = wallAt(instant, offset)
  return `${time} ${day} ${year}, ${cityOf(browserZone())}`
}

/** The time of day in the time zone of the browser: `17:00:12`. */
export function readerClockText(instant: number): string {
  return wallAt(instant, -new Date(instant).getTimezoneOffset()).timeWithSeconds
}

export function browserZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
}

const UNITS = [
  ['y', 365 * 86_400],
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const

/** `3 d 4 h`, `18 min`, `4 s`: the two largest units. */
export function durationText(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1_000)
  const first = UNITS.findIndex(([, size]) => seconds >= size)
  if (first === -1) return '0 s'
  const [unit, size] = UNITS[first]!
  const whole = Math.floor(seconds / size)
  const next = UNITS[first + 1]
  const rest = next === undefined ? 0 : Math.floor((seconds - whole * size) / next[1])
  return rest === 0 || next === undefined ? `${whole} ${unit}` : `${whole} ${unit} ${rest} ${next[0]}`
}

/** `412 ms`, `1.4 s`, `3 min 20 s`: with milliseconds below ten seconds. */
export function latencyText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 10_000) return `${(ms / 1_000).toFixed(1)} s`
  return durationText(ms)
}

/** `in 18 min`, `4 s ago` */
export function fromNow(instant: number, now: number): string {
  const ms = instant - now
  if (Math.abs(ms) < 1_000) return 'now'
  return ms > 0 ? `in ${durationText(ms)}` : `${durationText(ms)} ago`
}

export function count(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString('en')} ${n === 1 ? one : many}`
}

/** `Nairobi, Riyadh and Baghdad` */
export function listText(names: readonly string[], word: 'and' | 'or' = 'and'): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`
}

/** `WORK_ANNIVERSARY` for `Work anniversary`. */
export function typeCode(text: string): string {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase()
  return plain.replace(/[^A-Z0-9]+/g, '_').replace(/^_|_$/g, '')
}

/** `Work anniversary` for `WORK_ANNIVERSARY`. */
export function typeText(type: string): string {
  const words = type.replaceAll('_', ' ').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** `15 Dec 2026` for `2026-12-15T09:00:00-07:00`. */
export function dateText(local: string): string {
  const [year, month, day] = local.slice(0, 10).split('-')
  return `${Number(day)} ${MONTHS[Number(month) - 1]} ${year}`
}

/** ` (retry 1)` for the occurrence `2026~1`; empty for the original. */
export function retryText(occurrence: string): string {
  const number = occurrence.split('~')[1]
  return number === undefined ? '' : ` (retry ${number})`
}

/** Why an occasion has no next message. */
export function noNextText(reason: NextReason): string {
  switch (reason) {
    case 'PAUSED':
      return 'Paused: no message is scheduled.'
    case 'NO_DATE':
      return 'No message: the date of birth is missing, or its year.'
    case 'IN_FLIGHT':
      return 'A message is being sent; the next one is scheduled afterwards.'
    case 'SENT':
      return 'No more messages: that of its date was sent, or failed.'
    case 'SKIPPED':
      return 'No message: its date is on a weekend, on which it is not sent.'
    case 'PAST':
      return 'No message: its date, or the day of sending, has passed.'
    case 'ENDED':
      return 'No more messages: it has ended.'
    case 'NOT_PLANNED':
      return 'Error: a message is owed, and none is scheduled. Pause and resume the occasion.'
  }
}
