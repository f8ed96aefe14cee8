// The Chinese, Hebrew, Islamic and Persian calendars, compared with ICU and with published dates; anniversaries of days that a year lacks.
import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import {
  anniversaryIn,
  CALENDARS,
  type CalendarDay,
  type CalendarName,
  knownDates,
  toCalendar,
  yearAt,
} from '../../../src/domain/calendars/calendars.ts'
import {
  type CivilDate,
  civilFromLocalMs,
  DAY_MS,
  daysFromCivil,
  formatCivilDate,
  parseCivilDate,
} from '../../../src/domain/time/calendar.ts'

const OTHERS = CALENDARS.filter((calendar) => calendar !== 'gregorian')

const civil = (text: string) => parseCivilDate(text)!
const dayOf = ({ year, month, day }: CivilDate) => daysFromCivil(year, month, day)
const dateOf = (day: number) => civilFromLocalMs(day * DAY_MS)

/** `year/month/day` */
function write(day: CalendarDay | null): string {
  return day === null ? 'unknown' : `${day.year}/${day.month}/${day.day}`
}

function show(calendar: CalendarName, date: string): string {
  return write(toCalendar(calendar, civil(date)))
}

/** The anniversary of a date in a year, with a star if it moved. */
function anniversary(calendar: CalendarName, date: string, year: number): string | null {
  const found = anniversaryIn(calendar, toCalendar(calendar, civil(date))!, year)
  return found && `${formatCivilDate(found.date)}${found.moved ? '*' : ''}`
}

function* knownDays(calendar: CalendarName): Generator<{ date: CivilDate; found: CalendarDay }> {
  const { from, to } = knownDates(calendar)
  for (let day = dayOf(from); day <= dayOf(to); day++) {
    const date = dateOf(day)
    yield { date, found: toCalendar(calendar, date)! }
  }
}

describe('calendar-years.json', () => {
  it('equals a fresh build from the installed libraries', () => {
    const script = new URL('../../../scripts/build-calendars.ts', import.meta.url).pathname
    expect(execFileSync(process.execPath, [script, '--check'], { encoding: 'utf8' })).toContain('no change')
  })

  it('covers the years that the documentation names', () => {
    const known = OTHERS.map((calendar) => {
      const { from, to } = knownDates(calendar)
      return [calendar, formatCivilDate(from), show(calendar, formatCivilDate(to)), formatCivilDate(to)]
    })
    expect(known).toEqual([
      ['chinese', '1900-01-31', '2100/12/29', '2101-01-28'],
      ['hebrew', '1899-09-05', '5860/Elul/29', '2100-10-03'],
      ['islamic', '1900-04-30', '1500/12/30', '2077-11-16'],
      ['persian', '1900-03-21', '1478/12/30', '2100-03-20'],
    ])
  })
})

describe('the conversion of a published date', () => {
  it.each([
    ['chinese', '1984-02-02', '1984/1/1'],
    ['chinese', '2025-01-29', '2025/1/1'],
    ['chinese', '2025-07-25', '2025/6L/1'],
    ['chinese', '2033-12-22', '2033/11L/1'],
    ['hebrew', '1948-05-14', '5708/Iyar/5'],
    ['hebrew', '2024-03-24', '5784/Adar II/14'],
    ['hebrew', '2026-09-12', '5787/Tishri/1'],
    ['islamic', '2024-03-11', '1445/9/1'],
    ['islamic', '2026-06-16', '1448/1/1'],
    ['persian', '1979-02-11', '1357/11/22'],
    ['persian', '2025-03-20', '1403/12/30'],
  ] as const)('%s: %s is %s', (calendar, date, expected) => {
    expect(show(calendar, date)).toBe(expected)
  })

  it('finds the Chinese leap months that the Hong Kong Observatory lists, 1950 to 2050', () => {
    const leap = new Set<string>()
    for (const { found } of knownDays('chinese')) {
      if (found.month.endsWith('L') && found.year >= 1950 && found.year <= 2050)
        leap.add(`${found.year}:${found.month}`)
    }
    expect([...leap].join(' ').replaceAll('L', '')).toBe(
      '1952:5 1955:3 1957:8 1960:6 1963:4 1966:3 1968:7 1971:5 1974:4 1976:8 1979:6 1982:4 1984:10 1987:6 1990:5 1993:3 ' +
        '1995:8 1998:5 2001:4 2004:2 2006:7 2009:5 2012:4 2014:9 2017:6 2020:4 2023:2 2025:6 2028:5 2031:3 2033:11 2036:6 ' +
        '2039:5 2042:2 2044:7 2047:5 2050:3',
    )
  })
})

/**
 * Where ICU errs, 1950 to 2050: the table of the Hong Kong Observatory and astronomy agree with calendar-years.json. ICU's
 * moon and sun are minutes off, and here minutes decide: a month begins on the day of the new moon in Beijing, and a month
 * in which the sun enters no new sign is a leap month. An entry is one month with shifted days, or two with swapped names.
 */
const ICU_ERRS = [
  { from: '1954-02-03', is: '1954/1/1', days: 30, because: 'new moon at 23:55' },
  { from: '1955-02-22', is: '1955/2/1', days: 30, because: 'new moon at 23:54' },
  {
    from: '1987-07-26',
    is: '1987/6L/1',
    days: 59,
    because: 'the sun enters Virgo at 00:10 on 24 August, a day after the leap month',
  },
  { from: '1999-01-17', is: '1998/12/1', days: 30, because: 'new moon at 23:46' },
  { from: '2012-08-17', is: '2012/7/1', days: 30, because: 'new moon at 23:54' },
  { from: '2018-11-07', is: '2018/9/30', days: 30, because: 'new moon at 00:02 on the 8th' },
  { from: '2027-02-06', is: '2027/1/1', days: 30, because: 'new moon at 23:56' },
  { from: '2030-02-02', is: '2029/12/30', days: 30, because: 'new moon at 00:07 on the 3rd' },
]

function icuErrs(calendar: CalendarName, day: number): boolean {
  const isIn = (from: number, days: number) => day >= from && day < from + days
  return calendar === 'chinese' && ICU_ERRS.some(({ from, days }) => isIn(dayOf(civil(from)), days))
}

describe('the conversion of the days from 1950 to 2050', () => {
  it.each(ICU_ERRS)('returns $is for $from, where ICU errs: $because', ({ from, is }) => {
    expect(show('chinese', from)).toBe(is)
  })

  it.each([
    ['chinese', 'chinese'],
    ['hebrew', 'hebrew'],
    ['islamic', 'islamic-umalqura'],
    ['persian', 'persian'],
  ] as const)('agrees with ICU: %s', (calendar, icuName) => {
    const format = new Intl.DateTimeFormat(`en-u-ca-${icuName}`, {
      timeZone: 'UTC',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
    })
    expect(format.resolvedOptions().calendar).toBe(icuName)
    const wrong: string[] = []
    for (let day = dayOf(civil('1950-01-01')); day <= dayOf(civil('2050-12-31')); day++) {
      const parts = new Map<string, string>()
      for (const { type, value } of format.formatToParts(day * DAY_MS)) parts.set(type, value)
      const month = parts.get('month')!.replace('bis', 'L')
      const icu = `${parts.get('relatedYear') ?? parts.get('year')}/${month}/${parts.get('day')}`
      const ours = write(toCalendar(calendar, dateOf(day)))
      if (ours !== icu && !icuErrs(calendar, day))
        wrong.push(`${formatCivilDate(dateOf(day))}: ${ours}, not ${icu}`)
    }
    expect(wrong).toEqual([])
  })
})

describe('an anniversary', () => {
  it('of a day in Adar is in Adar II in a leap year', () => {
    expect(show('hebrew', '2025-03-14')).toBe('5785/Adar/14')
    expect(anniversary('hebrew', '2025-03-14', 5786)).toBe('2026-03-03')
    expect(anniversary('hebrew', '2025-03-14', 5787)).toBe('2027-03-23*')
  })

  it('of a day in Adar I or Adar II is in Adar in a common year, in its own month in a leap year', () => {
    expect(show('hebrew', '2024-02-23')).toBe('5784/Adar I/14')
    expect(anniversary('hebrew', '2024-02-23', 5785)).toBe('2025-03-14*')
    expect(anniversary('hebrew', '2024-02-23', 5787)).toBe('2027-02-21')
    expect(show('hebrew', '2024-03-24')).toBe('5784/Adar II/14')
    expect(anniversary('hebrew', '2024-03-24', 5785)).toBe('2025-03-14*')
    expect(anniversary('hebrew', '2024-03-24', 5787)).toBe('2027-03-23')
  })

  it('of 30 Heshvan, 30 Kislev or 30 Adar I is on the first of the next month in a year without that day', () => {
    expect(show('hebrew', '2024-12-01')).toBe('5785/Heshvan/30')
    expect(anniversary('hebrew', '2024-12-01', 5786)).toBe('2025-11-21*')
    expect(show('hebrew', '2025-11-21')).toBe('5786/Kislev/1')

    expect(show('hebrew', '2022-12-24')).toBe('5783/Kislev/30')
    expect(anniversary('hebrew', '2022-12-24', 5784)).toBe('2023-12-13*')
    expect(show('hebrew', '2023-12-13')).toBe('5784/Tevet/1')

    expect(show('hebrew', '2024-03-10')).toBe('5784/Adar I/30')
    expect(anniversary('hebrew', '2024-03-10', 5785)).toBe('2025-03-30*')
    expect(show('hebrew', '2025-03-30')).toBe('5785/Nisan/1')
  })

  it('of a day in a Chinese leap month is in the ordinary month of that number, unless the year has the leap month', () => {
    expect(show('chinese', '2025-07-25')).toBe('2025/6L/1')
    expect(anniversary('chinese', '2025-07-25', 2026)).toBe('2026-07-14*')
    expect(show('chinese', '2026-07-14')).toBe('2026/6/1')
    expect(anniversary('chinese', '2025-07-25', 2028)).toBe('2028-07-22*')
    expect(anniversary('chinese', '2025-07-25', 2036)).toBe('2036-07-23')
    expect(show('chinese', '2036-07-23')).toBe('2036/6L/1')
  })

  it('of a day in an ordinary Chinese month is not in the leap month of that number', () => {
    expect(show('chinese', '2024-07-06')).toBe('2024/6/1')
    expect(anniversary('chinese', '2024-07-06', 2025)).toBe('2025-06-25')
  })

  it('of a Chinese 30th is on the 29th if the month has 29 days', () => {
    expect(show('chinese', '2024-02-09')).toBe('2023/12/30')
    expect(anniversary('chinese', '2024-02-09', 2024)).toBe('2025-01-28*')
    expect(anniversary('chinese', '2024-02-09', 2026)).toBe('2027-02-05*')
    expect(anniversary('chinese', '2024-02-09', 2027)).toBe('2028-01-25*')
  })

  it('of an Islamic 30th is on the 29th if the month has 29 days', () => {
    expect(show('islamic', '2024-04-09')).toBe('1445/9/30')
    expect(anniversary('islamic', '2024-04-09', 1446)).toBe('2025-03-29*')
    expect(anniversary('islamic', '2024-04-09', 1447)).toBe('2026-03-19')
  })

  it('of 30 Esfand is on 29 Esfand in a common year', () => {
    expect(show('persian', '2025-03-20')).toBe('1403/12/30')
    expect(anniversary('persian', '2025-03-20', 1404)).toBe('2026-03-20*')
    expect(anniversary('persian', '2025-03-20', 1408)).toBe('2030-03-20')
  })

  it('of 29 February is on 1 March in a common year', () => {
    expect(anniversary('gregorian', '2024-02-29', 2027)).toBe('2027-03-01*')
    expect(anniversary('gregorian', '2024-02-29', 2028)).toBe('2028-02-29')
  })
})

describe.each(OTHERS)('the %s calendar', (calendar) => {
  const { from, to } = knownDates(calendar)
  const first = toCalendar(calendar, from)!.year
  const last = toCalendar(calendar, to)!.year

  it('returns every known date as its own anniversary', () => {
    const wrong: string[] = []
    for (const { date, found } of knownDays(calendar)) {
      const back = anniversaryIn(calendar, found, found.year)!
      if (back.moved || dayOf(back.date) !== dayOf(date)) wrong.push(formatCivilDate(date))
    }
    expect(wrong).toEqual([])
  })

  it('has one anniversary of every day in every known year, moved only if the year lacks the day', () => {
    // An anniversary depends on the month and day alone, so one origin for each is enough.
    const origins = new Map<string, CalendarDay>()
    for (const { found } of knownDays(calendar)) origins.set(`${found.month}/${found.day}`, found)
    const wrong: string[] = []
    let moved = 0
    for (const origin of origins.values()) {
      for (let year = first; year <= last; year++) {
        const found = anniversaryIn(calendar, origin, year)!
        const day = toCalendar(calendar, found.date)
        const stays = day?.month === origin.month && day.day === origin.day
        if (yearAt(calendar, found.date) !== year || found.moved === stays)
          wrong.push(`${write(origin)} in ${year}`)
        if (found.moved) moved++
      }
    }
    expect(wrong).toEqual([])
    expect(moved).toBeGreaterThan(100)
    expect(origins.size).toBeGreaterThanOrEqual(354)
  })

  it('has no date outside its table', () => {
    const before = dateOf(dayOf(from) - 1)
    const after = dateOf(dayOf(to) + 1)
    const origin = toCalendar(calendar, from)!
    expect([toCalendar(calendar, before), toCalendar(calendar, after)]).toEqual([null, null])
    expect(anniversaryIn(calendar, origin, first - 1)).toBeNull()
    expect(anniversaryIn(calendar, origin, last + 1)).toBeNull()
    // A search may start before the table.
    expect([yearAt(calendar, before), yearAt(calendar, civil('0001-01-01'))]).toEqual([first, first])
    expect([yearAt(calendar, to), yearAt(calendar, after)]).toEqual([last, null])
  })
})
