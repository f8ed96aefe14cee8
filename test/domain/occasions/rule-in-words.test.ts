// Schedules of occasions in words.
import { describe, expect, it } from 'vitest'
import { occasionInWords } from '../../../src/domain/occasions/rule-in-words.ts'

const OCCASION = {
  date: '2020-02-29',
  localTime: '09:00',
  repeats: 'YEARLY',
  calendar: 'gregorian',
  until: null,
}

describe('an occasion in words', () => {
  it.each([
    [{}, 'every year on 29 February at 09:00 local time'],
    [{ until: '2030-12-31' }, 'every year on 29 February at 09:00 local time, until 2030-12-31'],
    [{ repeats: 'ONCE' }, 'once, on 2020-02-29 at 09:00 local time'],
    [
      { calendar: 'hebrew' },
      'every year of the hebrew calendar, on the day that was 29 February 2020, at 09:00 local time',
    ],
    [
      { repeats: 'FREQ=MONTHLY;BYDAY=2TU', localTime: '18:30' },
      'every month on the second Tuesday at 18:30 local time from 2020-02-29 on',
    ],
    [
      { repeats: 'FREQ=WEEKLY', until: '2030-12-31' },
      'every week on Saturday at 09:00 local time from 2020-02-29 on, until 2030-12-31',
    ],
  ])('with %o is "%s"', (change, words) => {
    expect(occasionInWords({ ...OCCASION, ...change })).toBe(words)
  })
})
