// The days of a recurrence rule, by the examples of RFC 5545, and the messages for invalid rules.
import { describe, expect, it } from 'vitest'
import { daysOf, parseRule } from '../../../src/domain/occasions/rrule.ts'
import type { RecurrenceRule } from '../../../src/domain/occasions/rrule-rule.ts'
import { type CivilDate, formatCivilDate, parseCivilDate } from '../../../src/domain/time/calendar.ts'

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
  // Start, rule, and the days that section 3.8.5.3 lists for it.
  const EXAMPLES: [start: string, rule: string, days: string][] = [
    ['1997-09-02', 'FREQ=DAILY;COUNT=4', '1997-09-02 1997-09-03 1997-09-04 1997-09-05'],
    ['1997-12-22', 'FREQ=DAILY;UNTIL=19971224', '1997-12-22 1997-12-23 1997-12-24'],
    ['1997-09-02', 'FREQ=DAILY;INTERVAL=2', '1997-09-02 1997-09-04 1997-09-06 1997-09-08'],
    [
      '1997-09-02',
      'FREQ=DAILY;INTERVAL=10;COUNT=5',
      '1997-09-02 1997-09-12 1997-09-22 1997-10-02 1997-10-12',
    ],
    ['1998-01-30', 'FREQ=DAILY;BYMONTH=1', '1998-01-30 1998-01-31 1999-01-01 1999-01-02'],
    ['1997-09-02', 'FREQ=WEEKLY;COUNT=3', '1997-09-02 1997-09-09 1997-09-16'],
    ['1997-09-02', 'FREQ=WEEKLY;INTERVAL=2;WKST=SU', '1997-09-02 1997-09-16 1997-09-30 1997-10-14'],
    [
      '1997-09-02',
      'FREQ=WEEKLY;COUNT=5;WKST=SU;BYDAY=TU,TH',
      '1997-09-02 1997-09-04 1997-09-09 1997-09-11 1997-09-16',
    ],
    [
      '1997-09-01',
      'FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224;WKST=SU;BYDAY=MO,WE,FR',
      '1997-09-01 1997-09-03 1997-09-05 1997-09-15 1997-09-17 1997-09-19 1997-09-29',
    ],
    ['1997-09-05', 'FREQ=MONTHLY;COUNT=4;BYDAY=1FR', '1997-09-05 1997-10-03 1997-11-07 1997-12-05'],
    [
      '1997-09-07',
      'FREQ=MONTHLY;INTERVAL=2;COUNT=6;BYDAY=1SU,-1SU',
      '1997-09-07 1997-09-28 1997-11-02 1997-11-30 1998-01-04 1998-01-25',
    ],
    ['1997-09-22', 'FREQ=MONTHLY;COUNT=4;BYDAY=-2MO', '1997-09-22 1997-10-20 1997-11-17 1997-12-22'],
    [
      '1997-09-28',
      'FREQ=MONTHLY;BYMONTHDAY=-3',
      '1997-09-28 1997-10-29 1997-11-28 1997-12-29 1998-01-29 1998-02-26',
    ],
    ['1997-09-02', 'FREQ=MONTHLY;COUNT=4;BYMONTHDAY=2,15', '1997-09-02 1997-09-15 1997-10-02 1997-10-15'],
    [
      '1997-09-30',
      'FREQ=MONTHLY;COUNT=5;BYMONTHDAY=1,-1',
      '1997-09-30 1997-10-01 1997-10-31 1997-11-01 1997-11-30',
    ],
    [
      '1997-09-10',
      'FREQ=MONTHLY;INTERVAL=18;COUNT=8;BYMONTHDAY=10,11,12,13',
      '1997-09-10 1997-09-11 1997-09-12 1997-09-13 1999-03-10 1999-03-11',
    ],
    [
      '1997-09-02',
      'FREQ=MONTHLY;INTERVAL=2;BYDAY=TU',
      '1997-09-02 1997-09-09 1997-09-16 1997-09-23 1997-09-30 1997-11-04',
    ],
    ['1997-06-10', 'FREQ=YEARLY;COUNT=4;BYMONTH=6,7', '1997-06-10 1997-07-10 1998-06-10 1998-07-10'],
    [
      '1997-03-10',
      'FREQ=YEARLY;INTERVAL=2;COUNT=4;BYMONTH=1,2,3',
      '1997-03-10 1999-01-10 1999-02-10 1999-03-10',
    ],
    ['1997-05-19', 'FREQ=YEARLY;BYDAY=20MO', '1997-05-19 1998-05-18 1999-05-17'],
    ['1997-03-13', 'FREQ=YEARLY;BYMONTH=3;BYDAY=TH', '1997-03-13 1997-03-20 1997-03-27 1998-03-05'],
    ['1998-08-27', 'FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8', '1998-08-27 1999-06-03 1999-06-10'],
    [
      '1997-09-02',
      'FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13',
      '1998-02-13 1998-03-13 1998-11-13 1999-08-13 2000-10-13',
    ],
    [
      '1997-09-13',
      'FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13',
      '1997-09-13 1997-10-11 1997-11-08 1997-12-13',
    ],
    [
      '1996-11-05',
      'FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8',
      '1996-11-05 2000-11-07 2004-11-02',
    ],
    [
      '1997-08-05',
      'FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO',
      '1997-08-05 1997-08-10 1997-08-19 1997-08-24',
    ],
    [
      '1997-08-05',
      'FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU',
      '1997-08-05 1997-08-17 1997-08-19 1997-08-31',
    ],
    [
      '2007-01-15',
      'FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5',
      '2007-01-15 2007-01-30 2007-02-15 2007-03-15 2007-03-30',
    ],
  ]

  it.each(EXAMPLES)('starting %s: %s', (start, rule, expected) => {
    const listed = expected.split(' ')
    expect(days(rule, start, { take: listed.length })).toEqual(listed)
  })

  it('end with COUNT or UNTIL', () => {
    expect(days('FREQ=DAILY;COUNT=10', '1997-09-02').at(-1)).toBe('1997-09-11')
    expect(days('FREQ=DAILY;UNTIL=19971224', '1997-09-02')).toHaveLength(114)
    expect(days('FREQ=YEARLY;COUNT=10;BYMONTH=6,7', '1997-06-10').at(-1)).toBe('2001-07-10')
    expect(days('FREQ=WEEKLY;INTERVAL=2;UNTIL=19971223;BYDAY=MO,WE,FR', '1997-09-01')).toHaveLength(25)
    expect(days('FREQ=DAILY;UNTIL=20000131;BYMONTH=1', '1998-01-01')).toHaveLength(93)
  })
})

describe('a recurrence rule with omitted parts', () => {
  it('uses the day of the month of its start, and skips months without that day', () => {
    expect(days('FREQ=MONTHLY', '2026-01-31', { take: 4 })).toEqual([
      '2026-01-31',
      '2026-03-31',
      '2026-05-31',
      '2026-07-31',
    ])
  })

  it('falls on 29 February in leap years only', () => {
    expect(days('FREQ=YEARLY', '2096-02-29', { take: 3 })).toEqual(['2096-02-29', '2104-02-29', '2108-02-29'])
  })

  it('falls in every month if it has BYMONTHDAY but no BYMONTH', () => {
    expect(days('FREQ=YEARLY;BYMONTHDAY=15', '2026-01-31', { take: 2 })).toEqual(['2026-02-15', '2026-03-15'])
  })
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
    'FREQ=DAILY;COUNT=99999',
    'FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR;COUNT=99999',
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;COUNT=9999',
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO',
    'FREQ=MONTHLY;BYDAY=-1FR',
    'FREQ=YEARLY;BYMONTH=11;BYDAY=4TH',
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

describe('a recurrence rule with rare occurrences', () => {
  it('is valid', () => {
    expect(days('FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO', '2026-01-01', { take: 2 })).toEqual([
      '2044-02-29',
      '2072-02-29',
    ])
    expect(days('FREQ=YEARLY;BYMONTH=2;BYDAY=5SU', '2026-01-01', { take: 1 })).toEqual(['2032-02-29'])
  })
})

describe('an invalid recurrence rule', () => {
  it('is rejected with the name of an unsupported part and a remedy', () => {
    expect(rejection('FREQ=HOURLY')).toBe(
      'FREQ=HOURLY is not supported. Use FREQ=DAILY, WEEKLY, MONTHLY or YEARLY.',
    )
    expect(rejection('FREQ=SECONDLY')).toMatch(/^FREQ=SECONDLY is not supported/)
    expect(rejection('FREQ=MONTHLY;BYDAY=FR;BYSETPOS=-1')).toBe(
      'BYSETPOS is not supported. Pick one day of a month with BYDAY=-1FR or BYMONTHDAY=-1.',
    )
    expect(rejection('FREQ=DAILY;BYHOUR=9')).toBe(
      'BYHOUR is not supported. Give the time of day as localTime.',
    )
    expect(rejection('FREQ=YEARLY;BYWEEKNO=20')).toBe(
      'BYWEEKNO is not supported. Use BYMONTH with BYDAY or BYMONTHDAY.',
    )
    expect(rejection('FREQ=YEARLY;BYYEARDAY=100')).toMatch(/^BYYEARDAY is not supported\./)
    expect(rejection('FREQ=DAILY;EXDATE:20270101')).toBe(
      'EXDATE is not supported. Single days cannot be left out.',
    )
    expect(rejection('DTSTART=20270101;FREQ=DAILY')).toBe('DTSTART is not supported. Give the start as date.')
    expect(rejection('FREQ=DAILY;X-MOON=FULL')).toBe(
      'X-MOON is not supported. Use FREQ, INTERVAL, BYMONTH, BYMONTHDAY, BYDAY, WKST, COUNT and UNTIL.',
    )
  })

  it('is rejected if its numbers are out of range', () => {
    expect(rejection('FREQ=DAILY;INTERVAL=0')).toBe(
      'INTERVAL=0 is out of range. Use a whole number from 1 to 9999.',
    )
    for (const value of ['-1', '+1', '1.5', '10000', 'TWO', '1E3', '0X10']) {
      expect(rejection(`FREQ=DAILY;INTERVAL=${value}`)).toMatch(/INTERVAL|is no rule/)
    }
    expect(rejection('FREQ=DAILY;COUNT=0')).toBe(
      'COUNT=0 is out of range. Use a whole number from 1 to 99999.',
    )
    expect(rejection('FREQ=YEARLY;BYMONTH=13')).toBe('"13" in BYMONTH is out of range. Use 1 to 12.')
    expect(rejection('FREQ=YEARLY;BYMONTH=-1')).toBe('"-1" in BYMONTH is out of range. Use 1 to 12.')
    for (const value of ['0', '32', '-32', '5,', '1-3']) {
      expect(rejection(`FREQ=MONTHLY;BYMONTHDAY=${value}`)).toMatch(
        / in BYMONTHDAY is out of range. Use 1 to 31, or -1 to -31 from the end\.$/,
      )
    }
    expect(rejection('FREQ=MONTHLY;BYDAY=6MO')).toBe(
      '"6MO" in BYDAY is out of range. Use 1MO to 5MO, or -1MO to -5MO from the end.',
    )
    expect(rejection('FREQ=YEARLY;BYMONTH=3;BYDAY=-6MO')).toMatch(/^"-6MO" in BYDAY is out of range/)
    expect(rejection('FREQ=YEARLY;BYDAY=54MO')).toMatch(/Use 1MO to 53MO/)
    expect(rejection('FREQ=YEARLY;BYDAY=0MO')).toMatch(/^"0MO" in BYDAY is out of range/)
  })

  it('is rejected if its parts cannot be used together', () => {
    for (const frequency of ['DAILY', 'WEEKLY']) {
      expect(rejection(`FREQ=${frequency};BYDAY=2MO`)).toBe(
        '"2MO" in BYDAY needs a month or a year. Use FREQ=MONTHLY or YEARLY, or MO alone.',
      )
    }
    expect(rejection('FREQ=WEEKLY;BYMONTHDAY=1')).toBe(
      'BYMONTHDAY cannot be used with FREQ=WEEKLY. Use FREQ=MONTHLY, or BYDAY instead.',
    )
    expect(rejection('FREQ=DAILY;COUNT=3;UNTIL=20271231')).toBe(
      'COUNT and UNTIL cannot be used together. Give one of them.',
    )
    expect(rejection('FREQ=DAILY;BYDAY=MO;BYDAY=TU')).toBe('BYDAY is given twice. Give it once.')
    expect(rejection('BYDAY=MO')).toBe('FREQ is missing. Use FREQ=DAILY, WEEKLY, MONTHLY or YEARLY.')
  })

  it('is rejected if UNTIL is not a date', () => {
    expect(rejection('FREQ=DAILY;UNTIL=20271231T235959Z')).toBe(
      'UNTIL=20271231T235959Z has a time of day. Give a date: UNTIL=20271231.',
    )
    for (const value of ['20270229', '2027-12-31', '00000101', '271231', 'TOMORROW']) {
      expect(rejection(`FREQ=DAILY;UNTIL=${value}`)).toBe(
        `UNTIL=${value} is not a date. Give a date, such as UNTIL=20271231.`,
      )
    }
  })

  it('is rejected if a weekday is unknown', () => {
    for (const value of ['MON', 'XX', '1', 'MO-FR', 'MO,', '+MO']) {
      expect(rejection(`FREQ=MONTHLY;BYDAY=${value}`)).toMatch(
        / in BYDAY is not a weekday. Use MO, TU, WE, TH, FR, SA or SU\.$/,
      )
    }
    expect(rejection('FREQ=WEEKLY;INTERVAL=2;WKST=1')).toMatch(/^WKST=1 is not a weekday/)
  })

  it('is rejected if it has no occurrence', () => {
    for (const text of [
      'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
      'FREQ=MONTHLY;BYMONTH=4,6,9,11;BYMONTHDAY=31',
      'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=-30',
      'FREQ=MONTHLY;BYMONTHDAY=1;BYDAY=2MO',
      'FREQ=YEARLY;BYMONTHDAY=1;BYDAY=53MO',
    ]) {
      expect(rejection(text)).toMatch(/ has no occurrence: no year has such a day\. Change /)
    }
  })

  it('is rejected if it is not a rule', () => {
    for (const text of [
      '',
      'FREQ',
      'FREQ=',
      '=DAILY',
      'FREQ=DAILY;',
      'WEEKLY',
      'FREQ:DAILY',
      'every day',
      'FREQ=DAILY\nCOUNT=3',
    ]) {
      expect(rejection(text)).toMatch(
        / is not a (part of a rule|recurrence rule)\. .* such as FREQ=WEEKLY;BYDAY=MO,WE\.$/,
      )
    }
    // A long s (ſ) is not an s, though its upper case is S.
    expect(rejection('FREQ=WEEKLY;BYDAY=ſU')).toMatch(/is not a recurrence rule/)
    expect(rejection('X'.repeat(10_000)).length).toBeLessThan(200)
  })
})
