// `terce ledger`: the table of days, the lines of one day, and the exit code that alarms.
import { describe, expect, it } from 'vitest'
import { addLedger } from '../../../src/cli/ledger/ledger.ts'
import { localApp } from '../../../src/cli/local-app.ts'
import { readConfig } from '../../../src/runtimes/config/config.ts'
import { systemClock } from '../../../src/runtimes/shared/system-clock.ts'
import { type Fate, keepLedger } from '../support/closed-days.ts'
import { useDatabase } from '../support/in-process.ts'
import { COMMAND, run } from '../support/run-command.ts'
import { KEY, useServedDatabase } from '../support/serve-database.ts'

const database = useDatabase(addLedger)
const start = useServedDatabase(database)
const ledger = (...args: string[]) => database.terce(['ledger', ...args])

const SOUND = {
  '2026-11-14': ['delivered', 'delivered', 'late'],
  '2026-11-15': ['delivered', 'failed', 'paused'],
} as const
const LOST = { ...SOUND, '2026-11-16': ['delivered', 'lost'] } as const

describe('terce ledger', () => {
  it('prints a table of the closed days, the newest first, and that they are sound', async () => {
    await keepLedger(database.path, SOUND)
    const { code, stdout, stderr } = await ledger()
    expect(stdout.replaceAll(/[0-9a-f]{12}$/gm, 'HASH')).toBe(`\
day         owed  delivered  late  early  failed  excused  open  unexplained  surplus  hash
2026-11-15     3          1     .      .       1        1     .            .        .  HASH
2026-11-14     3          3     1      .       .        .     .            .        .  HASH
All 2 days are sound.
`)
    expect([code, stderr]).toEqual([0, ''])
  })

  it('exits with 1 and names each day that has unexplained lines', async () => {
    await keepLedger(database.path, LOST)
    const { code, stdout, stderr } = await ledger()
    expect([code, stderr]).toEqual([1, 'terce: 2026-11-16: 1 unexplained.\n'])
    expect(stdout).toMatch(/^2026-11-16 +2 +1 +\. +\. +\. +\. +\. +1 +\. {2}[0-9a-f]{12}$/m)
    expect(stdout).not.toContain('sound')
    expect(await ledger('--to', '2026-11-15')).toMatchObject({ code: 0, stderr: '' })
  })

  it('prints one JSON object per day, of the days that are asked for', async () => {
    await keepLedger(database.path, LOST)
    const { code, stdout } = await ledger('--json', '--from', '2026-11-15')
    const days = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect([code, days.map(({ day, unexplained }) => [day, unexplained])]).toEqual([
      1,
      [
        ['2026-11-16', 1],
        ['2026-11-15', 0],
      ],
    ])
  })

  it('prints 14 days if no period is given', async () => {
    const days = Array.from({ length: 16 }, (_, i) => [`2026-11-${String(i + 1).padStart(2, '0')}`, []])
    await keepLedger(database.path, Object.fromEntries(days))
    expect((await ledger()).stdout).toMatch(/^day.*\n2026-11-16 (.*\n){14}All 14 days are sound\.\n$/)
    expect((await ledger('--from', '2026-11-01')).stdout).toContain('All 16 days are sound.\n')
  })

  it('says that no day is closed while the first one lasts', async () => {
    await keepLedger(database.path, SOUND, 0)
    expect(await ledger()).toMatchObject({ code: 0, stdout: 'No day is closed yet.\n', stderr: '' })
  })
})

describe('terce ledger --day', () => {
  it('prints the totals, the hash, and each line that is no delivery on time with reason and evidence', async () => {
    const [, failed, paused] = (await keepLedger(database.path, SOUND)).filter(
      ({ day }) => day === '2026-11-15',
    )
    const { code, stdout, stderr } = await ledger('--day', '2026-11-15')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(
      /^2026-11-15: 3 owed, 6 people accounted for\.\n1 delivered, 0 late, 0 early, 1 failed, 1 excused, 0 open, 0 unexplained, 0 surplus\.\n/,
    )
    expect(stdout).toMatch(/\nclosed {2}2026-11-16 12:00Z, IANA .*\nhash {4}[0-9a-f]{64}\n/)
    const [, ...lines] = stdout.trimEnd().split('\n\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toMatch(
      /^excused {6}person \S+, BIRTHDAY, (event|occasion) \S+, occurrence 2026, due 2026-11-15 09:00Z \(09:00 local\)\n {13}PAUSED: Its occasion was paused .*\n {13}Journal entry \d+, 2026-11-15 08:00Z: Paused\.$/,
    )
    expect(lines[1]).toContain(paused!.occasionId)
    expect(lines[0]).toMatch(
      new RegExp(
        `^failed {7}person \\S+, BIRTHDAY, event ${failed!.eventId}, occurrence 2026, due 2026-11-15 09:00Z \\(09:00 local\\), settled 2026-11-15 09:00:00\\.200Z, attempt 1\\n {13}HTTP 410: It failed: `,
      ),
    )
  })

  it('prints late deliveries with their delay, and every line with --all', async () => {
    await keepLedger(database.path, SOUND)
    const { stdout } = await ledger('--day', '2026-11-14')
    expect(stdout.match(/^delivered .*/gm)).toEqual([expect.stringMatching(/, 5 min late, attempt 1$/)])
    const all = (await ledger('--day', '2026-11-14', '--all')).stdout
    expect(all.match(/^delivered /gm)).toHaveLength(3)
    // Settled within a minute is on time.
    expect(all.match(/ \w+ late, attempt/g)).toHaveLength(1)
  })

  it('exits with 1 for a day with unexplained lines, and prints these first', async () => {
    const lost = (await keepLedger(database.path, LOST)).find(({ fate }) => fate === 'lost')!
    const { code, stdout, stderr } = await ledger('--day', '2026-11-16', '--all')
    expect([code, stderr]).toEqual([1, 'terce: 2026-11-16: 1 unexplained.\n'])
    const [, ...lines] = stdout.split('\n\n')
    expect(lines.map((line) => /^\w+/.exec(line)![0])).toEqual(['unexplained', 'delivered'])
    expect(lines[0]!.split('\n').slice(0, 2)).toEqual([
      expect.stringMatching(
        `^unexplained  person \\S+, BIRTHDAY, occasion ${lost.occasionId}, occurrence 2026, due 2026-11-16 09:00Z \\(09:00 local\\)$`,
      ),
      expect.stringMatching(/^ {13}NO_EVENT: /),
    ])
  })

  it('prints the same from a server as from its database', async () => {
    await keepLedger(database.path, LOST)
    const url = await start('read')
    for (const args of [
      [],
      ['--json'],
      ['--day', '2026-11-16'],
      ['--day', '2026-11-15', '--json', '--all'],
    ]) {
      const here = await ledger(...args)
      expect(await database.terce(['ledger', ...args, '--url', url, '--key', KEY], {})).toEqual(here)
    }
  })

  it.each([
    [['--day', '2026-11-31'], 2, /Use a date such as 2026-11-16/],
    [['--all'], 2, /^terce: --all needs a day: terce ledger --day/],
    [['--now'], 2, /^terce: --now needs a day/],
    [['--hash'], 2, /^terce: --hash needs a day/],
    [['--day', '2026-11-15', '--from', '2026-11-14'], 2, /^terce: Give either --day, or --from and --to\.$/m],
    [['--dya', '2026-11-15'], 2, /unknown option '--dya'.*Did you mean --day\?/s],
    [
      ['--day', '2026-10-01'],
      1,
      /^terce: .*The ledger does not have 2026-10-01\. .*2026-11-14 to 2026-11-15/,
    ],
    [
      ['--day', '2999-01-01'],
      1,
      /^terce: The account of 2999-01-01 is closed soon after .* With --now its account is computed from the database\.$/m,
    ],
    [
      ['--day', '2999-01-01', '--now'],
      2,
      /^terce: 2999-01-01 begins in the first timezone at 2998-12-31T10:00/,
    ],
    [
      ['--day', '2026-11-15', '--now', '--url', 'http://127.0.0.1:9'],
      2,
      /^terce: --now computes the account from/,
    ],
  ])('rejects %j', async (args, wanted, why) => {
    await keepLedger(database.path, SOUND)
    const { code, stdout, stderr } = await ledger(...args)
    expect([code, stdout, stderr]).toEqual([wanted, '', expect.stringMatching(why)])
  })
})

describe('terce ledger --day --now', () => {
  it('computes the account of a day that is not closed, and stores nothing', async () => {
    const [, lost] = (await keepLedger(database.path, LOST, 2)).filter(({ day }) => day === '2026-11-16')
    const { code, stdout, stderr } = await ledger('--day', '2026-11-16', '--now')
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/100 % {2}8 people\nterce: 2026-11-16: 1 unexplained\.\n$/),
    ])
    expect(stdout).toMatch(
      /^2026-11-16: 2 owed, 8 people accounted for\.\n1 delivered,.* 1 unexplained, 0 surplus\.\nComputed now, and not stored\.\n/,
    )
    expect(stdout).toContain(`BIRTHDAY, occasion ${lost!.occasionId}, occurrence 2026, due 2026-11-16 09:00Z`)
    expect((await ledger()).stdout).toContain('All 2 days are sound.')
  })

  it('says of a message whose time comes later on the day that it is not due yet', async () => {
    // Not in the last minutes of its day, when 23:59 may have passed.
    const isLate = new Date().getUTCHours() === 10
    const timezone = isLate ? 'UTC' : 'Pacific/Niue'
    const today = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone }).format(Date.now())
    const store = database.open()
    const app = localApp(readConfig({ DELIVER_AT: '23:59' }), { store, clock: systemClock, announce() {} })
    const person = { firstName: 'Ada', lastName: 'Lovelace', dateOfBirth: `1992${today.slice(4)}`, timezone }
    const headers = { 'Content-Type': 'application/json' }
    await app.request('/user', { method: 'POST', headers, body: JSON.stringify(person) })
    const { code, stdout } = await ledger('--day', today, '--now')
    expect([code, stdout]).toEqual([0, expect.stringMatching(/\n {13}NOT_DUE: It is not due yet\.\n$/)])
  })

  it('computes for a closed day what its account has', async () => {
    await keepLedger(database.path, SOUND)
    const read = async (...args: string[]) => {
      const { day, lines } = JSON.parse(
        (await ledger('--day', '2026-11-15', '--json', '--all', ...args)).stdout,
      )
      const { owed, delivered, failed, excused, unexplained, people } = day
      const reasons = lines.map(({ column, reason }: Record<string, string>) => `${column} ${reason}`)
      return { owed, delivered, failed, excused, unexplained, people, reasons }
    }
    expect(await read('--now')).toEqual(await read())
  })
})

describe('terce ledger --today', () => {
  it('prints the account of the running day so far, and says that it is not stored', async () => {
    await keepLedger(database.path, SOUND)
    const { code, stdout, stderr } = await ledger('--today')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(
      /^\d{4}-\d\d-\d\d: \d owed, 6 people accounted for\.\n0 delivered, .*\nComputed \d{4}-\S+ \S+Z, up to then, and not stored\.\n/,
    )
    const json = JSON.parse((await ledger('--today', '--json')).stdout)
    expect(json).toMatchObject({ complete: true, day: { state: 'running', people: 6 } })
    expect(await ledger('--today', '--all')).toMatchObject({
      code: 2,
      stderr: 'terce: Give --today without another day or range.\n',
    })
  })
})

describe('the command of the package', () => {
  it('exits with 1 for an unexplained message, and prints every line of its day also to a slow reader of the pipe', async () => {
    const fates = ['lost', ...Array(150).fill('delivered')] as Fate[]
    await keepLedger(database.path, { '2026-11-16': fates })
    const command = `"${process.execPath}" "${COMMAND}" ledger --day 2026-11-16 --all --json`
    const script = `set -o pipefail; ${command} | (sleep 2; cat)`
    const at = { cwd: database.folder, env: { DATABASE_URL: 'sqlite:terce.db' } }
    const { code, stdout, stderr } = await run('bash', ['-c', script], at)
    expect([code, stderr]).toEqual([1, 'terce: 2026-11-16: 1 unexplained.\n'])
    // More than a pipe holds.
    expect(stdout.length).toBeGreaterThan(65_536)
    expect(JSON.parse(stdout).lines).toHaveLength(151)
  })
})
