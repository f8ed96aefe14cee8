// The occasion types that Terce knows by name, one entry each. Every other type is custom. Nothing else lists the types.
import { reminders } from '../tasks/reminder.ts'
import { TASK_REMINDER } from '../tasks/task.ts'
import { recurring } from './recurring.ts'
import type { Series } from './schedule.ts'

type OccasionType = {
  /** Chooses its occurrences. */
  series: Series
  /** The built-in message text; null if a template is required. */
  text: string | null
  /** The built-in text of a belated message; null if `text` is used for it too. */
  belatedText: string | null
  /** The record it is created and deleted with; null for an occasion that callers create. */
  belongsTo: 'user' | 'task' | null
}

const KNOWN_TYPES = {
  BIRTHDAY: {
    series: recurring,
    text: "Hey, {{ fullName }} it's your birthday",
    belatedText: 'Hey, {{ fullName }} happy belated birthday',
    belongsTo: 'user',
  },
  WORK_ANNIVERSARY: {
    series: recurring,
    text: "Hey, {{ fullName }} it's your work anniversary",
    belatedText: 'Hey, {{ fullName }} happy belated work anniversary',
    belongsTo: null,
  },
  [TASK_REMINDER]: {
    series: reminders,
    text: 'Hey, {{ fullName }} "{{ title }}" is due on {{ dueDate }} at {{ dueTime }}',
    belatedText: null,
    belongsTo: 'task',
  },
} satisfies Readonly<Record<string, OccasionType>>

export type KnownType = keyof typeof KNOWN_TYPES

/** For a person, without the reminders of tasks: each change of one reads all. */
export const MOST_OCCASIONS = 100

const CUSTOM: OccasionType = { series: recurring, text: null, belatedText: null, belongsTo: null }

/** Capitals, digits and underscores, such as WORK_ANNIVERSARY. */
export function isTypeName(text: string): boolean {
  return /^[A-Z][A-Z0-9_]{0,63}$/.test(text)
}

export function isKnownType(type: string): boolean {
  return Object.hasOwn(KNOWN_TYPES, type)
}

export function occasionType(type: string): OccasionType {
  return isKnownType(type) ? KNOWN_TYPES[type as KnownType] : CUSTOM
}

/** The built-in text of each type that has one. */
export const BUILT_IN_TEXTS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(KNOWN_TYPES).flatMap(([type, { text }]) => (text === null ? [] : [[type, text]])),
)
