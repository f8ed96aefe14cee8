// Promises about docs/import-export.md: its commands work as written, and print what it shows.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { DAYS_OF_MANY, EVENTS_OF_MANY, PEOPLE_IN_FULL } from '../../src/app/feeds.ts'
import { MOST_IN_PAGE } from '../../src/app/users/export-people.ts'
import { readHeader } from '../../src/domain/formats/people-table.ts'
import { IMPORT_LIMIT, IMPORT_ON_DEMAND } from '../../src/http/users/transfer-operations.ts'
import { COMMAND } from '../cli/support/run-command.ts'
import { startTerce } from '../runtimes/support/terce-process.ts'
import { parseCalendar } from '../support/calendar-reader.ts'

const run = promisify(execFile)
const page = readFileSync(new URL('../../docs/import-export.md', import.meta.url), 'utf8')

function blocks(language: string): string[] {
  return [...page.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    (match) => match[1]!,
  )
}

it('has commands that work, and answers that are given', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'terce-import-'))
  const DATABASE_URL = `sqlite:${join(folder, 'terce.db')}`
  const terce = await startTerce({ DATABASE_URL })
  const standIn = new URL('./support/curl.ts', import.meta.url).pathname
  const before = `terce() { "${process.execPath}" "${COMMAND}" "$@"; }
    command -v curl > /dev/null || curl() { "${process.execPath}" "${standIn}" "$@"; }\n`
  const shell = (script: string) =>
    run('bash', ['-uo', 'pipefail', '-c', before + script.replaceAll('localhost:3000', terce.url)], {
      cwd: folder,
      env: { PATH: process.env.PATH, DATABASE_URL },
    }).catch((error: { code: number; stdout: string; stderr: string }) => error)
  try {
    const [importing, sending, exporting, paging, calendar] = blocks('sh')
    writeFileSync(join(folder, 'people.csv'), blocks('csv')[0]!)
    expect(await shell(importing!)).toMatchObject({ code: 1, stdout: blocks('stdout')[0] })
    const rejected = readFileSync(join(folder, 'rejected.csv'), 'utf8')
    expect(rejected.replaceAll('\r\n', '\n')).toBe(blocks('rejected')[0])
    expect(JSON.parse((await shell(sending!)).stdout)).toEqual(JSON.parse(blocks('json')[0]!))

    const { stdout } = await shell(exporting!)
    const people = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(people.map(({ firstName }) => firstName)).toEqual(['Ada', 'Raden', undefined])
    expect(people.at(-1)).toEqual({ end: true })
    const table = readFileSync(join(folder, 'everybody.csv'), 'utf8')
    const columns = [...page.matchAll(/^The table has the columns ([\s\S]*?), one\n/gm)][0]![1]!
    expect(table.split('\r\n')[0]!.split(',')).toEqual(
      [...columns.matchAll(/`(\w+)`/g)].map(([, name]) => name),
    )
    expect(statSync(join(folder, 'everybody.csv')).mode & 0o777).toBe(0o600)

    const inPages = await shell(paging!.replaceAll('limit=10000', 'limit=1'))
    expect(inPages.stdout.trimEnd()).toBe(blocks('text')[0]!.trimEnd())
    expect(readFileSync(join(folder, 'everybody.csv'), 'utf8')).toBe(table)

    const { events } = parseCalendar((await shell(calendar!)).stdout)
    expect(events.map(({ SUMMARY }) => SUMMARY)).toContain('Ada Lovelace: BIRTHDAY')
    const names = [...blocks('text')[1]!.matchAll(/^([A-Z]+):(?!VEVENT)/gm)].map(([, name]) => name)
    expect(Object.keys(events[0]!)).toEqual(names)
    // No secret, name or date of it all has come into the log.
    expect(terce.output()).not.toMatch(/calendar|terce_|Lovelace|Kartini|1990-12-15/)
  } finally {
    await terce.kill('SIGKILL')
    rmSync(folder, { recursive: true })
  }
})

it('names every column as it may be called', () => {
  const rows = [...page.matchAll(/^\| (`\w+`) \| ([^|]*)\| [^|]* \|$/gm)].map(
    ([, name, also]) => `${name} ${also}`,
  )
  expect(rows).toHaveLength(8)
  const each = rows.map((row) => [...row.matchAll(/`(\w+)`/g)].map(([, name]) => name!))
  for (const column of [0, 1, 2, 3]) {
    const fields = each.map((names) => names[column] ?? names[0]!)
    expect(readHeader({ line: 1, fields })).toMatchObject({ width: 8 })
    expect(Object.keys((readHeader({ line: 1, fields }) as { columns: object }).columns)).toHaveLength(8)
  }
})

it('names the limits that there are', () => {
  expect(page).toContain(`up to ${PEOPLE_IN_FULL.toLocaleString('en')} people`)
  expect(page).toContain(
    `within ${DAYS_OF_MANY} days, and at most\n  ${EVENTS_OF_MANY.toLocaleString('en')} events`,
  )
  expect(page).toContain(`Up to ${IMPORT_LIMIT / 1024 / 1024} MiB`)
  expect(page).toContain(`at most ${MOST_IN_PAGE.toLocaleString('en')} people`)
  expect(page).toContain(`up to ${IMPORT_ON_DEMAND.toLocaleString('en')} rows`)
})
