// Settings: how each value is parsed, and the error for an invalid one.
import { describe, expect, it } from 'vitest'
import { latenessOf } from '../../../src/domain/events/lateness.ts'
import { readConfig } from '../../../src/runtimes/config/config.ts'

const HOUR = 3_600_000

describe('a setting', () => {
  it('can switch off the rate limit and the catch-up window', () => {
    expect(readConfig({ RATE_LIMIT: 'off' }).rateLimit).toBeNull()
    expect(readConfig({}).rateLimit).toBe(6_000)
    expect(
      latenessOf(readConfig({ CATCH_UP_WINDOW: 'unlimited' }).lateness, 'BIRTHDAY').missedAfterMs,
    ).toBeNull()
  })

  it.each([
    ['terce', 'terce', 'terce_'],
    ['_x9', '_x9', '_x9_'],
    [undefined, 'terce', ''],
  ])(
    'DATABASE_SCHEMA=%s is the schema %s on PostgreSQL and the prefix "%s" on SQLite',
    (value, schema, prefix) => {
      const given = value === undefined ? {} : { DATABASE_SCHEMA: value }
      expect(readConfig({ ...given, DATABASE_URL: 'postgres://db/terce' }).database).toMatchObject({ schema })
      expect(readConfig(given).database).toMatchObject({ prefix })
    },
  )

  it.each(['Terce', '1abc', 'pg_x', 'information_schema', 'a-b', 'a.b', 'a'.repeat(51)])(
    'DATABASE_SCHEMA=%s is rejected',
    (DATABASE_SCHEMA) => {
      expect(() => readConfig({ DATABASE_SCHEMA })).toThrow('DATABASE_SCHEMA=')
    },
  )

  it('PUBLIC_URL may end with a slash', () => {
    expect(readConfig({ PUBLIC_URL: 'https://terce.example/' }).publicUrl).toBe('https://terce.example')
  })

  it('TRUSTED_PROXIES accepts ranges and single addresses', () => {
    expect(readConfig({ TRUSTED_PROXIES: '10.0.0.0/8, ::1' }).trustedProxies).toHaveLength(2)
  })

  it('RETRY accepts a preset by name, and the earlier name of quick', () => {
    const delays = (env: Record<string, string>) => readConfig(env).retryPolicy.delaysMs
    expect(delays({})).toEqual([1_000, 2_000, 4_000, 30_000, 120_000, 600_000])
    expect(delays({ RETRY: 'quick' })).toEqual([1_000, 2_000, 4_000])
    expect(delays({ RETRY: 'seeds' })).toEqual([1_000, 2_000, 4_000])
    expect(delays({ RETRY: 'standard' })).toHaveLength(9)
    expect(delays({ RETRY: 'none' })).toEqual([])
  })

  it('RETRY=18x10s repeats a wait', () => {
    const delays = (RETRY: string) => readConfig({ RETRY }).retryPolicy.delaysMs
    expect(delays('18x10s')).toEqual(Array(18).fill(10_000))
    expect(delays('2x1s, 5m,3x1h')).toEqual([1_000, 1_000, 300_000, ...Array(3).fill(3_600_000)])
  })

  it('LATENESS applies to its type, and CATCH_UP_WINDOW to all others', () => {
    const { lateness } = readConfig({
      CATCH_UP_WINDOW: '36h',
      LATENESS: 'BIRTHDAY=2h..3d, TASK_REMINDER=..12h',
    })
    expect(latenessOf(lateness, 'BIRTHDAY')).toEqual({ belatedAfterMs: 2 * HOUR, missedAfterMs: 72 * HOUR })
    expect(latenessOf(lateness, 'TASK_REMINDER')).toEqual({ belatedAfterMs: null, missedAfterMs: 12 * HOUR })
    expect(latenessOf(lateness, 'PARTY')).toEqual({ belatedAfterMs: null, missedAfterMs: 36 * HOUR })
  })

  it.each([
    'postgres://terce@db-1,db-2/terce',
    'postgres://terce@db-1:5432,db-2:5432/terce',
    'postgres:///terce?host=db-1,db-2',
  ])('DATABASE_URL=%s is rejected: the driver connects to one host', (url) => {
    expect(() => readConfig({ DATABASE_URL: url })).toThrow('DATABASE_URL=')
    expect(() => readConfig({ DATABASE_LISTEN_URL: url })).toThrow('DATABASE_LISTEN_URL=')
  })

  it.each(['db.example.com', '203.0.114.7', '[2a00::1]'])(
    'DATABASE_URL with the public host %s is rejected unless it says whether TLS is used',
    (host) => {
      const url = `postgres://terce:word@${host}/terce`
      expect(() => readConfig({ DATABASE_URL: url })).toThrow('needs ?sslmode=verify-full')
      expect(() => readConfig({ DATABASE_URL: `postgres:///terce?host=${host}` })).toThrow('sslmode')
      expect(() => readConfig({ DATABASE_LISTEN_URL: url })).toThrow('needs ?sslmode=verify-full')
      for (const mode of ['verify-full', 'disable'])
        expect(readConfig({ DATABASE_URL: `${url}?sslmode=${mode}` }).database.kind).toBe('postgres')
    },
  )

  it('DATABASE_URL without a host is rejected: the driver would take the host of PGHOST', () => {
    expect(() => readConfig({ DATABASE_URL: 'postgres:///terce' })).toThrow('Give sqlite:PATH')
    expect(() => readConfig({ DATABASE_LISTEN_URL: 'postgres:///terce' })).toThrow('DATABASE_LISTEN_URL=')
  })

  it.each([
    'postgres://db/terce',
    'postgres://10.0.0.5:5432/terce',
    'postgres://db.internal/terce',
    'postgres://[::1]/terce',
    'postgres:///terce?host=/var/run/postgresql.d',
    'postgres://%2Fvar%2Frun%2Fpostgresql.d/terce',
  ])('DATABASE_URL=%s is accepted without TLS: its host is private', (url) => {
    expect(readConfig({ DATABASE_URL: url }).database.kind).toBe('postgres')
  })

  it('is listed with its value and source, and the default of a runtime before the general one', () => {
    const { settings } = readConfig({ DELIVER_AT: '10:00', PORT: ' ' }, { LEASE_MS: '1200000' })
    expect(settings).toEqual(
      expect.arrayContaining([
        { name: 'DELIVER_AT', value: '10:00', source: 'environment' },
        { name: 'PORT', value: '3000', source: 'default' },
        { name: 'LEASE_MS', value: '1200000', source: 'default' },
        { name: 'PUBLIC_URL', value: null, source: 'default' },
      ]),
    )
  })

  it.each([
    ['short', 'terce_for-development-only'],
    ['made of few characters', 'ab'.repeat(20)],
    ['a sequence', '0123456789'.repeat(4)],
  ])('with an API key that is %s is rejected', (_, key) => {
    const read = () => readConfig({ DATABASE_URL: 'sqlite:terce.db', TERCE_API_KEYS: `ci:read:${key}` })
    expect(read).toThrow(/32 random characters or more, as openssl rand -hex 32 makes them/)
  })

  it('is listed without its secrets', () => {
    const secret = Buffer.alloc(32, 'Sphinx of black quartz').toString('base64')
    const { settings } = readConfig({
      DATABASE_URL: 'postgres://terce:pass@word@db.example/terce?sslmode=verify-full&sslpassword=word',
      WEBHOOK_URL: 'https://example.com/hook?token=word',
      WEBHOOK_SECRET: `whsec_${secret}`,
      TERCE_SECRET_KEY: secret,
      TERCE_API_KEYS: 'ci:read:a-key-of-32-characters-with-the-word-in-it',
      METRICS_KEY: 'a-key-with-the-word-in-it',
      HEARTBEAT_URL: 'https://heartbeats.example/word',
      REPORT_TO: 'word@example.com',
    })
    const shown = JSON.stringify(settings)
    expect(shown).not.toContain('word')
    expect(shown).not.toContain(secret)
    expect(settings).toContainEqual({
      ...{ name: 'DATABASE_URL', source: 'environment' },
      value: 'postgres://***@db.example/terce?***',
    })
    expect(settings.filter(({ value }) => value === '***')).toHaveLength(6)
  })

  it('takes an e-mail address or the name of a channel as REPORT_TO', () => {
    expect(readConfig({ REPORT_TO: 'crm' }).reportTo).toBe('crm')
    expect(() => readConfig({ REPORT_TO: 'ops@' })).toThrow(/^REPORT_TO=\*\*\* is not usable/)
  })

  it.each([
    ['WEBHOOK_SECRET', `whsec_${'a'.repeat(32)}`],
    ['WEBHOOK_SECRET', `whsec_${btoa('0123456789abcdefghijklmn')}`],
    ['LATENESS', 'BIRTHDAY=2h'],
    ['LATENESS', 'birthday=2h..3d'],
    ['PUBLIC_URL', 'terce.example'],
    ['PUBLIC_URL', 'https://terce.example/app'],
    ['PUBLIC_URL', 'https://user:pass@terce.example'],
    ['TRUSTED_PROXIES', '10.0.0.1/8'],
    ['TRUSTED_PROXIES', 'true'],
    ['QUIET_HOURS', '22-8'],
    ['RATE_LIMIT', '0/min'],
    ['RETRY', '0x10s'],
    ['RETRY', '18x'],
    ['RETRY', '1000x10s'],
    ['LOG_FORMAT', 'pretty'],
    ['TERCE_TZDB', 'nowhere.json'],
  ])('%s=%s is rejected in one line that names it', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name}=.*is not usable`))
  })
})
