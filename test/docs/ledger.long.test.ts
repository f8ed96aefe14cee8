// The page about the ledger, as written: an auditor verifies the exported files, the alarm has the body that is shown, and the
// repair works.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LedgerAlarm, raiseAlarms } from '../../src/app/ledger/alarm.ts'
import { closeDays } from '../../src/app/ledger/close-days.ts'
import { createTestTerce } from '../../src/runtimes/testing/testing.ts'
import { type Installation, openInstallation } from '../app/ledger/support/installation.ts'
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

describe('an alarm, as written', () => {
  let installation: Installation
  beforeAll(async () => {
    installation = await openInstallation()
  })
  afterAll(() => installation.stop())

  it('shows the body that LEDGER_ALARM_URL gets', async () => {
    const { deps, alter } = installation
    alter('birthday', ['DELETE FROM events WHERE id = :event'])
    await closeDays(deps)
    const posted: LedgerAlarm[] = []
    const postAlarm = async (alarm: LedgerAlarm) => void posted.push(alarm)
    await raiseAlarms({ ...deps, postAlarm }, () => true)
    expect(posted).toEqual(page.blocks('json').map((text) => JSON.parse(text)))
    expect(Object.keys(posted[0]!)).toEqual(Object.keys(JSON.parse(page.blocks('json')[0]!)))
  })

  it('advises a repair that plans an occasion whose event is gone', async () => {
    expect(page.text).toContain('is planned again when it is paused and resumed')
    const terce = await createTestTerce({ now: '2027-03-08T00:00:00Z' })
    const born = { dateOfBirth: '1990-03-12', timezone: 'Europe/Berlin' }
    const { user } = await terce.users.create({ firstName: 'Ada', lastName: 'Lovelace', ...born })
    const { items } = await terce.occasions.ofUser(user.id)
    terce.sqlite.prepare('DELETE FROM terce_events').run()
    await terce.occasions.pause(items[0]!.id)
    await terce.occasions.resume(items[0]!.id)
    const planned: string[] = []
    for await (const { status, occurrence } of terce.events.ofUser(user.id))
      planned.push(`${status} ${occurrence}`)
    expect(planned).toEqual(['PENDING 2027'])
    await terce.stop()
  })
})
