// Writes iCalendar files (RFC 5545): lines of at most 75 octets, instants in UTC.
import { formatInstant } from '../time/timestamp.ts'

export type CalendarEntry = {
  /** Stable: by its uid a calendar recognises an entry that moved. */
  uid: string
  at: number
  summary: string
  description: string | null
}

/** How often calendar programs should refresh the feed. */
const REFRESH = 'PT1H'

export function calendarHead(name: string): string {
  return lines([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Terce//Terce//EN',
    'CALSCALE:GREGORIAN',
    `NAME:${escaped(name)}`,
    `X-WR-CALNAME:${escaped(name)}`,
    `REFRESH-INTERVAL;VALUE=DURATION:${REFRESH}`,
    `X-PUBLISHED-TTL:${REFRESH}`,
  ])
}

export function calendarEvent({ uid, at, summary, description }: CalendarEntry, now: number): string {
  return lines([
    'BEGIN:VEVENT',
    `UID:${escaped(uid)}`,
    `DTSTAMP:${utc(now)}`,
    `DTSTART:${utc(at)}`,
    `SUMMARY:${escaped(summary)}`,
    ...(description === null ? [] : [`DESCRIPTION:${escaped(description)}`]),
    // A message does not block time in the calendar.
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ])
}

/** A calendar must have at least one component: an empty one gets a VTIMEZONE for UTC. */
export function calendarEnd(isEmpty: boolean): string {
  return isEmpty ? lines([...UTC_TIMEZONE, 'END:VCALENDAR']) : lines(['END:VCALENDAR'])
}

const UTC_TIMEZONE = [
  'BEGIN:VTIMEZONE',
  'TZID:UTC',
  'BEGIN:STANDARD',
  'DTSTART:19700101T000000',
  'TZOFFSETFROM:+0000',
  'TZOFFSETTO:+0000',
  'END:STANDARD',
  'END:VTIMEZONE',
]

/** `20261215T160000Z` */
function utc(instant: number): string {
  return formatInstant(instant).replaceAll(/[-:]|\.\d+/g, '')
}

/** Escapes special characters, and replaces control characters with spaces. */
function escaped(text: string): string {
  return text
    .replaceAll(/[\\;,]/g, '\\$&')
    .replaceAll(/\r\n?|\n/g, '\\n')
    .replaceAll(/\p{Cc}/gu, ' ')
}

function lines(unfolded: readonly string[]): string {
  return unfolded.map((line) => `${folded(line)}\r\n`).join('')
}

const MAX_OCTETS = 75

/** A continuation line begins with a space, which counts as an octet. No character is split. */
function folded(line: string): string {
  if (line.length * 3 <= MAX_OCTETS) return line
  let [text, octets] = ['', 0]
  for (const character of line) {
    const size = octetsOf(character.codePointAt(0)!)
    if (octets + size > MAX_OCTETS) {
      text += '\r\n '
      octets = 1
    }
    text += character
    octets += size
  }
  return text
}

/** In UTF-8. */
function octetsOf(code: number): number {
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
}
