// The kinds of occasions that are known by name. A new one is a file beside this and a line here.
import { birthday } from './birthday.ts'
import { custom } from './custom.ts'
import type { OccasionType } from './occasion-type.ts'
import { taskReminder } from './task-reminder.ts'
import { workAnniversary } from './work-anniversary.ts'

const KNOWN: ReadonlyMap<string | null, OccasionType> = new Map(
  [birthday, workAnniversary, taskReminder].map((one) => [one.type, one]),
)

export function occasionType(type: string): OccasionType {
  return KNOWN.get(type) ?? custom
}

/** What each kind says when nobody wrote anything else. */
export const BUILT_IN_TEXTS: Readonly<Record<string, string>> = Object.fromEntries(
  [...KNOWN.values()].flatMap(({ type, text }) => (type === null || text === null ? [] : [[type, text]])),
)
