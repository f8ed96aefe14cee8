// Entries of the journal in words.
import { describe, expect, it } from 'vitest'
import { changeText } from '../../../src/domain/ledger/change-text.ts'
import type { JournalEntry, OccasionState, PersonState } from '../../../src/domain/ledger/journal.ts'
import { makeOccasion, makeTask } from '../../support/fixtures.ts'

const USER = { id: '019a84f1-8c00-7000-8000-2f6c1c9d3e4a' }
const PERSON: PersonState = { timezone: 'Europe/Berlin', dateOfBirth: '1990-06-01' }
const OCCASION: OccasionState = { ...makeOccasion(USER), task: null }
const at = { number: 1, at: 0 }

function personText(after: Partial<PersonState>): string {
  const entry: JournalEntry = { ...at, kind: 'person-changed', userId: USER.id, before: PERSON }
  return changeText(entry, { person: { ...PERSON, ...after }, occasion: OCCASION })
}

function occasionText(before: Partial<OccasionState>, after: Partial<OccasionState>): string {
  const entry: JournalEntry = {
    ...at,
    kind: 'occasion-changed',
    occasionId: USER.id,
    before: { ...OCCASION, ...before },
  }
  return changeText(entry, { person: PERSON, occasion: { ...OCCASION, ...after } })
}

describe('a change of a person in words', () => {
  it('names both timezones of a move, and both dates of a correction', () => {
    expect(personText({ timezone: 'Asia/Jakarta' })).toBe('Moved from Europe/Berlin to Asia/Jakarta.')
    expect(personText({ dateOfBirth: '1990-07-01' })).toBe(
      'Date of birth corrected from 1990-06-01 to 1990-07-01.',
    )
    expect(personText({ timezone: 'Asia/Jakarta', dateOfBirth: '1990-07-01' })).toBe(
      'Moved from Europe/Berlin to Asia/Jakarta. Date of birth corrected from 1990-06-01 to 1990-07-01.',
    )
  })
})

describe('a change of an occasion in words', () => {
  it('tells a pause from its end, and from a change during the pause', () => {
    expect(occasionText({}, { pausedAt: 5 })).toBe('Paused.')
    expect(occasionText({ pausedAt: 5 }, {})).toBe('Resumed.')
    expect(occasionText({ pausedAt: 5 }, { pausedAt: 5, localTime: '10:00' })).toBe(
      'Local time changed from 09:00 to 10:00.',
    )
  })

  it('names both values of every field that differs, and none for a field without a value', () => {
    expect(occasionText({}, { until: '2026-12-31', repeats: 'FREQ=DAILY' })).toBe(
      'Rule changed from YEARLY to FREQ=DAILY. End changed from none to 2026-12-31.',
    )
    expect(occasionText({ channelId: 'a' }, { channelId: 'b' })).toBe('Channel changed.')
  })

  it('tells that a task was completed, reopened or moved', () => {
    const { task } = makeTask(USER)
    expect(occasionText({ task }, { task: { ...task, completedAt: 5 } })).toBe('Task completed.')
    expect(occasionText({ task: { ...task, completedAt: 5 } }, { task })).toBe('Task reopened.')
    expect(occasionText({ task }, { task: { ...task, dueAt: task.dueAt + 1 } })).toBe(
      'Task moved to another time.',
    )
  })
})

describe('an entry whose state after the change is not known', () => {
  it('has a general sentence', () => {
    const moved: JournalEntry = { ...at, kind: 'person-changed', userId: USER.id, before: PERSON }
    expect(changeText(moved, null)).toBe('The timezone or the date of birth of the person was changed.')
    expect(changeText({ ...at, kind: 'person-deleted', idHash: '', erased: [] }, null)).toBe(
      'The person was deleted.',
    )
  })
})

describe('limits of lateness in words', () => {
  it.each([
    [{ '*': null }, 'all types none'],
    [{ '*': 86_400_000 }, 'all types PT24H'],
    [{ '*': null, BIRTHDAY: 21_600_000 }, 'BIRTHDAY PT6H, all other types none'],
  ])('names the limit of each type: %j', (after, limits) => {
    const text = changeText({ ...at, kind: 'limits-changed', after }, null)
    expect(text).toBe(`A worker was started with the limits of lateness ${limits}.`)
  })
})
