// `terce ledger prove` and `terce ledger export`, and the verification of what they write.
import { readFileSync, rmSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { closeDays } from '../../../src/app/ledger/close-days.ts'
import { addLedger } from '../../../src/cli/ledger/ledger.ts'
import { tzdb } from '../../../src/domain/time/tzdb.ts'
import { webCryptoSigner } from '../../../src/runtimes/config/signer.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { NO_ONE } from '../../http/support/test-app.ts'
import { keepLedger } from '../support/closed-days.ts'
import { useDatabase } from '../support/in-process.ts'
import { KEY, useServedDatabase } from '../support/serve-database.ts'

const database = useDatabase(addLedger)
const start = useServedDatabase(database)
const ledger = (...args: string[]) => database.terce(['ledger', ...args])
const out = () => `${database.path}.json`

const DAYS = {
  '2026-11-14': ['delivered', 'delivered', 'failed'],
  '2026-11-15': [],
  '2026-11-16': ['delivered', 'lost'],
} as const

describe('terce ledger export', () => {
  it('writes all closed days into one file that the verifier accepts without the database', async () => {
    await keepLedger(database.path, DAYS)
    expect(await ledger('export', '--out', out())).toEqual({
      code: 0,
      stdout: '',
      stderr: `Exported 3 days, 2026-11-14 to 2026-11-16. Check the file with terce ledger verify ${out()}\n`,
    })
    expect(statSync(out()).mode & 0o077).toBe(0)
    rmSync(database.path)
    const { publicKey } = JSON.parse(readFileSync(out(), 'utf8'))
    const { code, stdout } = await database.terce(['ledger', 'verify', out(), '--key', publicKey], {})
    expect([code, stdout]).toEqual([
      0,
      `note   The account of 2026-11-16 itself reports unexplained 1.
2026-11-14 to 2026-11-16, 3 days, 5 lines: the chain, the roots and the signatures are right.
Signed with the key ${publicKey}.
`,
    ])
  })

  it('writes the days of a period, byte for byte the same from a server', async () => {
    await keepLedger(database.path, DAYS)
    const period = ['--from', '2026-11-15', '--to', '2026-11-16', '--out', out()]
    await ledger('export', ...period)
    const here = readFileSync(out(), 'utf8')
    expect(here.match(/day 2026-11-\d\d/g)).toEqual(['day 2026-11-15', 'day 2026-11-16'])
    const url = await start('read')
    await database.terce(['ledger', 'export', ...period, '--url', url, '--key', KEY], {})
    expect(readFileSync(out(), 'utf8')).toBe(here)
  })

  it('rejects a period without closed days, and writes no file', async () => {
    await keepLedger(database.path, DAYS)
    const ran = await ledger('export', '--from', '2026-12-01', '--out', out())
    expect([ran.code, ran.stderr]).toEqual([1, 'terce: No day of this period is closed.\n'])
    expect(() => statSync(out())).toThrow(/ENOENT/)
  })
})

it.each([
  ['export', '--from', '2026-11-15', '--to', '2026-11-14'],
  ['--from', '2026-11-15', '--to', '2026-11-14'],
])('rejects a period that ends before it begins: terce ledger %s', async (...args) => {
  await keepLedger(database.path, DAYS)
  const ran = await ledger(...args, ...(args[0] === 'export' ? ['--out', out()] : []))
  expect([ran.code, ran.stderr]).toEqual([2, 'terce: --from 2026-11-15 is after --to 2026-11-14.\n'])
})

it('names a folder that does not exist when it writes a file', async () => {
  await keepLedger(database.path, DAYS)
  const to = `${database.path}-folder/ledger.json`
  expect(await ledger('export', '--out', to)).toMatchObject({
    code: 2,
    stderr: `terce: Cannot write ${to}: no such folder. Create it, or check the path.\n`,
  })
})

describe('terce ledger prove', () => {
  it('writes a proof of one line that the verifier accepts', async () => {
    const [, , failed] = await keepLedger(database.path, DAYS)
    const printed = await ledger('prove', '--event', failed!.eventId)
    const { code, stderr } = await ledger('prove', '--event', failed!.eventId, '--out', out())
    expect([code, stderr]).toEqual([0, `Wrote the proof. Check it with terce ledger verify ${out()}\n`])
    expect(printed).toEqual({ code: 0, stdout: readFileSync(out(), 'utf8'), stderr: '' })
    expect(await ledger('prove', '--event', failed!.eventId, '--day', '2026-11-14')).toEqual(printed)
    const other = await ledger('prove', '--event', failed!.eventId, '--day', '2026-11-15')
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('has no line on 2026-11-15')])
    const verified = await database.terce(['ledger', 'verify', out()], {})
    expect([verified.code, verified.stdout.split('\n')[0]]).toEqual([
      0,
      `The account of 2026-11-14 has event ${failed!.eventId}, occurrence 2026, as failed (HTTP 410).`,
    ])
  })

  it.each([
    [['--event', NO_ONE], 1, /EVENT_NOT_FOUND/],
    [['--event', 'x'], 2, /Use the id of an event/],
    [[], 2, /required option '--event <id>' not specified/],
  ])('rejects %j', async (args, wanted, why) => {
    await keepLedger(database.path, DAYS)
    expect(await ledger('prove', ...args)).toMatchObject({ code: wanted, stderr: expect.stringMatching(why) })
  })
})

describe('terce ledger verify', () => {
  it('checks the closed days in the database', async () => {
    await keepLedger(database.path, DAYS)
    const { code, stdout } = await ledger('verify')
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(
        /^note {3}2026-11-16: 1 unexplained\.\n2026-11-14 to 2026-11-16, 3 days, 5 lines: the chain, the roots and the signatures are right\.\nSigned with the key \S{44}\.\n$/,
      ),
    ])
  })

  it('exits with 1 if a line was altered, or the key is another one', async () => {
    await keepLedger(database.path, DAYS)
    const other = await ledger('verify', '--key', 'AAAA')
    expect([other.code, other.stdout]).toEqual([
      1,
      expect.stringMatching(/^error {2}The ledger is signed with the key .*, which is not expected/m),
    ])
    const db = new DatabaseSync(database.path)
    db.exec(`UPDATE ledger_lines SET place = 'delivered' WHERE place = 'unexplained'`)
    db.close()
    const { code, stdout, stderr } = await ledger('verify')
    expect(stdout).toMatch(/^error {2}A line of 2026-11-16 was altered, added or removed\.$/m)
    expect([code, stderr]).toEqual([1, expect.stringMatching(/terce\.db is not sound: \d errors\.\n$/)])
  })

  it('needs a file if a server is set', async () => {
    const { code, stderr } = await database.terce(['ledger', 'verify'], { TERCE_URL: 'http://127.0.0.1:9' })
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^terce: Without a file, the ledger in a database is/),
    ])
  })
})

describe('terce ledger rotate-key', () => {
  it('makes another key for later days, which verify names and the audit log has', async () => {
    await keepLedger(database.path, DAYS)
    const { stdout } = await ledger('rotate-key', '--json')
    const { publicKey } = JSON.parse(stdout)
    const store = openSqliteStore(database.path)
    expect(await store.listAuditEntries({ limit: 5, before: null })).toMatchObject([
      { action: 'secret.rotated', objectKind: 'ledger', objectId: publicKey },
    ])
    const [first] = await store.listLedgerDays({ limit: 1 })
    const clock = { now: () => Date.parse('2026-11-18T13:00:00Z'), after: () => ({ cancel() {} }) }
    const planner = { ids: () => '', table: tzdb }
    await closeDays({ store, clock, planner, telemetry() {}, signer: webCryptoSigner, vault: null })
    await store.close()
    const keys = `${first!.publicKey},${publicKey}`
    const inDatabase = await ledger('verify', '--key', keys)
    expect([inDatabase.code, inDatabase.stdout]).toEqual([
      0,
      expect.stringContaining(
        `Signed with the key ${first!.publicKey}.\nFrom 2026-11-17 on the key is ${publicKey}.\n`,
      ),
    ])
    await ledger('export', '--out', out())
    const inFile = await database.terce(['ledger', 'verify', out(), '--key', keys], {})
    expect([inFile.code, inFile.stdout]).toEqual([
      0,
      expect.stringContaining(`note   From 2026-11-17 on the key is ${publicKey}.\n`),
    ])
    expect((await ledger('verify', '--key', publicKey)).code).toBe(1)
    expect((await database.terce(['ledger', 'verify', out(), '--key', publicKey], {})).code).toBe(1)
  })
})
