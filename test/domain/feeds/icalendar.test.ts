// The iCalendar text of a feed: valid RFC 5545.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type CalendarEntry,
  calendarEnd,
  calendarEvent,
  calendarHead,
} from '../../../src/domain/feeds/icalendar.ts'
import { parseCalendar } from '../../support/calendar-reader.ts'

const NOW = Date.parse('2026-11-15T04:00:00Z')
const ADA: CalendarEntry = {
  uid: 'o-2026@terce',
  at: Date.parse('2026-12-15T16:00:00Z'),
  summary: 'Ada Lovelace: BIRTHDAY',
  description: null,
}

describe('a written iCalendar', () => {
  it('is valid RFC 5545', () => {
    expect(calendarHead('Terce') + calendarEvent(ADA, NOW) + calendarEnd(false)).toBe(
      [
        'BEGIN:VCALENDAR',
        'VERSION:2.0',
        'PRODID:-//Terce//Terce//EN',
        'CALSCALE:GREGORIAN',
        'NAME:Terce',
        'X-WR-CALNAME:Terce',
        'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
        'X-PUBLISHED-TTL:PT1H',
        'BEGIN:VEVENT',
        'UID:o-2026@terce',
        'DTSTAMP:20261115T040000Z',
        'DTSTART:20261215T160000Z',
        'SUMMARY:Ada Lovelace: BIRTHDAY',
        'TRANSP:TRANSPARENT',
        'END:VEVENT',
        'END:VCALENDAR',
        '',
      ].join('\r\n'),
    )
  })

  it('has a component even if no event is planned', () => {
    const { components } = parseCalendar(calendarHead('Terce') + calendarEnd(true))
    expect(components).toMatchObject([{ name: 'VTIMEZONE', properties: { TZID: 'UTC' } }])
  })

  it('escapes special characters and line breaks', () => {
    const text = calendarEvent({ ...ADA, summary: 'a;b,c\\d\ne\r\nf\u0007g', description: 'x' }, NOW)
    expect(text).toContain('\r\nSUMMARY:a\\;b\\,c\\\\d\\ne\\nf g\r\nDESCRIPTION:x\r\n')
  })

  it('has no line over 75 octets and no split character, and reads back unchanged', () => {
    const letter = fc.constantFrom('a', ' ', ',', ';', '\\', '\n', 'é', '漢', '🎂', '👩‍👧')
    fc.assert(
      fc.property(fc.string({ unit: letter, maxLength: 200, size: 'max' }), (summary) => {
        const text = calendarHead('Terce') + calendarEvent({ ...ADA, summary }, NOW) + calendarEnd(false)
        for (const line of text.split('\r\n')) {
          expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
          expect(line).not.toMatch(/[\r\n]|\p{Cs}/u)
        }
        expect(parseCalendar(text).events[0]!.SUMMARY).toBe(summary)
      }),
    )
  })
})
