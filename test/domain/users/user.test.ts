// Validation of a user, field by field, and which changes of a user reschedule events.

import { describe, expect, it } from 'vitest'
import type { Timezone } from '../../../src/domain/time/timezone.ts'
import { tzdb } from '../../../src/domain/time/tzdb.ts'
import {
  changesBetween,
  parseUserChange,
  parseUserFields,
  type UserInput,
} from '../../../src/domain/users/user.ts'
import { makePerson } from '../../support/fixtures.ts'

const ada: UserInput = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  dateOfBirth: '1990-12-15',
  timezone: 'Asia/Jakarta',
}
const here = { now: Date.parse('2026-11-15T12:00:00Z'), table: tzdb }

/** The parsed fields, or `field CODE` for each problem. */
function parse(over: Partial<UserInput>) {
  const parsed = parseUserFields({ ...ada, ...over }, here)
  return parsed.ok ? parsed.value : parsed.problems.map(({ field, code }) => `${field} ${code}`)
}

/** Shortens a long value for the name of a test. */
const show = (text: string) =>
  JSON.stringify(text.length > 40 ? `${text.slice(0, 20)}… (${text.length})` : text)
const named = (texts: string[]) => texts.map((text) => [show(text), text] as const)

describe('parseUserFields()', () => {
  it('returns the input, with null for a missing e-mail address, language or external id', () => {
    const none = { ...ada, email: null, language: null, externalId: null }
    expect(parse({})).toEqual(none)
    expect(parse({ email: 'ada@example.com' })).toEqual({ ...none, email: 'ada@example.com' })
    expect(parse({ email: null, language: null })).toEqual(none)
    expect(parse({ email: undefined, language: undefined })).toEqual(none)
    expect(parse({ email: '', language: '', externalId: '', lastName: '', dateOfBirth: '' })).toEqual({
      ...none,
      lastName: null,
      dateOfBirth: null,
    })
  })

  it('writes a language tag in its canonical case and rejects an invalid one', () => {
    const languageOf = (language: string) => (parse({ language }) as { language: string }).language
    expect(['DE', 'pt-br', 'zh-hant-tw', ' en '].map(languageOf)).toEqual(['de', 'pt-BR', 'zh-Hant-TW', 'en'])
    for (const language of ['german', 'd', 'de_DE', 'de-', '12', '../../..'])
      expect(parse({ language })).toEqual(['language INVALID_LANGUAGE'])
  })

  it('reports a problem for each invalid field', () => {
    const everything = { firstName: '', lastName: '\n', dateOfBirth: 'x', timezone: 'y', email: 'z' }
    expect(parse(everything)).toEqual([
      'firstName INVALID_NAME',
      'lastName INVALID_NAME',
      'dateOfBirth INVALID_DATE',
      'timezone UNKNOWN_TIMEZONE',
      'email INVALID_EMAIL',
    ])
  })
})

describe('the name of a user', () => {
  it.each(
    named([
      'O’Brien',
      "O'Brien",
      '李小龍',
      'يوسف',
      'Zoë',
      '\u05e9\u05bc\u05c1\u05b8\u0591'.normalize('NFC'),
      'ชื่อ',
      'ལྷག',
      '\u2067يوسف\u2069 A',
      'يوسف\u200f',
      '👩\u200d🚀',
      '❤\ufe0f',
      'क्ष\u200dा',
      '{firstName}',
    ]),
  )('can be %s', (_shown, name) => {
    expect(parse({ firstName: name, lastName: name })).toMatchObject({ firstName: name, lastName: name })
  })

  it('is trimmed', () => {
    expect(parse({ firstName: '  Ada\t', lastName: '\u00a0van der Berg\n' })).toMatchObject({
      firstName: 'Ada',
      lastName: 'van der Berg',
    })
  })

  it('is stored in NFC, so that two spellings of one name are one name', () => {
    const separate = { firstName: 'Zoe\u0308', lastName: '\u1112\u1161\u11ab', externalId: 'cafe\u0301' }
    expect(parse(separate)).toMatchObject({ firstName: 'Zoë', lastName: '한', externalId: 'café' })
  })

  it.each([
    ['a zero width space', '\u200b'],
    ['a zero width joiner', '\u200d'],
    ['a word joiner', '\u2060'],
    ['a soft hyphen', '\u00ad'],
    ['a Hangul filler', '\u3164'],
    ['a half width Hangul filler', '\uffa0'],
    ['an empty Braille pattern', '\u2800'],
    ['a Mongolian vowel separator', '\u180e'],
    ['a variation selector', '\ufe0f'],
    ['tag characters', '\u{e0041}\u{e007f}'],
    ['a left-to-right mark', '\u200e'],
    ['an inherent Khmer vowel', '\u17b4'],
    ['a musical beam', '\u{1d173}'],
    ['an accent without a letter', '\u0301'],
    ['a private character', '\ue000'],
    ['all of them', '\u200b\u3164 \u2800\u200e'],
  ])('cannot consist of %s alone', (_, name) => {
    const parsed = parseUserFields({ ...ada, firstName: name, externalId: name }, here)
    const message = 'has no visible character. Use at least one.'
    expect(parsed).toEqual({
      ok: false,
      problems: [
        { field: 'firstName', code: 'INVALID_NAME', message: `The name ${message}` },
        { field: 'externalId', code: 'INVALID_EXTERNAL_ID', message: `The external id ${message}` },
      ],
    })
  })

  it.each([
    ['an override', '\u202eevil B'],
    ['an override that is closed', '\u202dB\u202c'],
    ['an embedding that is not closed', 'A\u202bB'],
    ['an isolate that is not closed', 'A\u2067B'],
    ['an isolate that is closed as an embedding', '\u2066B\u202c'],
    ['an end without a beginning', 'A\u2069'],
    ['controls that are closed in the wrong order', '\u202a\u2066A\u202c\u2069'],
  ])('cannot change the direction of the text after it by %s', (_, name) => {
    const parsed = parseUserFields({ ...ada, lastName: name }, here)
    const message = 'The name changes the direction of the text after it. Remove the direction controls.'
    expect(parsed).toMatchObject({ problems: [{ field: 'lastName', code: 'INVALID_NAME', message }] })
  })

  it('has at most six accents on one letter, also if invisible characters are between them', () => {
    const marked = (marks: string) => parse({ firstName: `Z${marks}oe${marks}` })
    expect(marked('\u0323'.repeat(6))).toMatchObject({ firstName: expect.any(String) })
    for (const mark of ['\u0315', '\u0315\u200d', '\u0315\ufe0f', '\u20dd']) {
      expect(marked(mark.repeat(90 / mark.length / 2))).toEqual(['firstName INVALID_NAME'])
    }
  })

  it.each(['\ufdd0', '\ufffe', '\u{1ffff}', '\u{10fffe}', '\u200b', '\u2060', '\ufeff', '\u{e0041}'])(
    'cannot contain the noncharacter or the invisible character %j',
    (sign) => expect(parse({ firstName: `A${sign}B` })).toEqual(['firstName INVALID_NAME']),
  )

  it('has at most 100 characters, where an emoji counts as one', () => {
    expect(parse({ firstName: 'a'.repeat(100) })).toMatchObject({ firstName: 'a'.repeat(100) })
    expect(parse({ firstName: '🎂'.repeat(100) })).toMatchObject({ firstName: '🎂'.repeat(100) })
    expect(parse({ firstName: `  ${'a'.repeat(100)}  ` })).toMatchObject({ firstName: 'a'.repeat(100) })
    expect(parse({ firstName: 'a'.repeat(101) })).toEqual(['firstName INVALID_NAME'])
    expect(parse({ lastName: '🎂'.repeat(101) })).toEqual(['lastName INVALID_NAME'])
  })

  it.each(named(['', '\t\n', 'A\u0000B', 'A\nB', 'A\u001bB', 'A\u2028B', 'A\ud800B', '\ud83d', '\udf82A']))(
    'cannot be %s',
    (_shown, name) => {
      expect(parse({ firstName: name })).toEqual(['firstName INVALID_NAME'])
      if (name !== '') expect(parse({ lastName: name })).toEqual(['lastName INVALID_NAME'])
    },
  )
})

describe('the e-mail address of a user', () => {
  it('is trimmed, and stored in the spelling that mails are sent to', () => {
    expect(parse({ email: ' ada@example.com\n' })).toMatchObject({ email: 'ada@example.com' })
    expect(parse({ email: 'Ada@Example.COM' })).toMatchObject({ email: 'Ada@example.com' })
    expect(parse({ email: 'ada@bücher.example' })).toMatchObject({ email: 'ada@xn--bcher-kva.example' })
    expect(parse({ email: 'ada@\u0430pple.com' })).toMatchObject({ email: 'ada@xn--pple-43d.com' })
  })
})

describe('parseUserChange()', () => {
  it('keeps stored values that a new user cannot have, and accepts them again', () => {
    const stored = { ...makePerson().user, firstName: '\u200b', email: 'a@localhost', externalId: '\u3164' }
    const { firstName, email, externalId } = stored
    const change = (input: Partial<UserInput>) => parseUserChange(stored, input, here)
    const kept = { ok: true, value: { lastName: 'King', firstName, email, externalId } }
    expect(change({ lastName: 'King' })).toMatchObject(kept)
    expect(change({ lastName: 'King', firstName, email, externalId })).toMatchObject(kept)
    expect(change({ firstName: '\u2060' })).toMatchObject({ ok: false })
    expect(change({ email: null })).toMatchObject({ ok: true, value: { email: null } })
  })

  it('keeps a stored timezone that a new user cannot have, and accepts it again', () => {
    const stored = { ...makePerson().user, timezone: 'EST' as Timezone }
    const change = (input: Partial<UserInput>) => parseUserChange(stored, input, here)
    expect(change({ lastName: 'King' })).toMatchObject({ ok: true, value: { timezone: 'EST' } })
    expect(change({ timezone: 'EST' })).toMatchObject({ ok: true, value: { timezone: 'EST' } })
    expect(change({ timezone: 'MST' })).toMatchObject({ ok: false })
  })

  const { user } = makePerson({ timezone: 'Asia/Tokyo', dateOfBirth: '1990-06-01' })

  it('keeps the fields that the change does not name', () => {
    const changed = parseUserChange(user, { firstName: 'Augusta' }, here)
    const { lastName, dateOfBirth, timezone, email, language, externalId } = user
    expect(changed).toEqual({
      ok: true,
      value: { firstName: 'Augusta', lastName, dateOfBirth, timezone, email, language, externalId },
    })
  })

  it('accepts a timezone in which the stored date of birth is in the future, and no other such date', () => {
    const newborn = { ...user, dateOfBirth: '2026-11-16' as typeof user.dateOfBirth }
    const change = { timezone: 'America/Los_Angeles' }
    const at = { ...here, now: Date.parse('2026-11-15T16:00:00Z') }
    expect(parseUserChange(newborn, change, at).ok).toBe(true)
    expect(parseUserChange(newborn, { ...change, dateOfBirth: '2026-11-17' }, at)).toMatchObject({
      ok: false,
      problems: [{ field: 'dateOfBirth', code: 'DATE_IN_FUTURE' }],
    })
  })
})

describe('changesBetween()', () => {
  const { user } = makePerson({ timezone: 'Asia/Tokyo', dateOfBirth: '1990-06-01' })

  it('reports a new timezone and a new date of birth, and no other change', () => {
    const timezone = 'Europe/Rome' as typeof user.timezone
    const dateOfBirth = '1990-06-02' as typeof user.dateOfBirth
    const moved = { kind: 'UserTimezoneChanged', userId: user.id, from: 'Asia/Tokyo', to: 'Europe/Rome' }
    const corrected = { kind: 'UserBirthdayChanged', userId: user.id, from: '1990-06-01', to: '1990-06-02' }
    expect(changesBetween(user, { ...user, timezone })).toEqual([moved])
    expect(changesBetween(user, { ...user, dateOfBirth })).toEqual([corrected])
    expect(changesBetween(user, { ...user, timezone, dateOfBirth })).toEqual([moved, corrected])
    expect(changesBetween(user, { ...user, firstName: 'Augusta', lastName: 'King', email: 'a@b' })).toEqual(
      [],
    )
  })
})
