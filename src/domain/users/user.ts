// A user: stored fields, validation, and which changes affect the schedule.

import type { FieldProblem, Parsed } from '../errors.ts'
import { parseTimezone, type Timezone } from '../time/timezone.ts'
import type { TimezoneTable } from '../time/tzdb.ts'
import { unknownTimezone } from '../time/zone-suggestions.ts'
import { type DateOfBirth, parseDateOfBirth } from './date-of-birth.ts'

export type UserFields = {
  firstName: string
  lastName: string
  dateOfBirth: DateOfBirth
  timezone: Timezone
  email: string | null
  /** The language of their messages, such as `de` or `pt-BR`; null for the default text. */
  language: string | null
  /** The caller's own id for the user; unique. */
  externalId: string | null
}

export type User = UserFields & { id: string; createdAt: number; updatedAt: number; version: number }

/** The fields as the caller sent them. */
export type UserInput = {
  firstName: string
  lastName: string
  dateOfBirth: string
  timezone: string
  email?: string | null | undefined
  language?: string | null | undefined
  externalId?: string | null | undefined
}

/** A change that can move a user's events. */
export type UserChanged =
  | { kind: 'UserTimezoneChanged'; userId: string; from: Timezone; to: Timezone }
  | { kind: 'UserBirthdayChanged'; userId: string; from: DateOfBirth; to: DateOfBirth }

/** A stored timezone is valid again, also one that new users cannot have any more. */
export function parseUserFields(
  input: UserInput,
  at: { now: number; table: TimezoneTable },
  stored?: Timezone,
): Parsed<UserFields> {
  const problems: FieldProblem[] = []
  const firstName = parseName('firstName', input.firstName, problems)
  const lastName = parseName('lastName', input.lastName, problems)
  const timezone = input.timezone === stored ? stored : parseTimezone(input.timezone, at.table)
  if (timezone === null) problems.push(unknownTimezone('timezone', input.timezone, at))
  const born = parseDateOfBirth(input.dateOfBirth, { timezone, ...at })
  if ('problem' in born) problems.push(born.problem)
  const email = parseEmail(input.email ?? null, problems)
  const language = parseUserLanguage(input.language ?? null, problems)
  const externalId = parseExternalId(input.externalId ?? null, problems)
  if (problems.length > 0 || timezone === null || 'problem' in born) return { ok: false, problems }
  const fields = { firstName, lastName, dateOfBirth: born.date, timezone, email, language, externalId }
  return { ok: true, value: fields }
}

/** The user with some fields replaced. All fields are validated again: in another timezone a date can be in the future. */
export function parseUserChange(
  user: User,
  change: Partial<UserInput>,
  at: { now: number; table: TimezoneTable },
): Parsed<UserFields> {
  const given = Object.entries(change).filter(([, value]) => value !== undefined)
  return parseUserFields({ ...user, ...Object.fromEntries(given) }, at, user.timezone)
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

const NAME_MAX = 100
// Control characters, the Unicode line and paragraph separators, and lone surrogates.
const INVALID_IN_NAME = /[\p{Cc}\u2028\u2029]|\p{Cs}/u

function parseName(field: 'firstName' | 'lastName', text: string, problems: FieldProblem[]): string {
  const name = text.trim()
  const length = [...name].length
  if (length < 1 || length > NAME_MAX) {
    const found = length < 1 ? 'is empty' : `has ${length} characters`
    problems.push({
      field,
      code: 'INVALID_NAME',
      message: `The name ${found}. Use 1 to ${NAME_MAX} characters.`,
    })
  } else if (INVALID_IN_NAME.test(name)) {
    problems.push({
      field,
      code: 'INVALID_NAME',
      message: 'The name contains control characters or invalid Unicode. Remove them.',
    })
  }
  return name
}

const EMAIL_MAX = 254
// Rejects only what no mail system would accept. Whether the address works is for the mail system to decide.
const EMAIL = /^[^\s@\p{Cc}\p{Cs}]{1,64}@[^\s@\p{Cc}\p{Cs}]{1,253}$/u

function parseEmail(text: string | null, problems: FieldProblem[]): string | null {
  if (text === null) return null
  const email = text.trim()
  if (email.length > EMAIL_MAX || !EMAIL.test(email)) {
    problems.push({
      field: 'email',
      code: 'INVALID_EMAIL',
      message: 'This is not an e-mail address. Use one such as ada@example.com, or omit it.',
    })
  }
  return email
}

const LANGUAGE = /^[a-z]{2,3}(-[a-z0-9]{2,8}){0,3}$/i

/** A language tag in canonical spelling (`pt-BR`, `zh-Hant`); null if the text is not a language tag. */
export function parseLanguage(text: string): string | null {
  if (!LANGUAGE.test(text)) return null
  return text
    .split('-')
    .map((part, i) => {
      if (i === 0 || part.length > 4) return part.toLowerCase()
      return part.length === 2 ? part.toUpperCase() : part[0]!.toUpperCase() + part.slice(1).toLowerCase()
    })
    .join('-')
}

function parseUserLanguage(text: string | null, problems: FieldProblem[]): string | null {
  if (text === null) return null
  const language = parseLanguage(text.trim())
  if (language === null) {
    problems.push({
      field: 'language',
      code: 'INVALID_LANGUAGE',
      message: 'This is not a language tag. Use one such as de or pt-BR, or omit it.',
    })
  }
  return language
}

const EXTERNAL_ID = /^[^\p{Cc}\p{Cs}\u2028\u2029]{1,200}$/u

function parseExternalId(text: string | null, problems: FieldProblem[]): string | null {
  if (text === null) return null
  const externalId = text.trim()
  if (!EXTERNAL_ID.test(externalId)) {
    problems.push({
      field: 'externalId',
      code: 'INVALID_EXTERNAL_ID',
      message: 'Use 1 to 200 characters, no control characters, or omit it.',
    })
  }
  return externalId
}
