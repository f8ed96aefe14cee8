// The presets of a recurrence rule in the occasion form.
import { describe, expect, it } from 'vitest'
import { parseRule } from '../../../../../src/domain/occasions/rules/rrule.ts'
import {
  firstRule,
  monthlyOf,
  monthlyRule,
  presetOf,
  weekdaysOf,
  weeklyRule,
} from '../../../../../web/src/pages/people/occasion-form/presets.ts'

describe('the preset of a rule', () => {
  it.each([
    ['YEARLY', 'YEARLY'],
    ['ONCE', 'ONCE'],
    ['FREQ=WEEKLY;BYDAY=MO,WE', 'WEEKLY'],
    ['rrule:freq=weekly;byday=we,mo', 'WEEKLY'],
    ['FREQ=MONTHLY;BYMONTHDAY=31', 'MONTHLY'],
    ['FREQ=MONTHLY;BYMONTHDAY=-1', 'MONTHLY'],
    ['FREQ=MONTHLY;BYDAY=2TU', 'MONTHLY'],
    ['FREQ=MONTHLY;BYDAY=-1FR', 'MONTHLY'],
    ['FREQ=WEEKLY', 'CUSTOM'],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO', 'CUSTOM'],
    ['FREQ=WEEKLY;BYDAY=MO;COUNT=3', 'CUSTOM'],
    ['FREQ=MONTHLY;BYMONTHDAY=1,15', 'CUSTOM'],
    ['FREQ=MONTHLY;BYMONTHDAY=-2', 'CUSTOM'],
    ['FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR', 'CUSTOM'],
    ['FREQ=MONTHLY;BYDAY=5MO', 'CUSTOM'],
    ['FREQ=MONTHLY;BYDAY=MO', 'CUSTOM'],
    ['FREQ=YEARLY;BYMONTH=3;BYDAY=1MO', 'CUSTOM'],
    ['FREQ=HOURLY', 'CUSTOM'],
    ['', 'CUSTOM'],
  ])('%s is %s', (repeats, preset) => {
    expect(presetOf(repeats)).toBe(preset)
  })
})

describe('a preset', () => {
  it('writes a rule in canonical spelling, from which it is read again', () => {
    const weekly = weeklyRule([4, 0])
    expect(weekly).toBe('FREQ=WEEKLY;BYDAY=MO,FR')
    expect(weekdaysOf(weekly)).toEqual([0, 4])
    for (const monthly of [
      { on: 'day', day: 15 },
      { on: 'last' },
      { on: 'weekday', ordinal: 2, weekday: 1 },
      { on: 'weekday', ordinal: -1, weekday: 6 },
    ] as const) {
      const rule = monthlyRule(monthly)
      expect(parseRule(rule)).toMatchObject({ ok: true, text: rule })
      expect(monthlyOf(rule)).toEqual(monthly)
    }
  })

  it('starts on the weekday or the day of the date', () => {
    // A Sunday.
    expect(firstRule('WEEKLY', '2026-11-15')).toBe('FREQ=WEEKLY;BYDAY=SU')
    expect(firstRule('MONTHLY', '2026-11-15')).toBe('FREQ=MONTHLY;BYMONTHDAY=15')
    expect(firstRule('CUSTOM', '2026-11-15')).toBe('FREQ=MONTHLY;BYMONTHDAY=15')
    expect(firstRule('ONCE', '2026-11-15')).toBe('ONCE')
  })
})
