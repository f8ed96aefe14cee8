// `terce preview`: the people of a file, of standard input and of the database, and rejected rows.
import { describe, expect, it } from 'vitest'
import { createTask } from '../../../src/app/tasks/tasks.ts'
import { addExport } from '../../../src/cli/commands/export.ts'
import { addImport } from '../../../src/cli/commands/import.ts'
import { addMigrate } from '../../../src/cli/commands/migrate.ts'
import { addPreview } from '../../../src/cli/preview/preview.ts'
import { createIds } from '../../../src/domain/events/uuid.ts'
import { tzdb } from '../../../src/domain/time/tzdb.ts'
import { clockAt, seededDice } from '../../support/fixtures.ts'
import { useDatabase } from '../support/in-process.ts'
import { COMMAND, run } from '../support/run-command.ts'

const database = useDatabase(addPreview, addImport, addExport, addMigrate)
const YEAR_2048 = ['--from', '2048-01-01', '--to', '2048-12-31']
const PEOPLE =
  'First Name;Last Name;Birthday;Location;E-Mail;id\r\n' +
  'Ada;Lovelace;1992-02-29;America/Vancouver;ada@example.com;crm-1\r\n' +
  'Raden;Kartini;1979-04-21;Asia/Jakarta;;crm-2\r\n'
const TABLE = [
  'LOCAL TIME               UTC                PERSON         OCCASION  YEARS  TIMEZONE           NOTE',
  '2048-02-29 09:00 -07:00  2048-02-29 16:00Z  Ada Lovelace   BIRTHDAY     56  America/Vancouver',
  '2048-04-21 09:00 +07:00  2048-04-21 02:00Z  Raden Kartini  BIRTHDAY     69  Asia/Jakarta',
  '',
].join('\n')

/** The command through a shell: with a pipe. */
const shell = (script: string) =>
  run('bash', ['-c', `set -o pipefail; terce() { "${process.execPath}" "${COMMAND}" "$@"; }\n${script}`], {
    cwd: database.folder,
    env: {},
  })

describe('terce preview', () => {
  it('reads a file of terce import, what terce export writes, and the database', async () => {
    database.write('people.csv', PEOPLE)
    const printed = { code: 0, stdout: TABLE, stderr: '' }
    expect(await database.terce(['preview', '--csv', 'people.csv', ...YEAR_2048])).toEqual(printed)
    await database.terce(['import', 'people.csv'])
    await database.terce(['export', '--out', 'all.csv'])
    expect(await database.terce(['preview', '--csv', 'all.csv', ...YEAR_2048])).toEqual(printed)
    expect(await database.terce(['preview', ...YEAR_2048])).toEqual(printed)
    expect(await shell(`terce preview --csv - ${YEAR_2048.join(' ')} < all.csv`)).toEqual(printed)
  })

  it('lists the work anniversary of a date of hire, as the import plans it', async () => {
    database.write(
      'people.csv',
      `${PEOPLE.split('\r\n')[0]};hiredOn\r\nAda;Lovelace;1992-02-29;UTC;;1;2019-03-01\r\n`,
    )
    const listed = async (args: string[]) => (await database.terce(['preview', ...args, ...YEAR_2048])).stdout
    const fromFile = await listed(['--csv', 'people.csv'])
    expect(fromFile).toMatch(/2048-03-01 09:00.*WORK_ANNIVERSARY +29/)
    await database.terce(['import', 'people.csv'])
    expect(await listed([])).toBe(fromFile)
  })

  it('lists the reminders of tasks in the database, with the ids of the people', async () => {
    database.write('people.csv', PEOPLE)
    await database.terce(['import', 'people.csv'])
    const store = database.open()
    const { items } = await store.listUsers({ limit: 1, cursor: null, search: 'Ada' })
    const planner = { ids: createIds(seededDice(1)), table: tzdb }
    const clock = clockAt(() => Date.now())
    const deps = { store, planner, clock, telemetry() {}, deliverAt: '09:00', onPlanned() {} }
    await createTask(deps, items[0]!.id, { title: 'Passport', dueAt: '2048-03-02T12:00:00Z' })
    const { stdout } = await database.terce([
      'preview',
      '--json',
      '--from',
      '2048-03-01',
      '--to',
      '2048-03-02',
    ])
    expect(JSON.parse(stdout)).toMatchObject({
      targetTimestampUTC: '2048-03-01T12:00:00.000Z',
      who: items[0]!.id,
      firstName: 'Ada',
      type: 'TASK_REMINDER',
      years: null,
      notes: [],
    })
  })

  it('reports rejected rows by line and prints nothing else, or previews the others on request', async () => {
    const bad =
      ';Kartini;1979-02-30;Jakarta;;\r\nAda;Lovelace\r\nAda;"Love"lace;1990-12-15;Asia/Jakarta;;\r\n'
    database.write('people.csv', PEOPLE + bad)
    const problems = [
      'people.csv: line 4, First Name: The name is empty. Use 1 to 100 characters.',
      'people.csv: line 4, Birthday: This is not a calendar date. Use YYYY-MM-DD, such as 1990-12-15, or --12-15 without the year.',
      'people.csv: line 4, Location: Unknown timezone "Jakarta". It may mean Asia/Jakarta. Use an IANA name.',
      'people.csv: line 5: 2 fields where the header has 6. A field that contains a separator needs quotes.',
      'people.csv: line 6: Text follows a closing quote. Put the whole field in quotes.',
    ]
    const args = ['preview', '--csv', 'people.csv', ...YEAR_2048]
    const lines = (last: string) => [...problems, last].map((line) => `terce: ${line}\n`).join('')
    expect(await database.terce(args)).toEqual({
      code: 1,
      stdout: '',
      stderr: lines('3 rows rejected. Correct the file, or use --skip-bad-rows.'),
    })
    expect(await database.terce([...args, '--skip-bad-rows'])).toEqual({
      code: 0,
      stdout: TABLE,
      stderr: lines('3 rows skipped.'),
    })
  })

  it('previews the first of the rows with one external id, or of equal rows without one, and counts the others', async () => {
    const repeated =
      'Ada;Byron;1992-02-28;Europe/London;;crm-1\r\nRaden;Kartini;1979-04-21;Asia/Jakarta;;crm-2\r\n'
    database.write('people.csv', PEOPLE + repeated)
    const args = ['preview', '--csv', 'people.csv', ...YEAR_2048]
    const skipped =
      '2 rows repeat a person of an earlier row (1 with different values), and are not previewed.'
    expect(await database.terce(args)).toEqual({ code: 0, stdout: TABLE, stderr: `terce: ${skipped}\n` })
    const imported = await database.terce(['import', 'people.csv'])
    expect(imported.stdout).toContain('2 created, 0 already exist, 2 rejected')
    const row = 'Ada,Lovelace,1992-02-29,America/Vancouver\n'
    database.write('without-ids.csv', `firstName,lastName,dateOfBirth,timezone\n${row}${row}`)
    const { stdout, stderr } = await database.terce(['preview', '--csv', 'without-ids.csv', ...YEAR_2048])
    expect(stdout.match(/Ada Lovelace/g)).toHaveLength(1)
    expect(stderr).toBe('terce: 1 row repeats a person of an earlier row, and is not previewed.\n')
  })

  it('prints every problem also to a slow reader of the pipe', async () => {
    const rows = Array.from({ length: 370 }, () => 'Ada,Lovelace,1990-13-01,Nowhere\n').join('')
    database.write('people.csv', `firstName,lastName,dateOfBirth,timezone\n${rows}`)
    // More than a pipe holds, and less than the process waits for by itself.
    const { stdout } = await shell('terce preview --csv people.csv 2>&1 | (sleep 3; cat)')
    expect(stdout.trim().split('\n')).toHaveLength(2 * 370 + 1)
  })

  it('says that a file or a database has no people, or that nothing is due', async () => {
    database.write('empty.csv', 'firstName,lastName,dateOfBirth,timezone\n')
    const nobody = { code: 0, stdout: '', stderr: 'There are no people.\n' }
    expect(await database.terce(['preview', '--csv', 'empty.csv'])).toEqual(nobody)
    await database.terce(['migrate'])
    expect(await database.terce(['preview'])).toEqual(nobody)
    const june = ['--person', '1990-05-05 Etc/UTC', '--from', '2026-06-01', '--to', '2026-06-30']
    expect(await database.terce(['preview', ...june])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Nothing is due from 2026-06-01 to 2026-06-30.\n',
    })
  })

  it('exits with 0 when the reader closes the pipe', async () => {
    const rows = Array.from({ length: 400 }, (_, i) => `Ada,Lovelace ${i},1960-05-05,Etc/UTC\n`).join('')
    database.write('people.csv', `firstName,lastName,dateOfBirth,timezone\n${rows}`)
    const days = '--from 1970-01-01 --to 2049-12-31'
    const { code, stdout, stderr } = await shell(`terce preview --csv people.csv ${days} | head -n 1`)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^LOCAL TIME/)
  })
})
