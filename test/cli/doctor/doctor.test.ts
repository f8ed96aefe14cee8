// `terce doctor`: every problem has a remedy, and the check changes nothing.
import { chmodSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { keepEnvironmentChannel } from '../../../src/app/channels/environment-channel.ts'
import { resealSecrets } from '../../../src/app/channels/reseal.ts'
import { addMigrate } from '../../../src/cli/commands/migrate.ts'
import type { Check } from '../../../src/cli/doctor/check.ts'
import { checkClock } from '../../../src/cli/doctor/check-database.ts'
import { checkDue, checkLease, checkTimezones } from '../../../src/cli/doctor/check-service.ts'
import { addDoctor } from '../../../src/cli/doctor/doctor.ts'
import { localApp } from '../../../src/cli/local-app.ts'
import { INBOX_CHANNEL } from '../../../src/domain/settings/channel.ts'
import { readConfig } from '../../../src/runtimes/config/config.ts'
import { createVault } from '../../../src/runtimes/config/vault.ts'
import { systemClock } from '../../../src/runtimes/shared/system-clock.ts'
import { makePeople } from '../../support/fixtures.ts'
import { deliver } from '../support/deliveries.ts'
import { useDatabase } from '../support/in-process.ts'
import { KEY as API_KEY, useServedDatabase } from '../support/serve-database.ts'

const database = useDatabase(addDoctor, addMigrate)
const start = useServedDatabase(database)

async function examine(env: Record<string, string> = {}) {
  const ran = await database.terce(['doctor', '--json'], { DATABASE_URL: `sqlite:${database.path}`, ...env })
  const { ok, checks } = JSON.parse(ran.stdout) as { ok: boolean; checks: Check[] }
  expect(ran.code).toBe(ok ? 0 : 1)
  const states = Object.fromEntries(checks.map(({ name, state }) => [name, state]))
  const bad = checks
    .filter(({ state }) => state !== 'ok')
    .map(({ name, text, remedy }) => [name, text, remedy])
  return { ok, states, bad }
}

const KEY = Buffer.alloc(32, 7).toString('base64')

/** Creates a channel whose secret is encrypted with KEY. */
async function setUpChannel(
  body: object = { kind: 'webhook', name: 'crm', url: 'https://example.com/hook' },
  env: Record<string, string> = { TERCE_SECRET_KEY: KEY },
): Promise<string> {
  const store = database.open()
  const app = localApp(readConfig(env), { store, clock: systemClock, announce() {} })
  const response = await app.request('/channel', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { channel } = (await response.json()) as { channel: { id: string } }
  return channel.id
}

describe('terce doctor', () => {
  it('says what to do with a database of a release before 0.2.0, as terce migrate does, also with --plan', async () => {
    const db = new DatabaseSync(database.path)
    db.exec(`CREATE TABLE schema_migrations (name TEXT, applied_at TEXT, release TEXT, oldest_release TEXT);
      INSERT INTO schema_migrations VALUES ('0000_start.sql', '', '0.1.0', '0.1.0')`)
    db.close()
    const sentence =
      'it was made by a release before 0.2.0. Export its people with that release, and import them into a new database.'
    const { bad } = await examine()
    expect(bad).toContainEqual(['schema', expect.stringContaining(sentence), expect.any(String)])
    for (const args of [['migrate'], ['migrate', '--plan']]) {
      const { code, stderr } = await database.terce(args)
      expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)])
    }
  })

  it('prints one ok line for each check of a healthy database', async () => {
    await deliver(database.path, 2, 'delivered')
    const { code, stdout, stderr } = await database.terce(['doctor'])
    expect([code, stderr]).toEqual([0, ''])
    const names = stdout
      .trim()
      .split('\n')
      .map((line) => /^ok {4}(\w+) {2}/.exec(line)?.[1])
    expect(names).toEqual([
      'settings',
      'database',
      'rights',
      'disk',
      'log',
      'schema',
      'timezones',
      'work',
      'deliveries',
      'lease',
      'channels',
      'access',
      'ledger',
    ])
    expect(stdout).toMatch(/schema +1 migration applied\.\n/)
    expect(stdout).toContain('Last 24 hours: 2 sent (p95 delay 1 min)')
    expect(stdout).toContain('LEASE_MS=60000; p95 attempt duration 200 ms.')
  })

  it('warns of a database and a key file that other users can read', async () => {
    database.open()
    writeFileSync(`${database.path}.key`, KEY)
    for (const [file, mode] of [
      [database.path, 0o666],
      [`${database.path}.key`, 0o644],
    ] as const)
      chmodSync(file, mode)
    const { bad } = await examine()
    const rights = bad.find(([name]) => name === 'rights')!
    expect(rights[1]).toContain(`${database.path} and `)
    expect(rights[1]).toContain(`${database.path}.key`)
  })

  it('warns of failures, inactive channels and unsigned messages, each with a remedy', async () => {
    await deliver(database.path, 1, 'failed')
    const id = await setUpChannel()
    const store = database.open()
    await store.setChannelStatus({ id, from: 'ACTIVE', to: 'HELD', reason: 'HTTP 401', at: Date.now() })
    const hold = { channelId: INBOX_CHANNEL, heldAt: Date.now(), heldUntil: null, heldBy: null }
    await store.holdDestination(hold)
    const { ok, bad } = await examine({ TERCE_SECRET_KEY: KEY, WEBHOOK_URL: 'https://example.com/' })
    expect(ok).toBe(true)
    expect(bad).toEqual([
      ['deliveries', expect.stringContaining('1 failed'), expect.stringContaining('terce replay')],
      ['channels', '"crm" is HELD: HTTP 401.', expect.stringContaining(`POST /channel/${id}/release`)],
      ['channels', '"inbox" is HELD.', 'terce release --channel "inbox" ends the hold.'],
      ['signing', expect.stringContaining('are not signed'), expect.stringContaining('Set WEBHOOK_SECRET')],
    ])
  })

  it('fails for each destination that is down, on the database and through the API', async () => {
    const id = await setUpChannel()
    const store = database.open()
    const [since, nextProbeAt] = [Date.now() - 125_000, Date.now() + 1_000]
    await store.markDown({ channelId: id, since, error: 'HTTP 503', nextProbeAt, seen: null })
    const times = [since, nextProbeAt].map((at) => new Date(at).toISOString())
    const text = `"crm" is down since ${times[0]} (2 min): HTTP 503; 0 messages wait, next probe at ${times[1]}.`
    const down = ['channels', text, 'Fix the receiver. Nothing else is needed.']
    expect(await examine({ TERCE_SECRET_KEY: KEY })).toMatchObject({ ok: false, bad: [down] })
    const remote = await examine({ TERCE_URL: await start('read'), TERCE_API_KEY: API_KEY })
    expect(remote.bad).toEqual([down, ['channels', 'Not checked.', expect.any(String)]])
  })

  it('warns if WEBHOOK_URL or WEBHOOK_SECRET differs from the one of the process that started last', async () => {
    const secret = (letter: string) => `whsec_${btoa(`${letter} secret of 24 bytes!!!!`)}`
    const here = { WEBHOOK_URL: 'https://example.com/hook?token=1', WEBHOOK_SECRET: secret('a') }
    const store = database.open()
    const environment = { url: here.WEBHOOK_URL, secrets: [here.WEBHOOK_SECRET] }
    await keepEnvironmentChannel({ store, clock: systemClock, telemetry: () => {} }, environment)
    expect((await examine(here)).bad).toEqual([])
    const remedy = 'Give every process one WEBHOOK_URL and one WEBHOOK_SECRET, and restart them.'
    expect((await examine({ ...here, WEBHOOK_URL: 'https://example.com/v2?token=2' })).bad).toEqual([
      [
        'environment',
        'WEBHOOK_URL here is https://example.com/v2, but the process that started last delivers to https://example.com/hook, and so do all others.',
        remedy,
      ],
    ])
    expect((await examine({ ...here, WEBHOOK_SECRET: secret('b') })).bad).toEqual([
      ['environment', 'WEBHOOK_SECRET here differs from the one of the process that started last.', remedy],
    ])
  })

  it('does not count revoked and expired keys as active', async () => {
    const store = database.open()
    const create = (name: string, more: { expiresAt?: number; revokedAt?: number }) =>
      store.createApiKey({
        ...{ id: name, name, hash: name, scope: 'read', createdAt: 0, lastUsedAt: null, revokedAt: null },
        ...{ expiresAt: null, allowedFrom: [], ...more },
      })
    await create('revoked', { revokedAt: 1 })
    await create('expired', { expiresAt: Date.now() - 1_000 })
    const remedy = 'Run terce keys create.'
    expect((await examine()).bad).toEqual([
      ['access', 'All API keys are revoked or expired: every call is rejected.', remedy],
    ])
    await create('current', { expiresAt: Date.now() + 3_600_000 })
    const { stdout } = await database.terce(['doctor'])
    expect(stdout).toContain('1 active API key.')
  })

  it('fails if HOST is open without a key, and if channel secrets cannot be decrypted', async () => {
    await setUpChannel()
    const { bad } = await examine({ HOST: '0.0.0.0' })
    expect(bad).toEqual([
      ['access', expect.stringContaining('HOST=0.0.0.0'), expect.stringContaining('terce keys create')],
      ['secrets', expect.stringContaining('"crm": TERCE_SECRET_KEY is missing'), expect.any(String)],
    ])
    const other = await examine({ TERCE_SECRET_KEY: Buffer.alloc(32, 8).toString('base64') })
    expect(other.bad).toEqual([
      ['secrets', expect.stringContaining('another TERCE_SECRET_KEY'), expect.any(String)],
    ])
    expect((await examine({ TERCE_SECRET_KEY: KEY })).ok).toBe(true)
  })

  it('fails if a channel was saved with ALLOW_PRIVATE_TARGETS=true to a private host, or without TLS', async () => {
    const allowing = { TERCE_SECRET_KEY: KEY, ALLOW_PRIVATE_TARGETS: 'true' }
    const mail = (name: string, server: string) => ({ kind: 'smtp', name, from: 'a@example.com', server })
    await setUpChannel(mail('relay', 'smtp://ada:s3cret-word@10.0.0.1:25?tls=off'), allowing)
    await setUpChannel(mail('plain', 'smtp://mail.example.com?tls=off'), allowing)
    await setUpChannel(mail('fine', 'smtps://mail.example.com'), allowing)
    expect((await examine(allowing)).bad).toEqual([])
    const { ok, bad } = await examine({ TERCE_SECRET_KEY: KEY })
    expect([ok, bad]).toEqual([
      false,
      expect.arrayContaining([
        [
          'targets',
          expect.stringMatching(/^"relay" cannot send: 10\.0\.0\.1 is a private address\./),
          expect.any(String),
        ],
        ['targets', expect.stringMatching(/^"plain" cannot send: .*in the clear/), expect.any(String)],
      ]),
    ])
    expect(bad).toHaveLength(2)
    expect(JSON.stringify(bad)).not.toContain('s3cret')
  })

  it('warns about channel secrets that only the previous TERCE_SECRET_KEY opens', async () => {
    await setUpChannel()
    const both = `${Buffer.alloc(32, 8).toString('base64')},${KEY}`
    const warning = [
      'secrets',
      'The secrets of 1 channel are encrypted with the previous key: crm.',
      'Run terce keys reseal, then remove the previous key from TERCE_SECRET_KEY or the key file.',
    ]
    expect(await examine({ TERCE_SECRET_KEY: both })).toMatchObject({ ok: true, bad: [warning] })
    const store = database.open()
    const vault = createVault(readConfig({ TERCE_SECRET_KEY: both }).secretKeys!)
    await resealSecrets({ store, clock: systemClock, vault }, { dryRun: false })
    expect((await examine({ TERCE_SECRET_KEY: both })).bad).toEqual([])
  })

  it('fails if the database file is missing or invalid, and creates none', async () => {
    expect((await examine()).bad[0]).toEqual([
      'database',
      expect.stringMatching(/^No file /),
      expect.any(String),
    ])
    expect((await examine()).bad[0]![1]).toMatch(/^No file /)
    writeFileSync(
      database.path,
      'This is a letter to Ada, and longer than a header of a database. '.repeat(20),
    )
    const { ok, bad } = await examine()
    expect([ok, bad[0]![1]]).toEqual([false, expect.stringContaining('file is not a database')])
  })

  it('distinguishes an older schema from a newer one, and applies no migration', async () => {
    await deliver(database.path, 0, null)
    const db = new DatabaseSync(database.path)
    const { name } = db.prepare('SELECT max(name) AS name FROM schema_migrations').get() as { name: string }
    db.prepare('DELETE FROM schema_migrations WHERE name = ?').run(name)
    const { states, bad } = await examine()
    expect([states.schema, states['the rest'], bad[0]![2]]).toEqual([
      'warn',
      'warn',
      expect.stringContaining('terce migrate'),
    ])
    expect(db.prepare('SELECT 1 FROM schema_migrations WHERE name = ?').get(name)).toBeUndefined()
    const record = db.prepare(`INSERT OR REPLACE INTO schema_migrations VALUES (?, 'now', '9.0.0', ?)`)
    record.run(name, '0.2.0')
    record.run('9999_later.sql', '0.2.0')
    expect((await examine()).states.schema).toBe('ok')
    record.run('9999_later.sql', '9.0.0')
    db.close()
    expect((await examine()).bad[0]).toEqual([
      'schema',
      'It needs Terce 9.0.0 or newer: a newer release has applied 9999_later.sql.',
      expect.any(String),
    ])
  })

  it('checks a server as far as the scope of its key allows', async () => {
    await deliver(database.path, 1, 'delivered')
    const url = await start('read')
    const { states, bad } = await examine({ TERCE_URL: url, TERCE_API_KEY: API_KEY })
    expect(states).toEqual({
      server: 'ok',
      clock: 'ok',
      timezones: 'ok',
      work: 'ok',
      deliveries: 'ok',
      channels: 'warn',
      ledger: 'ok',
    })
    expect(bad).toEqual([['channels', 'Not checked.', 'Use a key with scope admin.']])
    const away = await database.terce(['doctor', '--url', 'http://127.0.0.1:9'], {})
    expect([away.code, away.stdout]).toEqual([1, expect.stringMatching(/^fail {2}server .*Cannot reach/)])
  })

  it('warns of a variable that looks like a setting, and does not print its value', async () => {
    await deliver(database.path, 1, 'delivered')
    const DATABASE_URL = `sqlite:${database.path}`
    const { ok, bad } = await examine({ DATABASE_URL, WEBHOK_SECRET: 'hidden', HOME: '/root' })
    expect([ok, bad]).toEqual([
      true,
      [['settings', 'WEBHOK_SECRET is not a setting.', 'Did you mean WEBHOOK_SECRET?']],
    ])
  })

  it('has a failing check for every invalid setting', async () => {
    const { ok, bad } = await examine({ LEASE_MS: '1', RETRY: 'often' })
    expect([ok, bad.map(([name, text]) => `${name} ${text}`)]).toEqual([
      false,
      [expect.stringMatching(/^settings LEASE_MS=1 /), expect.stringMatching(/^settings RETRY=often /)],
    ])
  })
})

describe('the checks of terce doctor', () => {
  it('warn if the lease is shorter than twice the p95 attempt duration', () => {
    expect(checkLease([], 60_000).state).toBe('ok')
    const sample = [...Array.from({ length: 90 }, () => 200), ...Array.from({ length: 10 }, () => 40_000)]
    expect(checkLease(sample, 60_000)).toMatchObject({
      state: 'warn',
      remedy: 'Raise LEASE_MS to 160000 or more.',
    })
    expect(checkLease(sample, 80_000).state).toBe('ok')
  })

  it('warn if a due event is not claimed within a minute, and fail after ten', () => {
    const now = '2026-12-15T16:00:00.000Z'
    const counts = { people: 1, inFlight: 0, waiting: 0, sent24h: 0, failed24h: 0, ambiguous24h: 0 }
    const unclaimed = (minutes: number, over: object) => {
      const dueAt = new Date(Date.parse(now) - minutes * 60_000).toISOString()
      const slot = { dueAt, offsetMinutes: 0, sent: 0, inFlight: 0, failed: 0, remaining: 0, ...over }
      return checkDue({ now, counts, wave: [slot] })
    }
    expect(unclaimed(1, { remaining: 5 }).state).toBe('ok')
    expect(unclaimed(2, { remaining: 5 })).toMatchObject({
      state: 'warn',
      text: '5 events overdue and not claimed, the oldest by 2 min.',
    })
    expect(unclaimed(11, { remaining: 1 }).state).toBe('fail')
    expect(unclaimed(11, { sent: 1, inFlight: 1 }).state).toBe('ok')
  })

  it.each([
    [2, 'warn', '2 min'],
    [11, 'fail', '11 min'],
    [20 * 60, 'fail', '20 h'],
  ])('find an event in the database that is unclaimed for %i minutes', async (minutes, state, age) => {
    const store = database.open()
    await store.createUsers(makePeople(2, () => ({ targetAt: Date.now() - minutes * 60_000 })))
    const { states, bad } = await examine()
    expect(states.work).toBe(state)
    const text = `2 events overdue and not claimed, the oldest by ${age}.`
    expect(bad).toContainEqual(['work', text, expect.stringContaining('terce worker')])
  })

  it('name the timezones whose rules changed, and how many people are in them', () => {
    const difference = { from: '2025c', to: '2026f', since: '', offsetFrom: '-08:00', offsetTo: '-07:00' }
    const differs = [{ ...difference, zone: 'America/Vancouver', people: 1_300 }]
    const zones = { version: '2026f', recorded: ['2025c'], lastChange: null, notPlaces: [] }
    expect(checkTimezones({ ...zones, state: 'REPLAN_DUE', differs })).toMatchObject({
      state: 'warn',
      text: expect.stringContaining('1,300 people were planned with older rules: America/Vancouver (1,300)'),
      remedy: expect.stringContaining('terce tz replan'),
    })
    expect(checkTimezones({ ...zones, state: 'TABLE_OLDER', differs: [] }).state).toBe('fail')
    expect(checkTimezones({ ...zones, state: 'CURRENT', differs: [] }).state).toBe('ok')
  })

  it('name the timezones of people that are no place, with suggestions', async () => {
    await deliver(database.path, 2, 'delivered')
    const db = new DatabaseSync(database.path)
    db.exec("UPDATE users SET timezone = 'EST'")
    db.close()
    expect((await examine()).bad).toContainEqual([
      'timezones',
      '2 people with timezone EST, which does not follow the clocks of a place.',
      'List them with GET /user?timezone=EST, and change each to the place where they live: America/New_York, America/Jamaica, America/Panama, …',
    ])
  })

  it('warn if the clock is off by a second or more', () => {
    expect(checkClock(-400, 'the database').state).toBe('ok')
    expect(checkClock(90_000, 'the database')).toMatchObject({
      state: 'warn',
      text: 'The clock of this machine is 1 min behind the database.',
    })
  })
})
