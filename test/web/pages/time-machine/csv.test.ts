// The browser and the import read a CSV table of people alike: column names, quotes, separators and line numbers.
import { describe, expect, it } from 'vitest'
import { importPeople } from '../../../../src/app/users/import-people.ts'
import { createIds } from '../../../../src/domain/events/uuid.ts'
import { tzdb } from '../../../../src/domain/time/tzdb.ts'
import { openSqliteStore } from '../../../../src/stores/sqlite/sqlite-store.ts'
import { readPeople } from '../../../../web/src/pages/time-machine/csv.ts'

const NOW = Date.parse('2026-11-15T04:00:00Z')

/** What each of them reads: people as `name dateOfBirth timezone`, and the numbers of rejected lines. */
type ReadTable = { people: string[]; rejectedLines: number[] }

function readInBrowser(text: string): ReadTable {
  const { people, problems } = readPeople(text)
  return {
    people: people.map(({ name, dateOfBirth, timezone }) => `${name} ${dateOfBirth} ${timezone}`),
    rejectedLines: problems.map(({ line }) => line),
  }
}

async function readByImport(text: string): Promise<ReadTable> {
  const store = openSqliteStore(':memory:')
  async function* chunks() {
    yield text
  }
  const deps = {
    store,
    planner: { ids: createIds(() => 0.5), table: tzdb },
    clock: { now: () => NOW, after: () => ({ cancel: () => {} }) },
    telemetry: () => {},
    deliverAt: '09:00',
    onPlanned: () => {},
  }
  const result = await importPeople(deps, chunks(), { dryRun: false })
  const { items } = await store.listUsers({ limit: 100, cursor: null })
  await store.close()
  if (result.kind === 'no-columns') return { people: [], rejectedLines: [1] }
  return {
    people: items.map((user) => `${user.firstName} ${user.lastName} ${user.dateOfBirth} ${user.timezone}`),
    rejectedLines: [...new Set(result.report.errors.map(({ line }) => line))],
  }
}

const ADA = 'Ada Lovelace 1990-12-15 America/Vancouver'

describe('the browser and the import', () => {
  it.each([
    ['firstName,lastName,dateOfBirth,timezone'],
    ['First Name,Last-Name,DATE OF BIRTH,Time_Zone'],
    ['givenName,surname,birthDate,location'],
    ['given.name,familyName,birthday,zone'],
    ['first,last,dob,tz'],
  ])('accept the column names %s', async (header) => {
    const table = `${header}\nAda,Lovelace,1990-12-15,america/vancouver\n`
    expect(readInBrowser(table)).toEqual({ people: [ADA], rejectedLines: [] })
    expect(await readByImport(table)).toEqual({ people: [ADA], rejectedLines: [] })
  })

  it.each([
    ['a byte order mark', '\uFEFFfirst,last,dob,tz\nAda,Lovelace,1990-12-15,America/Vancouver\n', [ADA], []],
    ['semicolons', 'first;last;dob;tz\nAda;Lovelace;1990-12-15;America/Vancouver\n', [ADA], []],
    ['tabs', 'first\tlast\tdob\ttz\nAda\tLovelace\t1990-12-15\tAmerica/Vancouver\n', [ADA], []],
    [
      'quotes around separators, quotes and line breaks',
      'first,last,note,dob,tz\nAda,"Love, ""lace""","a\r\nb",1990-12-15,America/Vancouver\n',
      ['Ada Love, "lace" 1990-12-15 America/Vancouver'],
      [],
    ],
    [
      'columns in another order, and columns that are not used',
      'tz,team,last,first,dob\nAmerica/Vancouver,x,Lovelace,Ada,1990-12-15\n',
      [ADA],
      [],
    ],
    [
      'blank lines and CRLF',
      'first,last,dob,tz\r\n\r\nAda,Lovelace,1990-12-15,America/Vancouver\r\n,,,\r\n',
      [ADA],
      [],
    ],
    [
      'an escaped formula',
      "first,last,dob,tz\n'=Ada,Lovelace,1990-12-15,America/Vancouver\n",
      [`=${ADA}`],
      [],
    ],
    ['a date that does not exist', 'first,last,dob,tz\nA,B,1990-02-30,UTC\n', [], [2]],
    ['an unknown timezone', 'first,last,dob,tz\nA,B,1990-02-28,PST\n', [], [2]],
    ['a row that is too short', 'first,last,dob,tz\nA,B,1990-02-28\n', [], [2]],
    ['a misplaced quote', 'first,last,dob,tz\nA,5" B,1990-02-28,UTC\n', [], [2]],
    [
      'an invalid line after a cell with a line break',
      'first,last,dob,tz,note\nA,B,1990-02-28,UTC,"x\ny"\nA,B,never,UTC,z\n',
      ['A B 1990-02-28 UTC'],
      [4],
    ],
    ['two columns for one field', 'first,last,dob,birthday,tz\nA,B,1990-02-28,1990-02-28,UTC\n', [], [1]],
    ['missing columns', 'first,last\nA,B\n', [], [1]],
  ] as [string, string, string[], number[]][])(
    'read a table with %s alike',
    async (_, table, people, rejectedLines) => {
      expect(readInBrowser(table)).toEqual({ people, rejectedLines })
      expect(await readByImport(table)).toEqual({ people, rejectedLines })
    },
  )
})

describe('the browser', () => {
  it('needs no names, and accepts a column with the whole name', () => {
    const { people } = readPeople('name,dob,tz\nAda Lovelace,1990-12-15,UTC\n,1990-12-15,UTC\n')
    expect(people.map(({ name }) => name)).toEqual(['Ada Lovelace', 'Line 3'])
    expect(readPeople('dob,tz\n1990-12-15,UTC\n').people).toHaveLength(1)
  })
})

describe('a CSV file', () => {
  it('is read with quotes, semicolons, a byte-order mark and aliases', () => {
    const table = '\uFEFFName;birthDate;location\r\n"Love;lace, ""Ada""";1990-12-15;america/vancouver\r\n\r\n'
    expect(readPeople(table)).toEqual({
      people: [{ name: 'Love;lace, "Ada"', dateOfBirth: '1990-12-15', timezone: 'America/Vancouver' }],
      problems: [],
    })
  })

  it('is rejected line by line, and as a whole without the required columns', () => {
    const { people, problems } = readPeople(
      'first,dob,tz\nA,1990-02-30,UTC\nB,1990-02-28,PST\nC,1990-02-28,UTC\n',
    )
    expect(people.map(({ name }) => name)).toEqual(['C'])
    expect(problems.map(({ line }) => line)).toEqual([2, 3])
    expect(readPeople('a,b\n1,2\n').problems[0]!.message).toContain('dateOfBirth and timezone')
  })
})
