import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { describe, expect, it } from 'vitest'
import { addPreview } from '../../../src/cli/preview/preview.ts'
import { useDatabase } from '../support/in-process.ts'
import { COMMAND } from '../support/run-command.ts'

const database = useDatabase(addPreview)
const preview = (...args: string[]) => database.terce(['preview', ...args], {})
const FIVE_YEARS = ['--from', '2026-01-01', '--to', '2030-12-31']

describe('terce preview', () => {
  it('prints what will be sent when, with a note where the date or offset is unusual', async () => {
    const ran = await preview('--person', '1992-02-29 america/vancouver', ...FIVE_YEARS)
    expect(ran).toEqual({
      code: 0,
      stderr: '',
      stdout: [
        'LOCAL TIME               UTC                PERSON    OCCASION  YEARS  TIMEZONE           NOTE',
        '2026-03-01 09:00 -08:00  2026-03-01 17:00Z  Person 1  BIRTHDAY     34  America/Vancouver  29 February does not exist in 2026: kept on 1 March.',
        '2027-03-01 09:00 -07:00  2027-03-01 16:00Z  Person 1  BIRTHDAY     35  America/Vancouver  29 February does not exist in 2027: kept on 1 March. America/Vancouver is at UTC-7, the year before it was at UTC-8: the law there changed. So 16:00 UTC, not 17:00 UTC.',
        '2028-02-29 09:00 -07:00  2028-02-29 16:00Z  Person 1  BIRTHDAY     36  America/Vancouver',
        '2029-03-01 09:00 -07:00  2029-03-01 16:00Z  Person 1  BIRTHDAY     37  America/Vancouver  29 February does not exist in 2029: kept on 1 March.',
        '2030-03-01 09:00 -07:00  2030-03-01 16:00Z  Person 1  BIRTHDAY     38  America/Vancouver  29 February does not exist in 2030: kept on 1 March.',
        '',
      ].join('\n'),
    })
  })

  it('reads a CSV file as a spreadsheet writes it, and lists occurrences in order of time', async () => {
    database.write(
      'people.csv',
      '\uFEFFlocation,firstName,lastName,birthDate,team\r\n' +
        'Europe/London,"Smith, Jr.",Zoë,1988-12-15,x\r\n\r\nAsia/Jakarta,Grace,"""Amazing"" Hopper",1990-12-15,y\r\n',
    )
    const { code, stdout } = await preview(
      ...['--csv', 'people.csv', '--json', '--from', '2026-12-01', '--to', '2026-12-31'],
    )
    expect(code).toBe(0)
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      {
        targetTimestampLocal: '2026-12-15T09:00:00+07:00',
        targetTimestampUTC: '2026-12-15T02:00:00.000Z',
        timezone: 'Asia/Jakarta',
        who: 'line 4',
        firstName: 'Grace',
        lastName: '"Amazing" Hopper',
        dateOfBirth: '1990-12-15',
        type: 'BIRTHDAY',
        years: 36,
        occurrence: '2026',
        tzVersion: '2026f',
        notes: [],
      },
      expect.objectContaining({ who: 'line 2', firstName: 'Smith, Jr.', lastName: 'Zoë', years: 38 }),
    ])
  })

  it('uses the local time of --at, else of DELIVER_AT, and the date of --leap-day', async () => {
    const asked = ['preview', '--json', '--person', '1992-02-29 Etc/UTC', '--from', '2027-01-01']
    const utc = async (args: string[], env = {}) =>
      JSON.parse((await database.terce([...asked, ...args], env)).stdout).targetTimestampUTC
    expect(await utc(['--at', '08:30:15'], { DELIVER_AT: '10:00' })).toBe('2027-03-01T08:30:15.000Z')
    expect(await utc([], { DELIVER_AT: '10:00' })).toBe('2027-03-01T10:00:00.000Z')
    expect(await utc(['--leap-day', 'february-28'])).toBe('2027-02-28T09:00:00.000Z')
  })

  it('covers by default the days from today to the same date next year', async () => {
    const before = new Date().toISOString().slice(0, 10)
    const { stdout } = await preview('--json', '--person', `1992${before.slice(4)} Etc/UTC`)
    const after = new Date().toISOString().slice(0, 10)
    // Not checked if midnight UTC passed meanwhile.
    const due = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).targetTimestampUTC)
    if (before === after) expect(due).toEqual([`${before}T09:00:00.000Z`, expect.any(String)])
  })

  it.each([
    [[], /^terce: No database at .\/data\/terce.db. Set DATABASE_URL, or give --csv people.csv or --person/],
    [['--csv', 'people.csv', '--person', '1990-01-01 Etc/UTC'], /^terce: Give either --csv or --person/],
    [['--csv', 'nobody.csv'], /^terce: Cannot read nobody.csv: no such file. Check the path.\n$/],
    [['--csv', '.'], /^terce: Cannot read .: it is a folder. Give a file.\n$/],
    [
      ['--csv', 'empty.csv'],
      /^terce: empty.csv: The table is empty. The first line must name the columns.\n$/,
    ],
    [
      ['--csv', 'other.csv'],
      /^terce: other.csv: No column lastName. The first line must name the columns.\n/,
    ],
    [['--at', '08:00'], /^terce: --at and --leap-day need --csv or --person/],
    [['--leap-day', 'march-1'], /^terce: --at and --leap-day need --csv or --person/],
    [['--person', '1990-01-01 Etc/UTC', '--skip-bad-rows'], /^terce: --skip-bad-rows needs --csv/],
    [['--person', '1990-01-01'], /^terce: person 1: "1990-01-01" is not usable. Give date and timezone/],
    [
      ['--person', '1990-01-01 Etc/UTC', '--person', '1990-01-01 PST'],
      /^terce: person 2: Unknown timezone "PST". It is the abbreviation of several: America\/Los_Angeles or Asia\/Manila. Use an IANA name.\n$/,
    ],
    [['--person', '1990-01-01 Etc/UTC', '--at', '9am'], /^terce: --at 9am is not usable. Use HH:MM/],
    [['--person', '1990-01-01 Etc/UTC', '--from', '2026-02-30'], /^terce: --from 2026-02-30 is not usable/],
    [['--person', '1990-01-01 Etc/UTC', '--leap-day', 'never'], /^terce: .*--leap-day.*march-1, february-28/],
    [['--person', '1990-01-01 Etc/UTC', '--frm', '2026-01-01'], /^terce: unknown option '--frm'.*--from/],
  ])('exits with 2 and one line for %j', async (args, line) => {
    database.write('empty.csv', '\n')
    database.write('other.csv', 'firstName;birthday\n')
    const { code, stdout, stderr } = await preview(...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(line)
  })

  it('has examples in its help', async () => {
    const { code, stdout } = await preview('--help')
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /Examples:\n {2}terce preview\n[\s\S]* {2}terce preview --person "1992-02-29 America\/Vancouver"/,
    )
  })

  it('needs no more memory for eighty years than for one', async () => {
    const rows = Array.from(
      { length: 5_000 },
      (_, i) => `Ada,Lovelace ${i},1969-${month(i)}-15,Europe/Berlin`,
    )
    database.write('people.csv', `firstName,lastName,dateOfBirth,timezone\n${rows.join('\n')}\n`)
    const args = ['preview', '--csv', 'people.csv', '--json', '--from', '1970-01-01', '--to', '2049-12-31']
    const child = spawn(process.execPath, ['--max-old-space-size=64', COMMAND, ...args], {
      cwd: database.folder,
    })
    const exited = once(child, 'exit')
    let lines = 0
    let last = ''
    for await (const line of createInterface(child.stdout)) {
      lines += 1
      const at = JSON.parse(line).targetTimestampUTC
      if (at < last) throw new Error(`${at} comes after ${last}`)
      last = at
    }
    expect([lines, await exited]).toEqual([400_000, [0, null]])
  })
})

function month(i: number): string {
  return String((i % 12) + 1).padStart(2, '0')
}
