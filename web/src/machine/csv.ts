// Reads a table of people in the browser: nothing of it leaves the page.
import { parseCivilDate } from '../../../src/domain/time/calendar.ts'
import { tzdb } from '../../../src/domain/time/tzdb.ts'

export type CsvPerson = { name: string; dateOfBirth: string; timezone: string }
export type CsvRefusal = { line: number; why: string }
export type CsvPeople = { people: CsvPerson[]; refused: CsvRefusal[] }

/** Names that columns go by, in any letter case, with or without spaces and underscores. */
const COLUMNS = {
  first: ['firstname', 'first', 'givenname'],
  last: ['lastname', 'last', 'familyname', 'surname'],
  name: ['name', 'fullname'],
  date: ['dateofbirth', 'birthdate', 'birthday', 'dob', 'date'],
  zone: ['timezone', 'zone', 'tz', 'location'],
} as const

export function readPeople(text: string): CsvPeople {
  const [head = [], ...rows] = readRows(text)
  const names = head.map((cell) => cell.toLowerCase().replace(/[^a-z]/g, ''))
  const column = (key: keyof typeof COLUMNS) => {
    const known: readonly string[] = COLUMNS[key]
    return names.findIndex((name) => known.includes(name))
  }
  const [first, last, name, date, zone] = [
    column('first'),
    column('last'),
    column('name'),
    column('date'),
    column('zone'),
  ]
  if (date === -1 || zone === -1) {
    const why =
      'The first line must name the columns: dateOfBirth and timezone, and better firstName and lastName, too.'
    return { people: [], refused: [{ line: 1, why }] }
  }
  const people: CsvPerson[] = []
  const refused: CsvRefusal[] = []
  rows.forEach((row, index) => {
    const line = index + 2
    const dateOfBirth = row[date]?.trim() ?? ''
    const given = row[zone]?.trim() ?? ''
    const timezone = tzdb.canonicalName(given)
    if (parseCivilDate(dateOfBirth) === null) {
      refused.push({ line, why: `"${dateOfBirth}" is not a date. Use YYYY-MM-DD.` })
    } else if (timezone === null) {
      refused.push({ line, why: `Unknown timezone "${given}". Use an IANA name such as Asia/Jakarta.` })
    } else {
      const parts = name === -1 ? [row[first], row[last]] : [row[name]]
      const called = parts.filter(Boolean).join(' ').trim()
      people.push({ name: called === '' ? `Line ${line}` : called, dateOfBirth, timezone })
    }
  })
  return { people, refused }
}

/** Cells by RFC 4180: quotes around what holds commas, lines or quotes. Semicolons do, too, where the head has them. */
export function readRows(text: string): string[][] {
  const clean = text.replace(/^\uFEFF/, '')
  const headEnd = clean.indexOf('\n')
  const head = headEnd === -1 ? clean : clean.slice(0, headEnd)
  const separator = !head.includes(',') && head.includes(';') ? ';' : ','
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let quoted = false
  const endCell = () => {
    row.push(cell)
    cell = ''
  }
  const endRow = () => {
    endCell()
    if (row.some((value) => value.trim() !== '')) rows.push(row)
    row = []
  }
  for (let i = 0; i < clean.length; i++) {
    const char = clean[i]!
    if (quoted) {
      if (char !== '"') cell += char
      else if (clean[i + 1] === '"') cell += clean[i++]
      else quoted = false
    } else if (char === '"') quoted = true
    else if (char === separator) endCell()
    else if (char === '\n') endRow()
    else if (char !== '\r') cell += char
  }
  endRow()
  return rows
}
