// A user: stored fields, validation, and which changes affect the schedule.

import type { FieldCode, FieldProblem, Parsed } from '../errors.ts'
import { parseLine } from '../formats/line.ts'
import { parseTimezone, type Timezone } from '../time/timezone.ts'
import type { TimezoneTable } from '../time/tzdb.ts'
import { unknownTimezone } from '../time/zone-suggestions.ts'
import { type DateOfBirth, parseDateOfBirth } from './date-of-birth.ts'
import { formatAddress, parseAddress } from './email-address.ts'

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

/** A value that is stored stays valid for its user, also if it would be rejected for a new one. */
export function parseUserFields(
  input: UserInput,
  at: { now: number; table: TimezoneTable },
  stored?: UserFields,
): Parsed<UserFields> {
  const problems: FieldProblem[] = []
  const line = (field: 'firstName' | 'lastName' | 'externalId', text: string, rules: LineRules): string => {
    if (text === stored?.[field]) return text
    const { value, problem } = parseLine(text, rules)
    if (problem !== null) problems.push({ field, code: rules.code, message: problem })
    return value ?? ''
  }
  const firstName = line('firstName', input.firstName, NAME)
  const lastName = line('lastName', input.lastName, NAME)
  const timezone =
    input.timezone === stored?.timezone ? stored.timezone : parseTimezone(input.timezone, at.table)
  if (timezone === null) problems.push(unknownTimezone('timezone', input.timezone, at))
  const born =
    input.dateOfBirth === stored?.dateOfBirth
      ? { date: stored.dateOfBirth }
      : parseDateOfBirth(input.dateOfBirth, { timezone, ...at })
  if ('problem' in born) problems.push(born.problem)
  const email =
    input.email === stored?.email ? (stored?.email ?? null) : parseEmail(input.email ?? null, problems)
  const language = parseUserLanguage(input.language ?? null, problems)
  const externalId = input.externalId == null ? null : line('externalId', input.externalId, EXTERNAL_ID)
  if (problems.length > 0 || timezone === null || 'problem' in born) return { ok: false, problems }
  const fields = { firstName, lastName, dateOfBirth: born.date, timezone, email, language, externalId }
  return { ok: true, value: fields }
}

type LineRules = { what: string; max: number; code: FieldCode }

const NAME: LineRules = { what: 'The name', max: 100, code: 'INVALID_NAME' }
const EXTERNAL_ID: LineRules = {
  what: 'The external id',
  max: 200,
  code: 'INVALID_EXTERNAL_ID',
}

/** An external id as it is stored. */
export function parseExternalId(text: string): Parsed<string> {
  const { value, problem } = parseLine(text, EXTERNAL_ID)
  if (problem === null) return { ok: true, value }
  return { ok: false, problems: [{ field: 'externalId', code: EXTERNAL_ID.code, message: problem }] }
}

/** Whether a change of the fields would change the user. */
export function differs(user: User, fields: UserFields): boolean {
  return (Object.keys(fields) as (keyof UserFields)[]).some((field) => fields[field] !== user[field])
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

/** The address in the spelling that mails are sent to. */
function parseEmail(text: string | null, problems: FieldProblem[]): string | null {
  if (text === null) return null
  const address = parseAddress(text.trim())
  if (address !== null) return formatAddress(address)
  problems.push({
    field: 'email',
    code: 'INVALID_EMAIL',
    message: 'Mails cannot be sent to this address. Use one such as ada@example.com, or omit it.',
  })
  return null
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
