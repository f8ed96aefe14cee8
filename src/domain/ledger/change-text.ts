// An entry of the journal in words: what was changed, from what, to what.
import { formatDuration } from '../time/duration.ts'
import type { JournalEntry, JournalKind, LatenessLimits, OccasionState, PersonState } from './journal.ts'

export type StateAfter = { person: PersonState; occasion: OccasionState }

const TEXTS: Readonly<Record<JournalKind, string>> = {
  'person-changed': 'The timezone or the date of birth of the person was changed.',
  'occasion-changed': 'The occasion was changed.',
  'person-deleted': 'The person was deleted.',
  'occasion-deleted': 'The occasion was deleted.',
  'zone-changed': 'Other rules were put in force for the timezone.',
  'limits-changed': 'The limits of lateness were changed.',
}

export const JOURNAL_KINDS = Object.keys(TEXTS) as [JournalKind, ...JournalKind[]]

/** `after`: the state that the change began; null if it is not known. */
export function changeText(entry: JournalEntry, after: StateAfter | null): string {
  if (entry.kind === 'limits-changed') return limitsText(entry.after)
  const changes = after === null ? [] : changesOf(entry, after)
  return changes.length === 0 ? TEXTS[entry.kind] : changes.join(' ')
}

function changesOf(entry: JournalEntry, after: StateAfter): string[] {
  if (entry.kind === 'person-changed') return personChanges(entry.before, after.person)
  return entry.kind === 'occasion-changed' ? occasionChanges(entry.before, after.occasion) : []
}

/** `A worker was started with the limits of lateness BIRTHDAY PT6H, all other types none.` */
function limitsText({ '*': others = null, ...byType }: LatenessLimits): string {
  const text = (limit: number | null) => (limit === null ? 'none' : formatDuration(limit))
  const limits = Object.entries(byType).map(([type, limit]) => `${type} ${text(limit)}, `)
  const rest = limits.length === 0 ? 'all types' : 'all other types'
  return `A worker was started with the limits of lateness ${limits.join('')}${rest} ${text(others)}.`
}

function personChanges(before: PersonState, after: PersonState): string[] {
  return [
    ...(before.timezone === after.timezone ? [] : [`Moved from ${before.timezone} to ${after.timezone}.`]),
    ...(before.dateOfBirth === after.dateOfBirth
      ? []
      : [`Date of birth corrected from ${before.dateOfBirth} to ${after.dateOfBirth}.`]),
  ]
}

/** The fields that are shown with both values. */
const NAMES = {
  date: 'Date',
  localTime: 'Local time',
  repeats: 'Rule',
  calendar: 'Calendar',
  leapDay: 'Day in non-leap years',
  until: 'End',
  notAfter: 'Cut-off time',
} as const satisfies Partial<Record<keyof OccasionState, string>>

function occasionChanges(before: OccasionState, after: OccasionState): string[] {
  const changes: string[] = []
  if (before.pausedAt === null && after.pausedAt !== null) changes.push('Paused.')
  if (before.pausedAt !== null && after.pausedAt === null) changes.push('Resumed.')
  for (const [field, name] of Object.entries(NAMES) as [keyof typeof NAMES, string][])
    if (before[field] !== after[field])
      changes.push(`${name} changed from ${before[field] ?? 'none'} to ${after[field] ?? 'none'}.`)
  if (before.channelId !== after.channelId) changes.push('Channel changed.')
  return [...changes, ...taskChanges(before.task, after.task)]
}

function taskChanges(before: OccasionState['task'], after: OccasionState['task']): string[] {
  if (before === null || after === null) return []
  if (before.completedAt === null && after.completedAt !== null) return ['Task completed.']
  if (before.completedAt !== null && after.completedAt === null) return ['Task reopened.']
  return before.dueAt === after.dueAt ? [] : ['Task moved to another time.']
}
