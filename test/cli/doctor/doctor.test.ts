// Promises about `terce doctor`: what is well is ok, what is not is named with a remedy, and nothing is changed by looking.
import { writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import type { Check } from '../../../src/cli/doctor/check.ts'
import { checkClock } from '../../../src/cli/doctor/check-database.ts'
import { checkDue, checkLease, checkTimezones } from '../../../src/cli/doctor/check-service.ts'
import { addDoctor } from '../../../src/cli/doctor/doctor.ts'
import { localApp } from '../../../src/cli/local-app.ts'
import { readConfig } from '../../../src/runtimes/config/config.ts'
import { systemClock } from '../../../src/runtimes/node/database.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { deliver } from '../support/deliveries.ts'
import { useDatabase } from '../support/in-process.ts'
import { KEY as API_KEY, useServedDatabase } from '../support/serve-database.ts'

const database = useDatabase(addDoctor)
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

/** A channel whose secret is sealed under KEY. */
async function setUpChannel(): Promise<string> {
  const store = openSqliteStore(database.path)
  const app = localApp(readConfig({ TERCE_SECRET_KEY: KEY }), { store, clock: systemClock, announce() {} })
  const answer = await app.request('/channel', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ kind: 'webhook', name: 'crm', url: 'https://example.com/hook' }),
  })
  const { channel } = (await answer.json()) as { channel: { id: string } }
  await store.close()
  return channel.id
}

describe('terce doctor', () => {
  it('finds all well where it is, and says so in lines', async () => {
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
      'disk',
      'log',
      'schema',
      'timezones',
      'work',
      'deliveries',
      'lease',
      'channels',
      'access',
    ])
    expect(stdout).toContain('In 24 hours 2 sent, 95 of 100 within 1 min')
    expect(stdout).toContain('LEASE_MS=60000; 95 of 100 attempts end within 0.2 s.')
  })

  it('warns of what failed, of channels at rest and of what is not signed, each with a remedy', async () => {
    await deliver(database.path, 1, 'failed')
    const id = await setUpChannel()
    const store = openSqliteStore(database.path)
    await store.setChannelStatus({ id, from: 'ACTIVE', to: 'PAUSED', reason: 'HTTP 401', at: Date.now() })
    await store.close()
    const { ok, bad } = await examine({ TERCE_SECRET_KEY: KEY, WEBHOOK_URL: 'https://example.com/' })
    expect(ok).toBe(true)
    expect(bad).toEqual([
      ['deliveries', expect.stringContaining('1 failed'), expect.stringContaining('terce replay')],
      ['channels', '"crm" is PAUSED: HTTP 401.', expect.stringContaining(`POST /channel/${id}/resume`)],
      ['signing', expect.stringContaining('is not signed'), expect.stringContaining('Set WEBHOOK_SECRET')],
    ])
  })

  it('fails where anybody would be let in, and where secrets cannot be opened', async () => {
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

  it('fails where there is no database, or none that is one, and makes none', async () => {
    expect((await examine()).bad[0]).toEqual([
      'database',
      expect.stringMatching(/^There is no file /),
      expect.any(String),
    ])
    expect((await examine()).bad[0]![1]).toMatch(/^There is no file /)
    writeFileSync(
      database.path,
      'This is a letter to Ada, and longer than a header of a database. '.repeat(20),
    )
    const { ok, bad } = await examine()
    expect([ok, bad[0]![1]]).toEqual([false, expect.stringContaining('file is not a database')])
  })

  it('tells an older schema from a newer one, and applies nothing', async () => {
    await deliver(database.path, 0, null)
    const db = new DatabaseSync(database.path)
    const { name } = db.prepare('SELECT max(name) AS name FROM migrations').get() as { name: string }
    db.prepare('DELETE FROM migrations WHERE name = ?').run(name)
    const { states, bad } = await examine()
    expect([states.schema, states['the rest'], bad[0]![2]]).toEqual([
      'warn',
      'warn',
      expect.stringContaining('terce migrate'),
    ])
    expect(db.prepare('SELECT 1 FROM migrations WHERE name = ?').get(name)).toBeUndefined()
    db.exec(`INSERT INTO migrations VALUES ('9999_later.sql', 'now'), ('${name}', 'now')`)
    db.close()
    expect((await examine()).bad[0]).toEqual([
      'schema',
      'A newer release has added 9999_later.sql.',
      expect.any(String),
    ])
  })

  it('looks at a server by its address, as far as its key goes', async () => {
    await deliver(database.path, 1, 'delivered')
    const url = await start('read')
    const { states, bad } = await examine({ TERCE_URL: url, TERCE_KEY: API_KEY })
    expect(states).toEqual({
      server: 'ok',
      clock: 'ok',
      timezones: 'ok',
      work: 'ok',
      deliveries: 'ok',
      channels: 'warn',
    })
    expect(bad).toEqual([['channels', 'They were not looked at.', 'Give a key of scope admin.']])
    const away = await database.terce(['doctor', '--url', 'http://127.0.0.1:9'], {})
    expect([away.code, away.stdout]).toEqual([1, expect.stringMatching(/^fail {2}server .*Cannot reach/)])
  })

  it('fails by every setting that cannot be used', async () => {
    const { ok, bad } = await examine({ LEASE_MS: '1', RETRY: 'often' })
    expect([ok, bad.map(([name, text]) => `${name} ${text}`)]).toEqual([
      false,
      [expect.stringMatching(/^settings LEASE_MS=1 /), expect.stringMatching(/^settings RETRY=often /)],
    ])
  })
})

describe('what a doctor makes of it', () => {
  it('warns of a lease that is no more than twice as long as most attempts take', () => {
    expect(checkLease([], 60_000).state).toBe('ok')
    const sample = [...Array.from({ length: 90 }, () => 200), ...Array.from({ length: 10 }, () => 40_000)]
    expect(checkLease(sample, 60_000)).toMatchObject({
      state: 'warn',
      remedy: 'Raise LEASE_MS to 160000 or more.',
    })
    expect(checkLease(sample, 80_000).state).toBe('ok')
  })

  it('warns of what is not taken a minute after it is due, and fails after ten', () => {
    const now = '2026-12-15T16:00:00.000Z'
    const counts = { people: 1, inFlight: 0, waiting: 0, sent24h: 0, failed24h: 0, ambiguous24h: 0 }
    const untaken = (minutes: number, over: object) => {
      const dueAt = new Date(Date.parse(now) - minutes * 60_000).toISOString()
      const crest = { dueAt, offsetMinutes: 0, sent: 0, inFlight: 0, failed: 0, toCome: 0, ...over }
      return checkDue({ now, counts, wave: [crest] })
    }
    expect(untaken(1, { toCome: 5 }).state).toBe('ok')
    expect(untaken(2, { toCome: 5 })).toMatchObject({
      state: 'warn',
      text: '5 events that fell due up to 2 min ago were not taken.',
    })
    expect(untaken(11, { toCome: 1 }).state).toBe('fail')
    expect(untaken(11, { sent: 1, inFlight: 1 }).state).toBe('ok')
  })

  it('names the places where the timezones differ, and how many live there', () => {
    const difference = { from: '2025c', to: '2026f', since: '', offsetFrom: '-08:00', offsetTo: '-07:00' }
    const differs = [{ ...difference, zone: 'America/Vancouver', people: 1_300 }]
    const zones = { version: '2026f', recorded: ['2025c'], lastChange: null }
    expect(checkTimezones({ ...zones, state: 'REPLAN_DUE', differs })).toMatchObject({
      state: 'warn',
      text: expect.stringContaining('1,300 people were planned by other rules: America/Vancouver (1,300)'),
      remedy: expect.stringContaining('terce tz replan'),
    })
    expect(checkTimezones({ ...zones, state: 'TABLE_OLDER', differs: [] }).state).toBe('fail')
    expect(checkTimezones({ ...zones, state: 'CURRENT', differs: [] }).state).toBe('ok')
  })

  it('warns of a clock that is a second off or more', () => {
    expect(checkClock(-400, 'the database').state).toBe('ok')
    expect(checkClock(90_000, 'the database')).toMatchObject({
      state: 'warn',
      text: 'The clock of this machine is 1 min behind that of the database.',
    })
  })
})
