// Turns a table of people, or people named one by one, into people as the API would take them, or into all that is
// wrong with them, each problem with its line.

import type { FieldProblem, Parsed } from '../domain/errors.ts'
import { readCsv } from '../domain/formats/csv.ts'
import type { TimezoneTable } from '../domain/time/tzdb.ts'
import { parseUserFields, type UserFields, type UserInput } from '../domain/users/user.ts'

/** `who` tells where they were named, such as `line 7`, and nothing about them. */
export type ListedPerson = UserFields & { who: string }
export type ListedPeople = { people: ListedPerson[]; problems: string[] }

/** By what a date of birth and a timezone are judged. */
export type Judge = { now: number; table: TimezoneTable }

const COLUMNS = ['firstName', 'lastName', 'dateOfBirth', 'timezone'] as const
type Column = (typeof COLUMNS)[number]

/** Other names that columns are accepted under, as in the API. */
const ALIASES: Readonly<Partial<Record<Column, string>>> = { dateOfBirth: 'birthDate', timezone: 'location' }

export async function readPeople(pieces: AsyncIterable<string>, judge: Judge): Promise<ListedPeople> {
  const people: ListedPerson[] = []
  const problems: string[] = []
  let header: Header | null = null
  for await (const record of readCsv(pieces)) {
    const { line } = record
    if ('problem' in record) {
      problems.push(`line ${line}: ${record.problem}`)
    } else if (header === null) {
      const found = readHeader(record.fields)
      if ('problems' in found)
        return { people, problems: found.problems.map((text) => `line ${line}: ${text}`) }
      header = found
    } else {
      const person = readRow(header, record.fields, judge)
      if (person.ok) people.push({ ...person.value, who: `line ${line}` })
      else problems.push(...person.problems.map(({ field, message }) => `line ${line}, ${field}: ${message}`))
    }
  }
  if (people.length === 0 && problems.length === 0) problems.push('It lists no people.')
  return { people, problems }
}

/** Each is `YYYY-MM-DD Zone/Name`; they are called Person 1, Person 2, … */
export function parsePeople(texts: readonly string[], judge: Judge): ListedPeople {
  const people: ListedPerson[] = []
  const problems: string[] = []
  for (const [index, text] of texts.entries()) {
    const who = `person ${index + 1}`
    const [dateOfBirth = '', timezone, ...rest] = text.trim().split(/\s+/)
    if (timezone === undefined || rest.length > 0) {
      const remedy = 'Give date and timezone, such as "1992-02-29 America/Vancouver".'
      problems.push(`${who}: "${text}" is not usable. ${remedy}`)
      continue
    }
    const names = { firstName: 'Person', lastName: `${index + 1}` }
    const person = parseUserFields({ ...names, dateOfBirth, timezone }, judge)
    if (person.ok) people.push({ ...person.value, who })
    else problems.push(...person.problems.map(({ message }) => `${who}: ${message}`))
  }
  return { people, problems }
}

/** Where each column stands, and under which name. */
type Header = { width: number; columns: Record<Column, { at: number; written: string }> }

function readHeader(names: readonly string[]): Header | { problems: string[] } {
  const problems: string[] = []
  const columns: Partial<Header['columns']> = {}
  for (const name of COLUMNS) {
    const accepted = [name, ALIASES[name]].filter((each) => each !== undefined)
    const found = names.flatMap((written, at) =>
      accepted.includes(written.trim()) ? [{ at, written: written.trim() }] : [],
    )
    if (found.length === 1) columns[name] = found[0]!
    else if (found.length > 1)
      problems.push(`There are ${found.length} columns for ${name}. Keep one of them.`)
    else
      problems.push(
        `There is no column ${accepted.join(' or ')}. The first line names the columns, separated by commas.`,
      )
  }
  return problems.length > 0 ? { problems } : { width: names.length, columns: columns as Header['columns'] }
}

function readRow({ width, columns }: Header, fields: readonly string[], judge: Judge): Parsed<UserFields> {
  if (fields.length !== width) {
    const message = `${fields.length} where the header has ${width}. A field with a comma in it needs quotes.`
    return { ok: false, problems: [{ field: 'fields', code: 'WRONG_WIDTH', message }] }
  }
  const input = Object.fromEntries(COLUMNS.map((name) => [name, fields[columns[name].at]!.trim()]))
  const person = parseUserFields(input as UserInput, judge)
  if (person.ok) return person
  const asWritten = ({ field, ...problem }: FieldProblem) => ({
    ...problem,
    field: columns[field as Column].written,
  })
  return { ok: false, problems: person.problems.map(asWritten) }
}
