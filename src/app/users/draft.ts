// A person as sent by a caller, with the problems of the fields.
import type { FieldProblem, Parsed } from '../../domain/errors.ts'
import type { TimezoneTable } from '../../domain/time/tzdb.ts'
import { parseUserFields, type UserInput } from '../../domain/users/user.ts'
import type { UserFields } from '../../domain/users/user-fields.ts'
import type { AppDeps } from '../app-deps.ts'

export type UserDraft = {
  /** The fields that could be read. */
  input: Partial<UserInput>
  /** Sends the birthday message of today at once, if its time has passed. */
  sendTodayNow?: boolean
  /** The problems of the other fields: a wrong type, a missing or unknown field. */
  problems?: readonly FieldProblem[]
}

/** Parses the readable fields. Reports their problems together with the problems of the draft. */
export function parseDraft(
  { input, problems = [] }: UserDraft,
  at: { now: number; table: TimezoneTable },
): Parsed<UserFields> {
  const parsed = parseUserFields(input, at)
  if (problems.length === 0) return parsed
  // The problem of a field that is not in the input is in the draft already.
  const found = parsed.ok ? [] : parsed.problems.filter(({ field }) => Object.hasOwn(input, field))
  return { ok: false, problems: [...problems, ...found] }
}

/** Everything that is wrong with a draft; empty for a valid one. */
export function draftProblems({ clock, planner }: AppDeps, draft: UserDraft): FieldProblem[] {
  const parsed = parseDraft(draft, { now: clock.now(), table: planner.table })
  return parsed.ok ? [] : parsed.problems
}
