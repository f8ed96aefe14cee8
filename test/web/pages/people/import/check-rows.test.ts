// The check of a CSV file on the People page: columns, problems and the file of rejected rows.

import { describe, expect, it } from 'vitest'
import { importPeople } from '../../../../../src/app/users/import-people.ts'
import { createIds } from '../../../../../src/domain/events/uuid.ts'
import { tzdb } from '../../../../../src/domain/time/tzdb.ts'
import { openSqliteStore } from '../../../../../src/stores/sqlite/sqlite-store.ts'
import { checkRows, rejectedCsv } from '../../../../../web/src/pages/people/import/check-rows.ts'
import { suggestDates } from '../../../../../web/src/pages/people/import/dates.ts'
import { countLines, problemText } from '../../../../../web/src/pages/people/import/problems.ts'
import {
  guessMapping,
  headerOf,
  type Mapping,
  mapColumn,
  missingFields,
  readTable,
  type Table,
} from '../../../../../web/src/pages/people/import/table.ts'
import { clockAt } from '../../../../support/fixtures.ts'

const NOW = Date.parse('2026-11-15T04:00:00Z')

function tableOf(text: string): Table {
  const table = readTable(text)
  if ('problem' in table) throw new Error(table.problem)
  return table
}

function check(table: Table, mapping: Mapping = guessMapping(table.columns)) {
  const { signal } = new AbortController()
  return checkRows(table.rows, headerOf(table, mapping), { now: NOW, signal })
}

const FIVE_WRONG = `First Name,Last Name,Birthday,Location,E-Mail
Ada,Lovelace,1990-12-15,America/Vancouver,
Raden,Kartini,04/21/1979,Asia/Jakarta,
Grace,Hopper,1906-12-09,CST,
,Nobody,1980-01-01,UTC,
Zoe,Zimmer,1980-01-01,UTC,zoe@
Mary,"Shel"ley,1980-01-01,UTC,
`

describe('the check of a CSV file', () => {
  it('rejects the second row with an external id, and names the line of the first', async () => {
    const rows = 'Ada,L,1990-12-15,UTC,crm-1\nEve,L,1991-12-15,UTC,\nZoe,L,1992-12-15,UTC,crm-1\n'
    const { valid, problems } = await check(tableOf(`first,last,dob,tz,external id\n${rows}`))
    expect(valid.map(({ line }) => line)).toEqual([2, 3])
    expect(problems).toMatchObject([{ line: 4, column: 'external id', value: 'crm-1' }])
    expect(problems[0]!.message).toBe('Line 2 has the same external id. Correct one of them.')
  })

  it('lists the problems of all five rejected rows, with line, column, value and suggestions', async () => {
    const { valid, problems } = await check(tableOf(FIVE_WRONG))
    expect(valid.map(({ line }) => line)).toEqual([2])
    expect(countLines(problems)).toBe(5)
    expect(problems.map((one) => [one.line, one.column, one.value, problemText(one)])).toEqual([
      [3, 'Birthday', '04/21/1979', 'Not a date. Did you mean 1979-04-21?'],
      [
        4,
        'Location',
        'CST',
        'Not a time zone. Did you mean America/Chicago, Asia/Shanghai or America/Havana?',
      ],
      [5, 'First Name', '', 'Required.'],
      [6, 'E-Mail', 'zoe@', expect.stringContaining('Mails cannot be sent to this address.')],
      [7, '', '', expect.stringContaining('quote')],
    ])
  })

  it('lists each problem of a row', async () => {
    const { problems } = await check(tableOf('first,last,dob,tz\n,A,never,PST\n'))
    expect(problems.map(({ line, column }) => `${line} ${column}`)).toEqual(['2 first', '2 dob', '2 tz'])
    expect(countLines(problems)).toBe(1)
  })

  it('rejects the rows that the server rejects', async () => {
    const table = tableOf(FIVE_WRONG)
    const store = openSqliteStore(':memory:')
    async function* chunks() {
      yield FIVE_WRONG
    }
    const deps = {
      store,
      planner: { ids: createIds(() => 0.5), table: tzdb },
      clock: clockAt(NOW),
      telemetry: () => {},
      deliverAt: '09:00',
      onPlanned: () => {},
    }
    const result = await importPeople(deps, chunks(), { dryRun: true })
    await store.close()
    const { problems } = await check(table)
    expect(result).toMatchObject({ report: { rejected: 5, created: 1 } })
    const lines = result.kind === 'done' ? result.report.errors.map(({ line }) => line) : []
    expect(problems.map(({ line }) => line)).toEqual(lines)
  })

  it('stops when it is aborted', async () => {
    const table = tableOf('first,last,dob,tz\nA,B,1990-01-01,UTC\n')
    const header = headerOf(table, guessMapping(table.columns))
    const aborted = checkRows(table.rows, header, { now: NOW, signal: AbortSignal.abort() })
    await expect(aborted).rejects.toThrow()
  })
})

describe('the columns of a CSV file', () => {
  it('are recognised by their names, and can be chosen', async () => {
    const table = tableOf('Vorname;Surname;dob;Zeitzone\nAda;Lovelace;1990-12-15;UTC\n')
    const guessed = guessMapping(table.columns)
    expect(guessed).toEqual([null, 'lastName', 'dateOfBirth', null])
    expect(missingFields(guessed)).toEqual(['firstName', 'timezone'])
    const chosen = mapColumn(mapColumn(guessed, 0, 'firstName'), 3, 'timezone')
    expect(missingFields(chosen)).toEqual([])
    expect((await check(table, chosen)).valid[0]!.person).toMatchObject({ firstName: 'Ada', timezone: 'UTC' })
  })

  it('give a field to one column only', () => {
    expect(guessMapping(['dob', 'birthday'])).toEqual(['dateOfBirth', null])
    expect(mapColumn(['dateOfBirth', null], 1, 'dateOfBirth')).toEqual([null, 'dateOfBirth'])
    expect(mapColumn([null, 'email'], 1, null)).toEqual([null, null])
  })

  it.each([
    ['', 'The file is empty.'],
    ['first,last,dob,tz\n', 'The file has a first line with column names, but no rows.'],
    ['first\uFFFDName\nAda\n', 'The text is not UTF-8. Save the file as UTF-8.'],
    [
      'PK\u0003\u0004\uFFFD\n1,2\n',
      'This is a spreadsheet or another ZIP file, not CSV. Save it as CSV in UTF-8, and import that file.',
    ],
  ])('cannot be read from %j', (text, problem) => {
    expect(readTable(text)).toEqual({ problem })
  })
})

describe('the file of rejected rows', () => {
  it('has the rows as they were, with the error first, and can be imported once corrected', async () => {
    const table = tableOf(FIVE_WRONG)
    const { problems } = await check(table)
    const csv = rejectedCsv(table, problems)
    const again = tableOf(csv)
    expect(again.columns).toEqual(['error', ...table.columns])
    expect(again.rows).toHaveLength(5)
    expect(again.rows[0]).toMatchObject({
      fields: [
        'Birthday: Not a date. Did you mean 1979-04-21?',
        'Raden',
        'Kartini',
        '04/21/1979',
        'Asia/Jakarta',
        '',
      ],
    })
    expect(again.rows[4]).toMatchObject({
      fields: [expect.stringContaining('quote'), 'Mary,"Shel"ley,1980-01-01,UTC,'],
    })
    const corrected = tableOf(csv.replace('04/21/1979', '1979-04-21'))
    expect((await check(corrected)).valid).toHaveLength(1)
  })

  it('has one error column, also if the file has one already', async () => {
    const table = tableOf('error,first,last,dob,tz\nold,A,B,never,UTC\n')
    const csv = rejectedCsv(table, (await check(table)).problems)
    expect(tableOf(csv).columns).toEqual(['error', 'first', 'last', 'dob', 'tz'])
    expect(csv).not.toContain('old')
  })
})

describe('the suggestion for a date', () => {
  it.each([
    ['04/21/1979', ['1979-04-21']],
    ['21/04/1979', ['1979-04-21']],
    ['21.4.1979', ['1979-04-21']],
    ['4/5/1979', ['1979-04-05', '1979-05-04']],
    ['4.5.1979', ['1979-05-04', '1979-04-05']],
    ['1979/4/21', ['1979-04-21']],
    ['19790421', ['1979-04-21']],
    ['21 April 1979', ['1979-04-21']],
    ['Apr 21, 1979', ['1979-04-21']],
    ['1979-04-21T00:00:00Z', ['1979-04-21']],
    ['30/02/1979', []],
    ['21.4.79', []],
    ['never', []],
    ['', []],
  ])('of %s is %j', (text, dates) => {
    expect(suggestDates(text)).toEqual(dates)
  })
})
