// Import and export of people: each row by itself, nobody twice, never the whole file in memory.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AppDeps } from '../../../src/app/app-deps.ts'
import { changeUser } from '../../../src/app/users/change.ts'
import { createPeople, preparePerson } from '../../../src/app/users/create.ts'
import { exportPeople } from '../../../src/app/users/export-people.ts'
import {
  type ImportOptions,
  type ImportReport,
  importPeople,
  type RowProblem,
} from '../../../src/app/users/import-people.ts'
import { createIds } from '../../../src/domain/events/uuid.ts'
import { tzdb } from '../../../src/domain/time/tzdb.ts'
import type { Store } from '../../../src/ports/store.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { clockAt } from '../../support/fixtures.ts'

const NOW = Date.parse('2026-11-15T04:00:00Z')
const HEADER = 'firstName,lastName,dateOfBirth,timezone,email,language,externalId\n'
const ADA = 'Ada,Lovelace,1990-12-15,America/Vancouver,ada@example.com,en,crm-1\n'
const RADEN = 'Raden,Kartini,1979-04-21,Asia/Jakarta,,,crm-2\n'

let store: Store
let deps: AppDeps
beforeEach(() => {
  store = openSqliteStore(':memory:')
  deps = depsOn(store)
})
afterEach(() => store.close())

function depsOn(store: Store): AppDeps {
  return {
    store,
    planner: { ids: createIds(() => 0.5), table: tzdb },
    clock: clockAt(NOW),
    telemetry: () => {},
    deliverAt: '09:00',
    onPlanned: () => {},
  }
}

async function* inPieces(...pieces: string[]): AsyncGenerator<string> {
  yield* pieces
}

async function take(text: string, options: Partial<ImportOptions> = {}, on = deps): Promise<ImportReport> {
  const result = await importPeople(on, inPieces(text), { dryRun: false, ...options })
  if (result.kind !== 'done') throw new Error(JSON.stringify(result.problems))
  return result.report
}

async function everybody(of = store) {
  return (await of.listUsers({ limit: 10_000, cursor: null })).items
}

async function exported(format: 'csv' | 'json' = 'csv', of = store): Promise<string> {
  let text = ''
  for await (const piece of exportPeople(of, { format })) text += piece
  return text
}

describe('an import', () => {
  it('creates each person with a birthday planned', async () => {
    expect(await take(HEADER + ADA + RADEN)).toEqual({
      read: 2,
      created: 2,
      unchanged: 0,
      different: 0,
      rejected: 0,
      errors: [],
    })
    const [ada, raden] = await everybody()
    expect(ada).toMatchObject({
      firstName: 'Ada',
      email: 'ada@example.com',
      language: 'en',
      externalId: 'crm-1',
    })
    expect(raden).toMatchObject({ lastName: 'Kartini', email: null, language: null, externalId: 'crm-2' })
    const { items } = await store.listEvents({ limit: 10, cursor: null, userId: ada!.id })
    expect(items).toMatchObject([{ status: 'PENDING', targetAt: Date.parse('2026-12-15T16:00:00Z') }])
  })

  it.each([
    ['First Name;Last Name;Birthday;Zone;E-Mail;id', ';'],
    ['first_name\tlast_name\tbirth_date\tlocation\temail\texternal_id', '\t'],
    ['\ufeffFIRSTNAME,LASTNAME,dateofbirth,Time Zone,Email,External ID', ','],
    ['"firstName","lastName","dateOfBirth","timezone","email","externalId"', ','],
  ])('accepts the column names %j', async (header, separator) => {
    const row = ['Ada', '"Love; lace, ""A"""', ' 1990-12-15 ', 'america/vancouver', '', 'crm-1'].join(
      separator,
    )
    expect(await take(`${header}\r\n${row}\r\n${separator.repeat(5)}\r\n\r\n`)).toMatchObject({
      read: 1,
      created: 1,
    })
    expect(await everybody()).toMatchObject([
      {
        lastName: 'Love; lace, "A"',
        dateOfBirth: '1990-12-15',
        timezone: 'America/Vancouver',
        externalId: 'crm-1',
      },
    ])
  })

  it('warns of dates of birth that more than one percent of the rows share, and accepts rows without one', async () => {
    const row = (date: string, i: number) => `Ada,,${date},UTC,,,${i}\n`
    const dates = Array.from({ length: 1_000 }, (_, i) => {
      if (i < 30) return '1900-01-01'
      if (i < 42) return '--01-01'
      return i < 100 ? '' : `19${10 + (i % 90)}-0${1 + (i % 9)}-${10 + (i % 18)}`
    })
    const report = await take(HEADER + dates.map(row).join(''))
    expect(report).toMatchObject({ created: 1_000, rejected: 0 })
    expect(report.sharedDates).toEqual([
      { date: '1900-01-01', people: 30 },
      { date: '--01-01', people: 12 },
    ])
    expect((await everybody())[50]).toMatchObject({ lastName: null, dateOfBirth: null })
    expect((await take(`${HEADER}Eve,,1900-01-01,UTC,,,x\n`)).sharedDates).toBeUndefined()
  })

  it('gives a new person with a date of hire a work anniversary, and rejects a date that does not exist or is before the birth', async () => {
    const table = `first,last,dob,tz,id,Hire date\nAda,Lovelace,1990-12-15,UTC,1,2019-03-01\nEve,No,1990-12-15,UTC,2,\nBob,Bad,1990-12-15,UTC,3,2019-02-30\nIda,Ant,1990-12-15,UTC,4,1990-12-14\n`
    const report = await take(table)
    expect(report).toMatchObject({
      created: 2,
      errors: [
        { line: 4, field: 'Hire date', code: 'INVALID_DATE' },
        { line: 5, field: 'Hire date', code: 'CONFLICTING_FIELDS' },
      ],
    })
    const { items } = await store.listPeople({ limit: 9, cursor: null })
    const plans = items.map((person) =>
      person.plans.map(({ occasion: { type, date, localTime }, open }) => [
        type,
        date,
        localTime,
        open!.occurrence,
      ]),
    )
    const birthday = ['BIRTHDAY', null, '09:00', '2026']
    expect(plans).toEqual([[birthday, ['WORK_ANNIVERSARY', '2019-03-01', '09:00', '2027']], [birthday]])
  })

  it('accepts columns in any order and ignores others', async () => {
    await take('note,timezone,lastName,dateOfBirth,firstName\n"two\nlines",Etc/UTC,Lovelace,1990-12-15,Ada\n')
    expect(await everybody()).toMatchObject([{ firstName: 'Ada', lastName: 'Lovelace', timezone: 'Etc/UTC' }])
  })

  it.each([
    ['', ['The table is empty. The first line must name the columns.']],
    [
      'Ada,Lovelace,1990-12-15,Etc/UTC\n',
      ['firstName', 'lastName', 'dateOfBirth', 'timezone'].map(
        (name) => `No column ${name}. The first line must name the columns.`,
      ),
    ],
    [
      'firstName,first_name,lastName,birthday,zone\n',
      ['More than one column for firstName. Keep one of them.'],
    ],
    ['f\ufffdrst,b\n', ['The text is not UTF-8. Save the file as UTF-8.']],
    ['"a"b\n', ['Text follows a closing quote. Put the whole field in quotes.']],
  ])('is rejected as a whole when its columns cannot be recognized: %j', async (text, messages) => {
    const result = await importPeople(deps, inPieces(text), { dryRun: false })
    expect(result).toMatchObject({ kind: 'no-columns', problems: messages.map((message) => ({ message })) })
    expect(await everybody()).toEqual([])
  })
})

describe('an invalid row of an import', () => {
  const WRONG = [
    'Name,Secretname,1990-02-30,CST,nomail,en,crm-3',
    'Name,Secretname,2999-01-01,Etc/UTC,,,crm-4',
    'Name,Secretname,1990-12-15',
    'Name,Secretname,1990-12-15,Etc/UTC,,,crm-5,too much',
    'Name,"Secret"name,1990-12-15,Etc/UTC,,,crm-6',
    'Name,Secret\ufffdname,1990-12-15,Etc/UTC,,,crm-7',
    ',Secretname,1990-12-15,Etc/UTC,,,\u0007',
  ].join('\n')

  it('is rejected by itself, with its line number and all its problems', async () => {
    const report = await take(`${HEADER}${ADA}${WRONG}\n${RADEN}`)
    expect(report).toMatchObject({ read: 9, created: 2, rejected: 7 })
    expect(report.errors.map(({ line, field, code }) => `${line} ${field} ${code}`)).toEqual([
      '3 dateOfBirth INVALID_DATE',
      '3 timezone UNKNOWN_TIMEZONE',
      '3 email INVALID_EMAIL',
      '4 dateOfBirth DATE_IN_FUTURE',
      '5  WRONG_WIDTH',
      '6  WRONG_WIDTH',
      '7  BROKEN_ROW',
      '8 lastName NOT_UTF8',
      '9 firstName INVALID_NAME',
      '9 externalId INVALID_EXTERNAL_ID',
    ])
    expect((await everybody()).map(({ firstName }) => firstName)).toEqual(['Ada', 'Raden'])
  })

  it('is reported without personal data except the timezone', async () => {
    const { errors } = await take(`${HEADER}${WRONG}`)
    const text = JSON.stringify(errors)
    expect(text).not.toMatch(/Secret|1990-02|2999|nomail|crm-/)
    expect(text).toContain('Unknown timezone \\"CST\\". It is the abbreviation of several: America/Chicago')
  })

  it('is reported with the name of its column in the file', async () => {
    const { errors } = await take('First Name,last_name,Birthday,Location,id\n,L,x,Jakarta,\u0007\n')
    expect(errors.map(({ field }) => field)).toEqual(['First Name', 'Birthday', 'Location', 'id'])
  })

  it('is in the report if it is among the first hundred, and always passed to the callback', async () => {
    const told: RowProblem[] = []
    const report = await take(HEADER + ',L,1990-12-15,Etc/UTC,,,\n'.repeat(1_234), {
      onProblem: (problem) => {
        told.push(problem)
      },
    })
    expect([report.rejected, report.errors.length, told.length]).toEqual([1_234, 100, 1_234])
    expect(told.at(-1)).toMatchObject({ line: 1_235, field: 'firstName' })
  })
})

describe('a repeated import', () => {
  it('creates nobody and changes nobody, and counts rows that differ', async () => {
    await take(HEADER + ADA + RADEN)
    const before = await everybody()
    const counts = { read: 2, created: 0, unchanged: 2 }
    expect(await take(HEADER + ADA + RADEN)).toMatchObject({ ...counts, different: 0 })
    const moved = ADA.replace('America/Vancouver', 'Etc/UTC')
    expect(await take(HEADER + moved + RADEN)).toMatchObject({ ...counts, different: 1 })
    expect(await everybody()).toEqual(before)
  })

  it('creates nobody if rows have no external id: it is derived from the row', async () => {
    const rows = HEADER + [ADA, RADEN].join('').replaceAll(/crm-\d/g, '')
    expect(await take(rows)).toMatchObject({ created: 2 })
    expect((await everybody()).map(({ externalId }) => externalId)).toEqual([
      expect.stringMatching(/^csv-[0-9a-f]{64}$/),
      expect.stringMatching(/^csv-[0-9a-f]{64}$/),
    ])
    const spelled = rows.replace('America/Vancouver', ' america/vancouver ')
    expect(await take(spelled)).toMatchObject({ created: 0, unchanged: 2 })
  })

  it('creates each person once if two imports run at the same time', async () => {
    const rows = Array.from({ length: 600 }, (_, i) => ADA.replace('crm-1', `crm-${i}`)).join('')
    const [one, other] = await Promise.all([take(HEADER + rows), take(HEADER + rows)])
    expect(one.created + other.created).toBe(600)
    expect(one.unchanged + other.unchanged).toBe(600)
    expect(await everybody()).toHaveLength(600)
  })
})

describe('the import of a long file', () => {
  const ROWS = 100
  const piece = (from: number) =>
    Array.from({ length: ROWS }, (_, i) => ADA.replace('crm-1', `crm-${from + i}`)).join('')

  it('holds no more than a batch and a few chunks in memory', async () => {
    let ahead = 0
    async function* long() {
      yield HEADER
      for (let rows = 0; rows < 3_000; rows += ROWS) {
        ahead = Math.max(ahead, rows - (await everybody()).length)
        yield piece(rows)
      }
    }
    const steps: number[] = []
    const result = await importPeople(deps, long(), { dryRun: false, onStep: ({ read }) => steps.push(read) })
    expect(result).toMatchObject({ report: { read: 3_000, created: 3_000 } })
    expect(ahead).toBeLessThan(1_000)
    expect(steps.slice(0, 3)).toEqual([500, 1_000, 1_500])
  })

  it('is read while two batches are written, and no further', async () => {
    let [writing, most, read] = [0, 0, 0]
    const slow: Store = {
      ...store,
      createUsers: async (...args) => {
        writing += 1
        most = Math.max(most, writing)
        await new Promise((resolve) => setTimeout(resolve, 5))
        writing -= 1
        return store.createUsers(...args)
      },
    }
    async function* long() {
      yield HEADER
      for (; read < 1_000; read += ROWS) yield piece(read)
    }
    const steps: [number, number][] = []
    const how = { dryRun: false, batch: 100, inFlight: 2 }
    const onStep = (report: { read: number }) => steps.push([report.read, read - report.read])
    await importPeople(depsOn(slow), long(), { ...how, onStep })
    expect(most).toBe(2)
    expect(steps.map(([rows]) => rows)).toEqual(Array.from({ length: 10 }, (_, i) => (i + 1) * 100))
    expect(Math.max(...steps.map(([, ahead]) => ahead))).toBeLessThanOrEqual(400)
    expect(await everybody()).toHaveLength(1_000)
  })

  it('compares a person who is in two batches that could be written at once with the first of them', async () => {
    const [anonymous, others] = [ADA.replace('crm-1', ''), ADA + ADA.replace('crm-1', 'crm-2')]
    const how = { dryRun: false, batch: 2, inFlight: 2 }
    expect(await take(HEADER + anonymous + others + anonymous, how)).toMatchObject({
      created: 3,
      unchanged: 1,
      different: 0,
    })
    expect((await everybody()).map(({ firstName }) => firstName)).toEqual(['Ada', 'Ada', 'Ada'])
  })

  it('rejects a row whose external id an earlier row of the file has, with both lines', async () => {
    expect(await take(HEADER + ADA + RADEN + ADA.replace('Ada', 'Eve'))).toMatchObject({
      created: 2,
      unchanged: 0,
      errors: [
        { line: 4, code: 'EXTERNAL_ID_TAKEN', message: expect.stringMatching(/^Line 2 has the same/) },
      ],
    })
    expect((await everybody()).map(({ firstName }) => firstName)).not.toContain('Eve')
  })

  it('of new people looks nobody up', async () => {
    const blind = depsOn({ ...store, findUsersByExternalId: () => Promise.reject(new Error('looked up')) })
    expect(await take(HEADER + piece(0), {}, blind)).toMatchObject({ created: ROWS, unchanged: 0 })
  })

  it('fails with the error of a batch, and keeps the batches before it', async () => {
    let calls = 0
    const failing: Store = {
      ...store,
      createUsers: async (...args) => {
        calls += 1
        if (calls === 3) throw new Error('disk full')
        return store.createUsers(...args)
      },
    }
    const how = { batch: 100, inFlight: 2 }
    const whole = HEADER + Array.from({ length: 6 }, (_, i) => piece(i * ROWS)).join('')
    await expect(take(whole, how, depsOn(failing))).rejects.toThrow('disk full')
    expect((await everybody()).length).toBeGreaterThanOrEqual(200)
  })

  it('that breaks off has created the people of all complete rows and ignored the last row', async () => {
    async function* broken() {
      yield HEADER + Array.from({ length: 6 }, (_, i) => piece(i * ROWS)).join('')
      yield 'Eve,Half,1990-12-15,America/Argentina'
      throw new Error('cut')
    }
    await expect(importPeople(deps, broken(), { dryRun: false })).rejects.toThrow('cut')
    const people = await everybody()
    expect(people).toHaveLength(500)
    expect(people.map(({ firstName }) => firstName)).not.toContain('Eve')
    const whole = HEADER + Array.from({ length: 6 }, (_, i) => piece(i * ROWS)).join('')
    await take(whole)
    expect(await everybody()).toHaveLength(600)
  })
})

describe('a dry run of an import', () => {
  it('reports the counts and writes nothing', async () => {
    await take(HEADER + ADA)
    const report = await take(`${HEADER + ADA + RADEN},L,1990-12-15,Etc/UTC,,,\n`, { dryRun: true })
    expect(report).toMatchObject({ read: 3, created: 1, unchanged: 1, rejected: 1 })
    expect(await everybody()).toHaveLength(1)
  })
})

describe('an export', () => {
  const ODD = ['=1+1', '+49', '-dash', '@at', "'=quoted", 'a,"b"', 'José', '漢字', "O'Neill", '🎂']

  async function seed(): Promise<void> {
    for (const [i, lastName] of ODD.entries()) {
      const input = { firstName: 'Ada', lastName, dateOfBirth: '1990-12-15', timezone: 'Etc/UTC' }
      const extra = i % 2 === 0 ? {} : { externalId: `-crm-${i}`, email: '=x@example.com', language: 'de' }
      const person = preparePerson(deps, { ...input, ...extra })
      if (person.ok) await createPeople(deps, [person.value])
    }
  }
  const told = async (of: Store) =>
    (await everybody(of)).map(({ firstName, lastName, dateOfBirth, timezone, email, language }) => {
      return { firstName, lastName, dateOfBirth, timezone, email, language }
    })

  it('contains no cell that a spreadsheet would run as a formula', async () => {
    await seed()
    const cells = (await exported()).split('\r\n').flatMap((line) => line.split(','))
    expect(cells.length).toBeGreaterThan(80)
    expect(cells.filter((cell) => /^"?[=+\-@]/.test(cell))).toEqual([])
  })

  it('imported again changes nothing, even for people without an external id', async () => {
    await seed()
    const before = await everybody()
    expect(await take(await exported())).toMatchObject({ created: 0, unchanged: ODD.length, different: 0 })
    expect(await everybody()).toEqual(before)
  })

  it('imported into another database creates the same people once', async () => {
    await seed()
    const elsewhere = openSqliteStore(':memory:')
    const there = depsOn(elsewhere)
    expect(await take(await exported(), {}, there)).toMatchObject({ created: ODD.length, rejected: 0 })
    expect(await told(elsewhere)).toEqual(await told(store))
    expect(await take(await exported(), {}, there)).toMatchObject({ created: 0, unchanged: ODD.length })
    expect(await take(await exported('csv', elsewhere), {}, there)).toMatchObject({
      created: 0,
      different: 0,
    })
    await elsewhere.close()
  })

  it('lists everybody in order of id, over many pages', async () => {
    const rows = Array.from({ length: 1_201 }, (_, i) => ADA.replace('crm-1', `crm-${i}`)).join('')
    await take(HEADER + rows)
    const ids = (await everybody()).map(({ id }) => id)
    const lines = (await exported('json'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.slice(0, -1).map(({ id }) => id)).toEqual(ids)
    expect(lines.at(-1)).toEqual({ end: true })
    expect((await exported()).match(/\r\n/g)).toHaveLength(1_203)
  })

  it('of an empty database is only the header and the end in CSV, and the end in JSON lines', async () => {
    const header = 'id,externalId,firstName,lastName,dateOfBirth,timezone,email,language\r\n'
    expect(await exported()).toBe(`${header}#end,,,,,,,\r\n`)
    expect(await exported('json')).toBe('{"end":true}\n')
  })

  it('shows people who moved with their current timezone', async () => {
    await take(HEADER + ADA)
    const [ada] = await everybody()
    await changeUser(deps, ada!.id, { input: { timezone: 'Asia/Tokyo' }, ifVersion: null })
    expect(await exported()).toContain(',Asia/Tokyo,')
    expect(await take(HEADER + ADA)).toMatchObject({ unchanged: 1, different: 1 })
  })
})
