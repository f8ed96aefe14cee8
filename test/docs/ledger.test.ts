// The page about the ledger, as written: an auditor verifies the exported files without the database.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keepLedger } from '../cli/support/closed-days.ts'
import { COMMAND } from '../cli/support/run-command.ts'
import { readPage } from './support/page.ts'

const page = readPage('ledger.md')
const VERIFIER = new URL('../../src/ledger-verifier/verify.ts', import.meta.url).pathname
const KEY = 'O2onvM62pC1io6jQKm8Nc2UyFXcd4kOmOsBIoYtZ2ik='

let folder: string
let eventId: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'terce-ledger-page-'))
  const greeted = await keepLedger(join(folder, 'terce.db'), {
    '2026-11-15': ['delivered', 'failed'],
    '2026-11-16': ['delivered', 'lost'],
  })
  eventId = greeted[0]!.eventId
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs commands of the page in the folder. `key`: the key that stands for the one of the page. */
function shell(commands: string, key = ''): Promise<{ code: number; stdout: string }> {
  const script = commands
    .replaceAll(/^terce /gm, `"${process.execPath}" "${COMMAND}" `)
    .replaceAll(
      'node node_modules/terce/dist/ledger-verifier/verify.js',
      `"${process.execPath}" "${VERIFIER}"`,
    )
    .replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, eventId)
    .replaceAll(KEY, key)
  const env = { PATH: process.env.PATH, DATABASE_URL: 'sqlite:terce.db' }
  return new Promise((resolve) => {
    execFile('bash', ['-uc', script], { cwd: folder, env }, (error, stdout) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout }),
    )
  })
}

describe('the ledger, verified from outside as written', () => {
  const [exporting, verifying, altering, comparing] = page.blocks('sh') as [string, string, string, string]
  const [sound, altered] = page.blocks('text') as [string, string]

  it('exports, proves, verifies, and finds what was altered', async () => {
    expect((await shell(exporting)).code).toBe(0)
    const { publicKey } = JSON.parse(readFileSync(join(folder, 'ledger.json'), 'utf8'))
    const verified = await shell(verifying, publicKey)
    expect([verified.code, verified.stdout.replaceAll(publicKey, KEY)]).toEqual([0, sound])
    const found = await shell(`KEY=${publicKey}\n${altering}`)
    expect([found.code, found.stdout]).toEqual([1, altered])
  })

  it('compares two files, and prints the day that was replaced', async () => {
    const commands = comparing.replaceAll(/^ {3}/gm, '')
    await shell(`terce ledger export --to 2026-11-15 --out old.json
terce ledger export --from 2026-11-15 --out new.json`)
    expect(await shell(commands)).toEqual({ code: 0, stdout: '' })
    const path = join(folder, 'new.json')
    writeFileSync(path, readFileSync(path, 'utf8').replace('delivered 1', 'delivered 2'))
    expect(await shell(commands)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('day 2026-11-15'),
    })
  })
})

it('names the commands, the operations and the page of the dashboard', () => {
  for (const name of [
    '`terce ledger`',
    '`terce ledger --day',
    '`terce ledger export',
    '`terce ledger prove',
    '`terce ledger verify`',
  ])
    expect(page.text).toContain(name)
  for (const path of ['/ledger', '/ledger/{day}', '/ledger/{day}/file', '/event/{id}/proof'])
    expect(page.text).toContain(`\`GET ${path}\``)
  expect(page.text).toContain('`/app/ledger`')
})
