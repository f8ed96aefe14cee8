// The instants in docs/local-time.md: each is the instant that the code computes.
import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { nextOccurrence, occurrenceInYear } from '../../../src/domain/occasions/next-occurrence.ts'
import { parseTimezone } from '../../../src/domain/time/timezone.ts'
import { tzdb } from '../../../src/domain/time/tzdb.ts'
import { readPage } from '../support/page.ts'
import { rowsOf } from '../support/tables.ts'

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
)
const { text, blocks } = readPage('local-time.md')

/** `17 May` as `2000-05-17`. */
function dateOf(words: string): string {
  const [day, month] = words.split(' ')
  return `2000-${String(MONTHS.indexOf(month!) + 1).padStart(2, '0')}-${day!.padStart(2, '0')}`
}

/** `UTC+5:45` as 345 minutes. */
function minutesOf(offset: string): number {
  const [, sign, hours, minutes = '0'] = /^UTC([+-])(\d+)(?::(\d+))?$/.exec(offset)!
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

const utc = (instant: number) => new Date(instant).toISOString().slice(0, 16).replace('T', ' ')

describe('docs/local-time.md', () => {
  const occurrences = rowsOf('docs/local-time.md', 'date, place')

  it.each(occurrences)('%s: next at %s, which is %s UTC', (rule, next, instant) => {
    const [date, timezone] = rule!.split(', ')
    const found = nextOccurrence(
      { date: dateOf(date!), timezone: timezone! },
      Date.parse('2026-11-15T00:00:00Z'),
    )
    const [, day, offset] = /^(\S+) 09:00, (\S+)$/.exec(next!)!
    expect([found.occursOn, found.offsetMinutes, utc(found.instant)]).toEqual([
      day,
      minutesOf(offset!),
      instant,
    ])
  })

  const laws = rowsOf('docs/local-time.md', 'place', '2026 law', '09:00 on 15 December 2026')

  it.each(laws)('%s: %s, so 09:00 on 15 December 2026 is %s', (timezone, _law, instant) => {
    const { instant: found } = nextOccurrence(
      { date: '2000-12-15', timezone: timezone! },
      Date.parse('2026-12-01T00:00:00Z'),
    )
    expect(`${utc(found)} UTC`).toBe(`2026-12-15 ${instant}`)
  })

  it('shows a use of terce/core that prints what it says, from the package as it is installed', () => {
    const [example] = blocks('js')
    const cwd = new URL('../../../', import.meta.url)
    const args = ['--input-type=module', '-e', example!]
    const printed = execFileSync(process.execPath, args, { cwd, encoding: 'utf8' })
    expect(printed.trim()).toBe(/\/\/ (\S+)\n/.exec(example!)![1])
  })

  it('names the release of the table', () => {
    expect(text).toContain(`with its release (\`${tzdb.version}\`)`)
  })

  it.each([
    [
      'CLOCK_GAP',
      'New York, 14 March 2027, 02:30',
      'America/New_York',
      '2027-03-14',
      '02:30',
      '2027-03-14 07:30',
    ],
    [
      'CLOCK_OVERLAP',
      'New York, 7 November 2027, 01:30',
      'America/New_York',
      '2027-11-07',
      '01:30',
      '2027-11-07 05:30',
    ],
    [
      'DATE_SKIPPED',
      'Samoa had no 30 December 2011',
      'Pacific/Apia',
      '2011-12-30',
      '09:00',
      '2011-12-30 19:00',
    ],
    ['LEAP_DAY_MOVED', 'Berlin, 2027: 1 March', 'Europe/Berlin', '2027-02-29', '09:00', '2027-03-01 08:00'],
  ])('has an example of %s: %s', (note, example, timezone, date, localTime, instant) => {
    expect(text).toContain(example)
    expect(text).toContain(`${instant.slice(-5)} UTC`)
    const rule = { date: date.replace(/^\d+/, '2000'), timezone, localTime }
    const found = occurrenceInYear(rule, Number(date.slice(0, 4)))
    expect([found.note, utc(found.instant)]).toEqual([note, instant])
  })

  it.each(['PST', '+07:00', 'local'])('says that %s is rejected, and it is', (name) => {
    expect(text).toContain(`\`${name}\``)
    expect(parseTimezone(name)).toBeNull()
  })
})
