// The instant of a task's reminder, by the rules in docs/tasks.md.
import { describe, expect, it } from 'vitest'
import { reminderAt } from '../../../../src/domain/ledger/expected/reminders.ts'
import { readWallClock } from '../../../../src/domain/ledger/expected/wall-clock.ts'
import { tzdb } from '../../../../src/domain/time/tzdb.ts'

type Task = Parameters<typeof reminderAt>[0]
const HOUR = 3_600_000
const at = (text: string) => Date.parse(`${text}Z`)

function reminder(over: Partial<Task>, now: string, zone = 'Etc/UTC'): string | null {
  const task: Task = {
    dueAt: at('2030-01-15T16:00'),
    dueRevision: 1,
    remindBeforeMs: 24 * HOUR,
    quietHours: null,
    completedAt: null,
    reminderSentAt: null,
    ...over,
  }
  const found = reminderAt(task, { now: at(now), clock: readWallClock(tzdb.rules(zone)) })
  return found === null ? null : new Date(found).toISOString().slice(0, 16)
}

describe('the reminder of a task', () => {
  it('is sent when the task comes within remindBefore of its due time, at once if it already is', () => {
    expect(reminder({}, '2030-01-01T00:00')).toBe('2030-01-14T16:00')
    expect(reminder({}, '2030-01-15T15:59')).toBe('2030-01-15T15:59')
  })

  it('is not sent for a task that is completed or past due', () => {
    expect(reminder({ completedAt: 0 }, '2030-01-01T00:00')).toBeNull()
    expect(reminder({}, '2030-01-15T16:00')).toBeNull()
  })

  it('comes at least 24 hours after the last delivered one, and not at all if that is too late', () => {
    const sent = (text: string) => reminder({ reminderSentAt: at(text) }, '2030-01-14T20:00')
    expect(sent('2030-01-14T12:00')).toBe('2030-01-15T12:00')
    expect(sent('2030-01-10T12:00')).toBe('2030-01-14T20:00')
    expect(sent('2030-01-14T16:00')).toBeNull()
  })

  it('waits for the end of the quiet hours in the local time of the person', () => {
    const night = { quietHours: '22:00-08:00', remindBeforeMs: 12 * HOUR }
    expect(reminder(night, '2030-01-01T00:00')).toBe('2030-01-15T08:00')
    expect(reminder(night, '2030-01-01T00:00', 'Asia/Tokyo')).toBe('2030-01-15T04:00')
    expect(reminder({ ...night, quietHours: '03:00-05:30' }, '2030-01-01T00:00')).toBe('2030-01-15T05:30')
    expect(reminder({ ...night, quietHours: '22:00-04:00' }, '2030-01-01T00:00')).toBe('2030-01-15T04:00')
  })

  it('is sent in the last minute before the quiet hours if the task is due when they end, or at once if that has passed', () => {
    const early = { quietHours: '22:00-08:00', dueAt: at('2030-01-15T08:00'), remindBeforeMs: 2 * HOUR }
    expect(reminder(early, '2030-01-01T00:00')).toBe('2030-01-14T21:59')
    expect(reminder(early, '2030-01-15T01:00')).toBe('2030-01-15T01:00')
    expect(reminder({ ...early, reminderSentAt: at('2030-01-14T07:00') }, '2030-01-01T00:00')).toBe(
      '2030-01-15T07:00',
    )
  })

  it('waits for the second end of the quiet hours if the clock was set back after the first', () => {
    // New York, 7 November 2027: 01:30 is at 05:30 UTC and again at 06:30 UTC.
    const task = { quietHours: '22:00-01:30', dueAt: at('2027-11-07T20:10'), remindBeforeMs: 14 * HOUR }
    expect(reminder(task, '2027-11-01T00:00', 'America/New_York')).toBe('2027-11-07T06:30')
  })
})
