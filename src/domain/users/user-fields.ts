// The fields of a person. Their parsers, JSON and OpenAPI schemas, CSV columns, flags of the command line and inputs of the
// dashboard are made from this table.

import type { FieldCode, FieldProblem, Parsed } from '../errors.ts'
import { parseLine } from '../formats/line.ts'
import { parseTimezone, type Timezone } from '../time/timezone.ts'
import type { TimezoneTable } from '../time/tzdb.ts'
import { unknownTimezone } from '../time/zone-suggestions.ts'
import { type DateOfBirth, parseDateOfBirth } from './date-of-birth.ts'
import { formatAddress, parseAddress } from './email-address.ts'
import { parseLanguage } from './language.ts'

export type UserFields = {
  firstName: string
  lastName: string | null
  /** `--12-15` without the year. Without a date there is no birthday message. */
  dateOfBirth: DateOfBirth | null
  timezone: Timezone
  email: string | null
  /** The language of their messages, such as `de` or `pt-BR`; null for the default text. */
  language: string | null
  /** The caller's own id for the user; unique. */
  externalId: string | null
}

export type UserField = keyof UserFields

export type ParsedField<T> = { value: T } | { problem: Omit<FieldProblem, 'field'> }

type Field<T> = {
  required: null extends T ? false : true
  title: string
  /** What its flag of the command line takes: `--first-name <name>`. */
  flagValue: string
  /** What it is. */
  about: string
  /** Which values are accepted. */
  accepts: string
  example: string
  /** What its JSON schema says beside `type: string`. */
  schema?: { minLength?: number; maxLength?: number }
  /** Another name in the body of a request. */
  alias?: string
  /** A table without its column is rejected, although cells may be empty: a misspelt name would leave out the field of everybody. */
  needsColumn?: true
  /** Its columns in a CSV file beside its own name, in lower case without spaces and signs. */
  columns: readonly string[]
  /** Stores the value in one spelling. */
  parse(text: string, at: { now: number; table: TimezoneTable }): ParsedField<T>
}

const NAME = {
  required: true,
  needsColumn: true,
  flagValue: 'name',
  accepts: '1 to 100 characters.',
  schema: { minLength: 1, maxLength: 100 },
  parse: (text: string) => line(text, { what: 'The name', max: 100, code: 'INVALID_NAME' }),
} as const
const EXTERNAL_ID = { what: 'The external id', max: 200, code: 'INVALID_EXTERNAL_ID' } as const

export const USER_FIELDS: { readonly [K in UserField]: Field<UserFields[K]> } = {
  firstName: {
    ...NAME,
    title: 'First name',
    about: 'The first name.',
    example: 'Ada',
    columns: ['givenname', 'first'],
  },
  lastName: {
    ...NAME,
    required: false,
    title: 'Last name',
    about: 'The last name.',
    accepts: 'At most 100 characters; null or an empty text for none.',
    schema: { maxLength: 100 },
    example: 'Lovelace',
    columns: ['surname', 'familyname', 'last'],
  },
  dateOfBirth: {
    required: false,
    needsColumn: true,
    title: 'Date of birth',
    flagValue: 'date',
    about: 'The date of birth.',
    accepts:
      'YYYY-MM-DD, not in the future in the timezone of the person, or --MM-DD without the year; null for none, and for no birthday message.',
    example: '1990-12-15',
    alias: 'birthDate',
    columns: ['birthdate', 'birthday', 'dob'],
    parse: parseDateOfBirth,
  },
  timezone: {
    required: true,
    needsColumn: true,
    title: 'Time zone',
    flagValue: 'zone',
    about: 'The IANA name of the timezone.',
    accepts:
      'The name of a place, in any letter case, or UTC. Abbreviations and offsets (EST, CET, GMT, Etc/GMT+5) are rejected with suggestions: they do not follow the clocks of a place.',
    example: 'America/Vancouver',
    alias: 'location',
    columns: ['location', 'zone', 'tz'],
    parse(text, at) {
      const value = parseTimezone(text, at.table)
      return value === null ? { problem: unknownTimezone('timezone', text, at) } : { value }
    },
  },
  email: {
    required: false,
    title: 'Email',
    flagValue: 'address',
    about: 'The e-mail address.',
    accepts: 'Null for none.',
    example: 'ada@example.com',
    columns: [],
    parse(text) {
      const address = parseAddress(text.trim())
      const message = 'Mails cannot be sent to this address. Use one such as ada@example.com, or omit it.'
      // In the spelling that mails are sent to.
      return address === null ? rejected('INVALID_EMAIL', message) : { value: formatAddress(address) }
    },
  },
  language: {
    required: false,
    title: 'Language',
    flagValue: 'tag',
    about: 'The language of their messages.',
    accepts: 'A tag such as de or pt-BR; null for the default text.',
    example: 'en',
    columns: [],
    parse(text) {
      const value = parseLanguage(text.trim())
      const message = 'This is not a language tag. Use one such as de or pt-BR, or omit it.'
      return value === null ? rejected('INVALID_LANGUAGE', message) : { value }
    },
  },
  externalId: {
    required: false,
    title: 'External id',
    flagValue: 'id',
    about: 'The id of the person in your own system.',
    accepts: '1 to 200 characters, unique; null for none.',
    example: 'crm-4711',
    columns: [],
    parse: (text) => line(text, EXTERNAL_ID),
  },
}

export const FIELD_NAMES = Object.keys(USER_FIELDS) as UserField[]

function line(text: string, rules: { what: string; max: number; code: FieldCode }): ParsedField<string> {
  const { value, problem } = parseLine(text, rules)
  return problem === null ? { value } : rejected(rules.code, problem)
}

function rejected(code: FieldCode, message: string): { problem: Omit<FieldProblem, 'field'> } {
  return { problem: { code, message } }
}

/** An external id as it is stored. */
export function parseExternalId(text: string): Parsed<string> {
  const parsed = line(text, EXTERNAL_ID)
  if ('value' in parsed) return { ok: true, value: parsed.value }
  return { ok: false, problems: [{ ...parsed.problem, field: 'externalId' }] }
}

/** A value for each field, by its name. */
export function mapFields<V>(toValue: (name: UserField, field: Field<string | null>) => V): {
  [K in UserField]: V
} {
  const entries = FIELD_NAMES.map((name) => [name, toValue(name, USER_FIELDS[name] as Field<string | null>)])
  return Object.fromEntries(entries)
}
