// Entries of the journal in words.
import { expect, it } from 'vitest'
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

const { task } = makeTask(USER)
const moved: JournalEntry = { ...at, kind: 'person-changed', userId: USER.id, before: PERSON }
const limitsText = (after: Record<string, number | null>) =>
  changeText({ ...at, kind: 'limits-changed', after }, null)

it.each([
  [personText({ timezone: 'Asia/Jakarta' }), 'Moved from Europe/Berlin to Asia/Jakarta.'],
  [personText({ dateOfBirth: '1990-07-01' }), 'Date of birth corrected from 1990-06-01 to 1990-07-01.'],
  [occasionText({}, { pausedAt: 5 }), 'Paused.'],
  [occasionText({ pausedAt: 5 }, {}), 'Resumed.'],
  [
    occasionText({ pausedAt: 5 }, { pausedAt: 5, localTime: '10:00' }),
    'Local time changed from 09:00 to 10:00.',
  ],
  [
    occasionText({}, { until: '2026-12-31', repeats: 'FREQ=DAILY' }),
    'Rule changed from YEARLY to FREQ=DAILY. End changed from none to 2026-12-31.',
  ],
  [occasionText({ channelId: 'a' }, { channelId: 'b' }), 'Channel changed.'],
  [occasionText({ task }, { task: { ...task, completedAt: 5 } }), 'Task completed.'],
  [occasionText({ task: { ...task, completedAt: 5 } }, { task }), 'Task reopened.'],
  [occasionText({ task }, { task: { ...task, dueAt: task.dueAt + 1 } }), 'Task moved to another time.'],
  // The state after the change is not known.
  [changeText(moved, null), 'The timezone or the date of birth of the person was changed.'],
  [changeText({ ...at, kind: 'person-deleted', idHash: '', erased: [] }, null), 'The person was deleted.'],
  [
    limitsText({ '*': null, BIRTHDAY: 21_600_000 }),
    'A worker was started with the limits of lateness BIRTHDAY PT6H, all other types none.',
  ],
])('an entry of the journal in words: "%s"', (text, expected) => {
  expect(text).toBe(expected)
})
