// `terce import` and `terce export`: what was imported, what was rejected and why, and all people exported again.
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { addExport } from '../../../src/cli/commands/export.ts'
import { addImport } from '../../../src/cli/commands/import.ts'
import { addMigrate } from '../../../src/cli/commands/migrate.ts'
import { useDatabase } from '../support/in-process.ts'
import { KEY, useServedDatabase } from '../support/serve-database.ts'

const database = useDatabase(addImport, addExport, addMigrate)
const serve = useServedDatabase(database)
const HEADER = 'First Name;Last Name;Birthday;Location;id\r\n'
const GOOD =
  'Ada;Lovelace;1990-12-15;America/Vancouver;crm-1\r\nRaden;Kartini;1979-04-21;Asia/Jakarta;crm-2\r\n'
const BAD = 'Grace;Hopper;1906-12-99;Amercia/New_York;crm-3\r\n=Eve;"Moneypenny\r\n'
const file = (name: string) => readFileSync(join(database.folder, name), 'utf8')

describe('terce import', () => {
  it('imports a CSV file once, and export writes the same people', async () => {
    database.write('people.csv', `\ufeff${HEADER}${GOOD}`)
    const first = await database.terce(['import', 'people.csv'])
    expect(first).toEqual({
      code: 0,
      stdout: '2 rows: 2 created, 0 already exist, 0 rejected.\n',
      stderr: '100 %  2 rows, 0 rejected\n',
    })
    const again = await database.terce(['import', 'people.csv', '--json'])
    expect(JSON.parse(again.stdout)).toEqual({
      read: 2,
      created: 0,
      unchanged: 2,
      different: 0,
      rejected: 0,
      errors: [],
      dryRun: false,
    })

    const out = await database.terce(['export', '--out', 'all.csv'])
    expect(out).toEqual({ code: 0, stdout: '', stderr: 'Exported 2 people.\n' })
    expect(file('all.csv')).toMatch(
      /^id,externalId,.*\r\n[^,]+,crm-1,Ada,Lovelace,1990-12-15,America\/Vancouver,,\r\n/,
    )
    expect(statSync(join(database.folder, 'all.csv')).mode & 0o777).toBe(0o600)
  })

  it('records an import and an export in the audit log, and no dry run', async () => {
    database.write('people.csv', HEADER + GOOD)
    await database.terce(['import', 'people.csv', '--dry-run'])
    await database.terce(['import', 'people.csv'])
    await database.terce(['export', '--out', 'all.csv'])
    const entries = (await database.open().listAuditEntries({ limit: 10, before: null })).reverse()
    expect(entries.map(({ actor, action, details }) => [actor, action, details])).toEqual([
      ['cli', 'people.imported', '{"created":2}'],
      ['cli', 'people.exported', null],
    ])
  })

  it('lists rejected rows without personal data, exits with 1, and stores nothing on a dry run', async () => {
    database.write('people.csv', HEADER + BAD + GOOD)
    const args = ['import', 'people.csv', '--dry-run', '--errors', 'rejected.csv']
    const { code, stdout, stderr } = await database.terce(args)
    expect([code, stdout]).toEqual([1, '4 rows: 2 would be created, 0 already exist, 2 rejected.\n'])
    expect(stderr).toBe(
      [
        '100 %  4 rows, 2 rejected',
        'line 2, Birthday: This is not a calendar date. Use YYYY-MM-DD, such as 1990-12-15, or --12-15 without the year.',
        'line 2, Location: Unknown timezone "Amercia/New_York". It may mean America/New_York. Use an IANA name.',
        'line 3: A quote is opened and never closed. Close it.',
        'terce: 2 of 4 rows rejected. See rejected.csv.',
        '',
      ].join('\n'),
    )
    expect(file('rejected.csv')).toBe(
      [
        'line,field,code,message',
        '2,Birthday,INVALID_DATE,"This is not a calendar date. Use YYYY-MM-DD, such as 1990-12-15, or --12-15 without the year."',
        '2,Location,UNKNOWN_TIMEZONE,"Unknown timezone ""Amercia/New_York"". It may mean America/New_York. Use an IANA name."',
        '3,,BROKEN_ROW,A quote is opened and never closed. Close it.',
        '',
      ].join('\r\n'),
    )
    expect((await database.open().listUsers({ limit: 10, cursor: null })).items).toEqual([])
  })

  it.each([
    [['import', 'nobody.csv'], /^terce: Cannot read nobody\.csv: no such file\. Check the path\.\n$/],
    [['import', '.'], /^terce: \. is a folder\. Give a file\.\n$/],
    [
      ['import', 'people.csv', '--errors', 'no/such/folder'],
      /^terce: Cannot write --errors no\/such\/folder: /,
    ],
    [['export', '--format', 'xml'], /^terce: .*Allowed choices are csv, json/],
  ])('and export exit with 2 for %j', async (args, why) => {
    database.write('people.csv', 'Ada,Lovelace\n')
    const { code, stdout, stderr } = await database.terce(args)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(why)
  })
})

describe('terce export', () => {
  it('leaves no partial file if it fails', async () => {
    mkdirSync(join(database.folder, 'taken'))
    await database.terce(['migrate'])
    const { code, stderr } = await database.terce(['export', '--out', 'taken'])
    expect([code, stderr]).toEqual([2, 'terce: Cannot write taken: it is a folder. Give a file.\n'])
    expect(readdirSync(database.folder).sort()).toEqual(['taken', 'terce.db'])
  })
})

it('terce import and export work on a server', async () => {
  const env = { TERCE_URL: await serve('admin'), TERCE_API_KEY: KEY }
  const rows = ['firstName,lastName,dateOfBirth,timezone,externalId', 'Ada,L,1990-12-15,UTC,crm-1']
  database.write('people.csv', `${[...rows, 'Eve,X,1990-12-15,PST,crm-2'].join('\n')}\n`)
  const tried = await database.terce(['import', 'people.csv', '--dry-run', '--json'], env)
  expect(JSON.parse(tried.stdout)).toMatchObject({ read: 2, created: 1, rejected: 1, dryRun: true })
  const imported = await database.terce(['import', 'people.csv', '--errors', 'bad.csv'], env)
  expect(imported).toMatchObject({ code: 1, stdout: '2 rows: 1 created, 0 already exist, 1 rejected.\n' })
  expect(file('bad.csv')).toMatch(/^line,field,code,message\r?\n3,timezone,UNKNOWN_TIMEZONE,/)
  expect(await database.terce(['export', '--out', 'out.csv'], env)).toMatchObject({ code: 0 })
  expect(file('out.csv')).toContain('crm-1,Ada,L,1990-12-15')
  expect(await database.terce(['import', 'none.csv'], env)).toMatchObject({ code: 2 })
})
