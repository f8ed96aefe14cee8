// The days of a recurrence rule, by the examples of RFC 5545, and the messages for invalid rules.
import { describe, expect, it } from 'vitest'
import { daysOf, parseRule } from '../../../../src/domain/occasions/rules/rrule.ts'
import type { RecurrenceRule } from '../../../../src/domain/occasions/rules/rrule-rule.ts'
import { type CivilDate, formatCivilDate, parseCivilDate } from '../../../../src/domain/time/calendar.ts'

const date = (text: string): CivilDate => parseCivilDate(text)!

function ruleOf(text: string): RecurrenceRule {
  const parsed = parseRule(text)
  if (!parsed.ok) throw new Error(parsed.message)
  return parsed.rule
}

function days(text: string, start: string, how: { from?: string; take?: number } = {}): string[] {
  const found: string[] = []
  for (const day of daysOf(ruleOf(text), date(start), date(how.from ?? start))) {
    if (found.push(formatCivilDate(day)) === how.take) break
  }
  return found
}

const spelled = (text: string) => {
  const parsed = parseRule(text)
  return parsed.ok ? parsed.text : `rejected: ${parsed.message}`
}
const rejection = (text: string) => {
  const parsed = parseRule(text)
  return parsed.ok ? `taken: ${parsed.text}` : parsed.message
}

describe('the days of an example rule of RFC 5545', () => {
  // Start, rule, and the days that section 3.8.5.3 lists for it: one for each part of the grammar.
  it.each([
    [
      '1997-09-02',
      'FREQ=DAILY;INTERVAL=10;COUNT=5',
      '1997-09-02 1997-09-12 1997-09-22 1997-10-02 1997-10-12',
    ],
    ['1997-12-22', 'FREQ=DAILY;UNTIL=19971224', '1997-12-22 1997-12-23 1997-12-24'],
    ['1998-01-30', 'FREQ=DAILY;BYMONTH=1', '1998-01-30 1998-01-31 1999-01-01 1999-01-02'],
    [
      '1997-08-05',
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=MO',
      '1997-08-05 1997-08-10 1997-08-19 1997-08-24',
    ],
    [
      '1997-08-05',
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU',
      '1997-08-05 1997-08-17 1997-08-19 1997-08-31',
    ],
    ['1997-09-07', 'FREQ=MONTHLY;INTERVAL=2;BYDAY=1SU,-1SU', '1997-09-07 1997-09-28 1997-11-02 1997-11-30'],
    ['1997-09-30', 'FREQ=MONTHLY;BYMONTHDAY=1,-1', '1997-09-30 1997-10-01 1997-10-31 1997-11-01 1997-11-30'],
    ['2007-01-15', 'FREQ=MONTHLY;BYMONTHDAY=15,30', '2007-01-15 2007-01-30 2007-02-15 2007-03-15 2007-03-30'],
    ['1997-09-02', 'FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13', '1998-02-13 1998-03-13 1998-11-13 1999-08-13'],
    ['1997-05-19', 'FREQ=YEARLY;BYDAY=20MO', '1997-05-19 1998-05-18 1999-05-17'],
    ['1997-03-13', 'FREQ=YEARLY;BYMONTH=3;BYDAY=TH', '1997-03-13 1997-03-20 1997-03-27 1998-03-05'],
  ])('starting %s: %s', (start, rule, expected) => {
    const listed = expected.split(' ')
    expect(days(rule, start, { take: listed.length })).toEqual(listed)
  })

  it('end with COUNT or UNTIL', () => {
    expect(days('FREQ=YEARLY;COUNT=10;BYMONTH=6,7', '1997-06-10').at(-1)).toBe('2001-07-10')
    expect(days('FREQ=WEEKLY;INTERVAL=2;UNTIL=19971223;BYDAY=MO,WE,FR', '1997-09-01')).toHaveLength(25)
  })
})

it.each([
  ['day of the month', 'FREQ=MONTHLY', '2026-01-31', '2026-01-31 2026-03-31 2026-05-31'],
  ['day of the year', 'FREQ=YEARLY', '2096-02-29', '2096-02-29 2104-02-29 2108-02-29'],
  ['month', 'FREQ=YEARLY;BYMONTHDAY=15', '2026-01-31', '2026-02-15 2026-03-15'],
])('a recurrence rule without a %s: %s from %s falls on %s', (_, rule, start, expected) => {
  const listed = expected.split(' ')
  expect(days(rule, start, { take: listed.length })).toEqual(listed)
})

describe('the start of a recurrence rule', () => {
  it('is an occurrence only if the rule matches it', () => {
    expect(days('FREQ=WEEKLY;BYDAY=MO;COUNT=2', '2026-11-18')).toEqual(['2026-11-23', '2026-11-30'])
    expect(days('FREQ=WEEKLY;BYDAY=MO;COUNT=2', '2026-11-23')).toEqual(['2026-11-23', '2026-11-30'])
  })

  it('precedes every occurrence, also if the search begins earlier', () => {
    expect(days('FREQ=DAILY', '2026-11-18', { from: '1990-01-01', take: 1 })).toEqual(['2026-11-18'])
  })

  it('can leave a rule without any occurrence', () => {
    expect(days('FREQ=DAILY;UNTIL=20261117', '2026-11-18')).toEqual([])
    // Odd years are never leap years, and every seventh day from a Tuesday on is no Monday.
    expect(days('FREQ=YEARLY;INTERVAL=2;BYMONTH=2;BYMONTHDAY=29', '2027-01-01')).toEqual([])
    expect(days('FREQ=DAILY;INTERVAL=7;BYDAY=MO', '2026-11-17')).toEqual([])
  })
})

describe('the days of a recurrence rule from a later day on', () => {
  it('begin with that day, or with the first occurrence after it', () => {
    expect(days('FREQ=WEEKLY;INTERVAL=2', '2000-01-03', { from: '2026-11-16', take: 2 })).toEqual([
      '2026-11-16',
      '2026-11-30',
    ])
    expect(days('FREQ=WEEKLY;INTERVAL=2', '2000-01-03', { from: '2026-11-17', take: 1 })).toEqual([
      '2026-11-30',
    ])
  })

  it('respect the part of COUNT that is used up', () => {
    expect(days('FREQ=DAILY;COUNT=27759', '1950-11-18', { from: '2026-11-15' })).toEqual([
      '2026-11-15',
      '2026-11-16',
      '2026-11-17',
    ])
    expect(days('FREQ=WEEKLY;BYDAY=MO,WE,FR;COUNT=5', '2026-11-18', { from: '2026-11-24' })).toEqual([
      '2026-11-25',
      '2026-11-27',
    ])
    expect(days('FREQ=WEEKLY;BYDAY=MO,WE,FR;COUNT=5', '2026-11-18', { from: '2026-12-24' })).toEqual([])
  })

  it('end after the year 9990', () => {
    expect(days('FREQ=YEARLY', '2000-05-01', { from: '9989-01-01' })).toEqual(['9989-05-01', '9990-05-01'])
    expect(days('FREQ=DAILY', '2000-05-01', { from: '9991-01-01' })).toEqual([])
  })

  it.each([
    'FREQ=DAILY',
    'FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR;COUNT=99999',
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;COUNT=9999',
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO',
    'FREQ=MONTHLY;BYDAY=-1FR',
  ])('are found without a walk through all days since 1950: %s', (text) => {
    const { rule, reads } = countingReads(ruleOf(text))
    daysOf(rule, date('1950-03-15'), date('2026-11-20')).next()
    // The lists of the rule are read several times for each day that is looked at; 28,000 days have passed since 1950.
    expect(reads()).toBeGreaterThan(0)
    expect(reads()).toBeLessThan(8_000)
  })

  it('of a rule with COUNT are counted from the start once, not for each later search', () => {
    const text = 'FREQ=DAILY;INTERVAL=2;BYDAY=MO;COUNT=2003'
    const { rule, reads } = countingReads(ruleOf(text))
    daysOf(rule, date('1950-03-15'), date('2026-11-20')).next()
    const first = reads()
    const later = [...daysOf(rule, date('1950-03-15'), date('2026-12-20'))].map(formatCivilDate)
    expect(later).toEqual(days(text, '1950-03-15', { from: '2026-12-20' }))
    expect(later.length).toBeGreaterThan(0)
    expect(reads() - first).toBeLessThan(first / 20)
  })
})

/** The rule with lists that count how often they are read. */
function countingReads(rule: RecurrenceRule): { rule: RecurrenceRule; reads: () => number } {
  let count = 0
  const counting = <T extends object>(list: T): T =>
    new Proxy(list, {
      get(target, name, receiver) {
        count += 1
        return Reflect.get(target, name, receiver)
      },
    })
  const { months, monthDays, weekdays } = rule
  const lists = {
    months: counting(months),
    monthDays: counting(monthDays),
    weekdays: counting(weekdays),
  }
  return { rule: { ...rule, ...lists }, reads: () => count }
}

describe('the canonical text of a recurrence rule', () => {
  it('is equal for every way to write the rule', () => {
    const spelling = 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE'
    expect(spelled('FREQ=WEEKLY;BYDAY=MO,WE;INTERVAL=2')).toBe(spelling)
    expect(spelled(' RRULE:interval=02;byday=we,mo,we;freq=weekly;wkst=mo ')).toBe(spelling)
  })

  it('omits parts that have no effect', () => {
    expect(spelled('FREQ=DAILY;INTERVAL=1')).toBe('FREQ=DAILY')
    expect(spelled('FREQ=WEEKLY;WKST=SU')).toBe('FREQ=WEEKLY')
    expect(spelled('FREQ=MONTHLY;INTERVAL=2;WKST=SU')).toBe('FREQ=MONTHLY;INTERVAL=2')
    expect(spelled('FREQ=WEEKLY;INTERVAL=2;WKST=SU')).toBe('FREQ=WEEKLY;INTERVAL=2;WKST=SU')
  })

  it('has sorted lists and no sign before a positive number', () => {
    expect(spelled('FREQ=YEARLY;BYMONTH=12,03,3;BYMONTHDAY=+31,-1,1;UNTIL=20271231')).toBe(
      'FREQ=YEARLY;BYMONTH=3,12;BYMONTHDAY=-1,1,31;UNTIL=20271231',
    )
    expect(spelled('FREQ=MONTHLY;BYDAY=FR,+2TU,-1MO,2MO;COUNT=3')).toBe(
      'FREQ=MONTHLY;BYDAY=-1MO,FR,2MO,2TU;COUNT=3',
    )
  })

  it('is parsed into an equal rule', () => {
    for (const text of ['FREQ=MONTHLY;BYDAY=-1FR;COUNT=3', 'FREQ=YEARLY;BYDAY=-53SU,1MO;UNTIL=00010101']) {
      expect(spelled(text)).toBe(text)
    }
  })
})

describe('an invalid recurrence rule', () => {
  it.each([
    ['FREQ=HOURLY', 'FREQ=HOURLY is not supported. Use FREQ=DAILY, WEEKLY, MONTHLY or YEARLY.'],
    [
      'FREQ=MONTHLY;BYDAY=FR;BYSETPOS=-1',
      'BYSETPOS is not supported. Pick one day of a month with BYDAY=-1FR or BYMONTHDAY=-1.',
    ],
    ['FREQ=DAILY;BYHOUR=9', 'BYHOUR is not supported. Give the time of day as localTime.'],
    ['FREQ=YEARLY;BYWEEKNO=20', 'BYWEEKNO is not supported. Use BYMONTH with BYDAY or BYMONTHDAY.'],
    ['FREQ=YEARLY;BYYEARDAY=100', 'BYYEARDAY is not supported. Use BYMONTH with BYMONTHDAY.'],
    ['FREQ=DAILY;EXDATE:20270101', 'EXDATE is not supported. Single days cannot be left out.'],
    ['DTSTART=20270101;FREQ=DAILY', 'DTSTART is not supported. Give the start as date.'],
    [
      'FREQ=DAILY;X-MOON=FULL',
      'X-MOON is not supported. Use FREQ, INTERVAL, BYMONTH, BYMONTHDAY, BYDAY, WKST, COUNT and UNTIL.',
    ],
    ['FREQ=DAILY;INTERVAL=0', 'INTERVAL=0 is out of range. Use a whole number from 1 to 9999.'],
    ['FREQ=DAILY;COUNT=0', 'COUNT=0 is out of range. Use a whole number from 1 to 99999.'],
    ['FREQ=YEARLY;BYMONTH=13', '"13" in BYMONTH is out of range. Use 1 to 12.'],
    ['FREQ=YEARLY;BYMONTH=-1', '"-1" in BYMONTH is out of range. Use 1 to 12.'],
    [
      'FREQ=MONTHLY;BYDAY=6MO',
      '"6MO" in BYDAY is out of range. Use 1MO to 5MO, or -1MO to -5MO from the end.',
    ],
    [
      'FREQ=YEARLY;BYMONTH=3;BYDAY=-6MO',
      '"-6MO" in BYDAY is out of range. Use 1MO to 5MO, or -1MO to -5MO from the end.',
    ],
    [
      'FREQ=YEARLY;BYDAY=54MO',
      '"54MO" in BYDAY is out of range. Use 1MO to 53MO, or -1MO to -53MO from the end.',
    ],
    ['FREQ=YEARLY;BYDAY=0MO', /^"0MO" in BYDAY is out of range/],
    [
      'FREQ=DAILY;BYDAY=2MO',
      '"2MO" in BYDAY needs a month or a year. Use FREQ=MONTHLY or YEARLY, or MO alone.',
    ],
    [
      'FREQ=WEEKLY;BYDAY=2MO',
      '"2MO" in BYDAY needs a month or a year. Use FREQ=MONTHLY or YEARLY, or MO alone.',
    ],
    [
      'FREQ=WEEKLY;BYMONTHDAY=1',
      'BYMONTHDAY cannot be used with FREQ=WEEKLY. Use FREQ=MONTHLY, or BYDAY instead.',
    ],
    ['FREQ=DAILY;COUNT=3;UNTIL=20271231', 'COUNT and UNTIL cannot be used together. Give one of them.'],
    ['FREQ=DAILY;BYDAY=MO;BYDAY=TU', 'BYDAY is given twice. Give it once.'],
    ['BYDAY=MO', 'FREQ is missing. Use FREQ=DAILY, WEEKLY, MONTHLY or YEARLY.'],
    [
      'FREQ=DAILY;UNTIL=20271231T235959Z',
      'UNTIL=20271231T235959Z has a time of day. Give a date: UNTIL=20271231.',
    ],
    ['FREQ=WEEKLY;INTERVAL=2;WKST=1', /^WKST=1 is not a weekday/],
  ])('is rejected with the reason and a remedy: %s', (text, message) => {
    expect(rejection(text)).toEqual(typeof message === 'string' ? message : expect.stringMatching(message))
  })

  const NOT_A_RULE = / is not a (part of a rule|recurrence rule)\. .* such as FREQ=WEEKLY;BYDAY=MO,WE\.$/
  it.each([
    ['FREQ=DAILY;INTERVAL=', ['-1', '+1', '1.5', '10000', 'TWO', '1E3', '0X10'], /INTERVAL|is no rule/],
    [
      'FREQ=MONTHLY;BYMONTHDAY=',
      ['0', '32', '-32', '5,', '1-3'],
      / in BYMONTHDAY is out of range. Use 1 to 31, or -1 to -31 from the end\.$/,
    ],
    [
      'FREQ=DAILY;UNTIL=',
      ['20270229', '2027-12-31', '00000101', '271231', 'TOMORROW'],
      /^UNTIL=(.+) is not a date\. Give a date, such as UNTIL=20271231\.$/,
    ],
    [
      'FREQ=MONTHLY;BYDAY=',
      ['MON', 'XX', '1', 'MO-FR', 'MO,', '+MO'],
      / in BYDAY is not a weekday. Use MO, TU, WE, TH, FR, SA or SU\.$/,
    ],
    [
      'FREQ=',
      [
        'YEARLY;BYMONTH=2;BYMONTHDAY=30',
        'MONTHLY;BYMONTH=4,6,9,11;BYMONTHDAY=31',
        'DAILY;BYMONTH=2;BYMONTHDAY=-30',
        'MONTHLY;BYMONTHDAY=1;BYDAY=2MO',
        'YEARLY;BYMONTHDAY=1;BYDAY=53MO',
      ],
      / has no occurrence: no year has such a day\. Change /,
    ],
    ['', ['', 'FREQ', 'FREQ=', '=DAILY', 'WEEKLY', 'FREQ:DAILY', 'every day'], NOT_A_RULE],
    ['FREQ=DAILY', [';', '\nCOUNT=3'], NOT_A_RULE],
    // A long s (ſ) is not an s, though its upper case is S.
    ['FREQ=WEEKLY;BYDAY=', ['ſU'], NOT_A_RULE],
  ])('is rejected for each of several endings: %s%j', (beginning, endings, message) => {
    for (const ending of endings) expect(rejection(beginning + ending), ending).toMatch(message)
  })

  it('is cut in the message if it is long', () => {
    expect(rejection('X'.repeat(10_000)).length).toBeLessThan(200)
  })
})
