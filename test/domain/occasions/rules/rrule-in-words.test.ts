// Recurrence rules in words.
import { describe, expect, it } from 'vitest'
import { parseRule } from '../../../../src/domain/occasions/rules/rrule.ts'
import { recurrenceInWords } from '../../../../src/domain/occasions/rules/rrule-in-words.ts'

/** A Thursday. */
const START = { year: 2026, month: 1, day: 15 }

const RULES = [
  ['FREQ=DAILY', 'every day'],
  ['FREQ=DAILY;INTERVAL=3', 'every 3 days'],
  ['FREQ=DAILY;BYMONTH=7,8', 'every day, in July and August only'],
  ['FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR', 'every week from Monday to Friday'],
  ['FREQ=DAILY;BYMONTHDAY=1', 'every month on the 1st'],
  ['FREQ=DAILY;INTERVAL=2;BYDAY=SA,SU', 'every 2 days if it is a Saturday or Sunday'],
  ['FREQ=WEEKLY', 'every week on Thursday'],
  ['FREQ=WEEKLY;BYDAY=FR,MO,WE', 'every week on Monday, Wednesday and Friday'],
  ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU', 'every week from Monday to Sunday'],
  ['FREQ=WEEKLY;BYMONTH=12;BYDAY=SU', 'every week on Sunday, in December only'],
  ['FREQ=MONTHLY', 'every month on the 15th'],
  ['FREQ=MONTHLY;BYMONTHDAY=2,3,11,22', 'every month on the 2nd, 3rd, 11th and 22nd'],
  ['FREQ=MONTHLY;BYMONTHDAY=31', 'every month on the 31st, in months that have it'],
  ['FREQ=MONTHLY;BYMONTHDAY=-1', 'every month on the last day'],
  ['FREQ=MONTHLY;BYMONTHDAY=-1,1', 'every month on the 1st and last day'],
  ['FREQ=MONTHLY;BYDAY=2TU', 'every month on the second Tuesday'],
  ['FREQ=MONTHLY;BYDAY=-1FR', 'every month on the last Friday'],
  ['FREQ=MONTHLY;BYDAY=1MO,3MO', 'every month on the first and third Monday'],
  ['FREQ=MONTHLY;BYDAY=1MO,-1FR', 'every month on the first Monday and last Friday'],
  ['FREQ=MONTHLY;BYDAY=5SA', 'every month on the fifth Saturday, in months that have it'],
  ['FREQ=MONTHLY;BYDAY=MO', 'every month on each Monday'],
  ['FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR', 'every month on the 13th if it is a Friday'],
  [
    'FREQ=MONTHLY;BYMONTHDAY=1,15;BYDAY=SA,SU',
    'every month on the 1st and 15th if it is a Saturday or Sunday',
  ],
  ['FREQ=MONTHLY;BYMONTH=3,6;BYMONTHDAY=1', 'every month on the 1st, in March and June only'],
  ['FREQ=YEARLY', 'every year on 15 January'],
  ['FREQ=YEARLY;BYMONTH=3', 'every year on 15 March'],
  ['FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24,31', 'every year on 24 and 31 December'],
  ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29', 'every year on 29 February, in leap years'],
  ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1', 'every year in February on the last day'],
  ['FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=1TU', 'every 4 years in November on the first Tuesday'],
  ['FREQ=YEARLY;BYMONTH=4,10;BYMONTHDAY=1', 'every year in April and October on the 1st'],
  ['FREQ=YEARLY;BYMONTHDAY=15', 'every year on the 15th of each month'],
  ['FREQ=YEARLY;BYDAY=20MO', 'every year on the 20th Monday of the year'],
  ['FREQ=YEARLY;BYDAY=FR', 'every year on each Friday'],
  ['FREQ=WEEKLY;BYDAY=MO;COUNT=1', 'every week on Monday, once'],
  ['FREQ=WEEKLY;BYDAY=MO;COUNT=10', 'every week on Monday, 10 times'],
  ['FREQ=WEEKLY;BYDAY=MO;UNTIL=20271231', 'every week on Monday, until 2027-12-31'],
] as const

describe('a recurrence rule in words', () => {
  it.each(RULES)('%s is "%s"', (text, words) => {
    const parsed = parseRule(text)
    if (!parsed.ok) throw new Error(parsed.message)
    expect(recurrenceInWords(parsed.rule, START)).toBe(words)
  })

  it('names the time of day after the days and before the limits', () => {
    const parsed = parseRule('FREQ=MONTHLY;BYMONTHDAY=31;COUNT=4')
    if (!parsed.ok) throw new Error(parsed.message)
    expect(recurrenceInWords(parsed.rule, START, 'at 09:00 local time')).toBe(
      'every month on the 31st at 09:00 local time, in months that have it, 4 times',
    )
  })
})
