// A user: stored fields, validation, and which changes affect the schedule.

import type { FieldProblem, Parsed } from '../errors.ts'
import type { Timezone } from '../time/timezone.ts'
import type { TimezoneTable } from '../time/tzdb.ts'
import { bornInFuture, type DateOfBirth } from './date-of-birth.ts'
import { FIELD_NAMES, USER_FIELDS, type UserField, type UserFields } from './user-fields.ts'

export type User = UserFields & { id: string; createdAt: number; updatedAt: number; version: number }

type Optional = { [K in UserField]: null extends UserFields[K] ? K : never }[UserField]

/** The fields as the caller sent them. */
export type UserInput = { [K in Exclude<UserField, Optional>]: string } & {
  [K in Optional]?: string | null | undefined
}

/** A change that can move a user's events. */
export type UserChanged =
  | { kind: 'UserTimezoneChanged'; userId: string; from: Timezone; to: Timezone }
  | { kind: 'UserBirthdayChanged'; userId: string; from: DateOfBirth | null; to: DateOfBirth | null }

/**
 * A value that is stored stays valid for its user, also if it would be rejected for a new one. An empty text stands for a field
 * that is missing.
 */
export function parseUserFields(
  input: Partial<UserInput>,
  at: { now: number; table: TimezoneTable },
  stored?: UserFields,
): Parsed<UserFields> {
  const problems: FieldProblem[] = []
  const parsed: Partial<Record<UserField, string | null>> = {}
  for (const name of FIELD_NAMES) {
    const { required, parse } = USER_FIELDS[name]
    const given = input[name] ?? null
    const text = given === '' && !required ? null : given
    if (text === stored?.[name] || (text === null && !required)) {
      parsed[name] = text
      continue
    }
    const result = parse(text ?? '', at)
    if ('value' in result) parsed[name] = result.value
    else problems.push({ ...result.problem, field: name })
  }
  const { dateOfBirth, timezone } = parsed as Partial<UserFields>
  const isNew = dateOfBirth !== stored?.dateOfBirth
  const future = isNew && dateOfBirth && timezone && bornInFuture(dateOfBirth, timezone, at)
  if (future) problems.push(future)
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value: parsed as UserFields }
}

/** Whether a change of the fields would change the user. */
export function differs(user: User, fields: UserFields): boolean {
  return FIELD_NAMES.some((name) => fields[name] !== user[name])
}

/** The user with some fields replaced. */
export function parseUserChange(
  user: User,
  change: Partial<UserInput>,
  at: { now: number; table: TimezoneTable },
): Parsed<UserFields> {
  const given = Object.entries(change).filter(([, value]) => value !== undefined)
  return parseUserFields({ ...user, ...Object.fromEntries(given) }, at, user)
}

export function changesBetween(before: User, after: UserFields): UserChanged[] {
  const changes: UserChanged[] = []
  const userId = before.id
  if (before.timezone !== after.timezone) {
    changes.push({ kind: 'UserTimezoneChanged', userId, from: before.timezone, to: after.timezone })
  }
  if (before.dateOfBirth !== after.dateOfBirth) {
    changes.push({ kind: 'UserBirthdayChanged', userId, from: before.dateOfBirth, to: after.dateOfBirth })
  }
  return changes
}
