// The tables of settings: they name every variable that is read, with the default that applies when it is unset.
import { expect, it } from 'vitest'
import { latenessOf } from '../../../src/domain/events/lateness.ts'
import { readConfig } from '../../../src/runtimes/config/config.ts'
import { QUEUE_LEASE_MS } from '../../../src/runtimes/shared/serverless.ts'
import { readPage } from '../support/page.ts'
import { rowsOf, spansOf } from '../support/tables.ts'

const settings = rowsOf('docs/settings.md', 'variable', 'default').map(([name, standard, meaning]) => ({
  name: spansOf(name!)[0]!,
  standard: standard!,
  meaning: meaning!,
}))
const listed = settings.map(({ name }) => name)

/** The variables that `readConfig` reads. */
function variablesRead(): string[] {
  const read = new Set<string>()
  const values: Record<string, string> = { DATABASE_URL: 'postgres://localhost/terce' }
  const get = (env: Record<string, string>, name: string) => {
    read.add(name)
    return env[name]
  }
  readConfig(new Proxy(values, { get }))
  return [...read]
}

it('docs/settings.md lists every setting that is read, and no other', () => {
  expect([...listed].sort()).toEqual(variablesRead().sort())
})

const isVariable = (text: string) => listed.includes(text)
const written = settings.flatMap(({ name, standard }) => {
  const [value] = spansOf(standard)
  return value === undefined || isVariable(value) ? [] : [{ name, value }]
})

it.each(written)('docs/settings.md has the default of $name: $value', ({ name, value }) => {
  // DATABASE_CONNECTIONS applies to PostgreSQL only.
  const base = name.startsWith('DATABASE_C') ? { DATABASE_URL: 'postgres://localhost/terce' } : {}
  const { settings: _, ...given } = readConfig({ ...base, [name]: value })
  const { settings, ...standard } = readConfig(base)
  expect(given).toEqual(standard)
  expect(settings).toContainEqual({ name, value, source: 'default' })
})

it('docs/settings.md says "none" for exactly the settings that are off by default', () => {
  const config = readConfig({})
  expect(config).toMatchObject({
    publicUrl: null,
    trustedProxies: [],
    apiKeys: [],
    webhookSecrets: [],
    secretKeys: null,
    notAfter: null,
    quietHours: null,
    metricsPort: null,
    metricsKey: null,
    metricsNamespace: null,
    heartbeatUrl: null,
    ledgerUrl: null,
  })
  expect(latenessOf(config.lateness, 'BIRTHDAY')).toEqual({ belatedAfterMs: null, missedAfterMs: null })
  const none = settings.filter(({ standard }) => standard === 'none').map(({ name }) => name)
  expect(none).toEqual([
    'PUBLIC_URL',
    'TRUSTED_PROXIES',
    'TERCE_API_KEYS',
    'WEBHOOK_SECRET',
    'TERCE_SECRET_KEY',
    'NOT_AFTER',
    'LATENESS',
    'QUIET_HOURS',
    'METRICS_PORT',
    'METRICS_KEY',
    'METRICS_NAMESPACE',
    'HEARTBEAT_URL',
    'LEDGER_URL',
    'LEDGER_SECRET',
  ])
})

it('docs/settings.md has examples of values that are accepted', () => {
  for (const { name, meaning } of settings.filter(({ name }) =>
    /RETRY|NOT_AFTER|CATCH_UP|LATENESS|QUIET/.test(name),
  )) {
    const values = spansOf(meaning).filter(
      (text) => !isVariable(text) && !/^[A-Z]+=[A-Z]+\.\.|^\*$|^(ms|s|m|h|d)$/.test(text),
    )
    expect(values, name).not.toEqual([])
    for (const value of values) expect(() => readConfig({ [name]: value }), `${name}=${value}`).not.toThrow()
  }
})

it('docs/postgresql.md repeats the defaults of docs/settings.md', () => {
  for (const [name, standard] of rowsOf('docs/postgresql.md', 'variable', 'default'))
    expect(standard).toBe(settings.find((one) => one.name === spansOf(name!)[0])?.standard)
})

it('docs/deploy-cloudflare.md names settings that exist, and the lease of serverless runtimes', () => {
  const rows = rowsOf('docs/deploy-cloudflare.md', 'setting', 'on Cloudflare')
  const names = rows.flatMap(([name]) => spansOf(name!)).filter((name) => !name.includes('*'))
  expect(names.filter((name) => !isVariable(name))).toEqual(['PRUNE_AFTER'])
  const leases = [readPage('deploy-cloudflare.md'), readPage('deploy-aws.md')].map(
    ({ text }) => /`LEASE_MS`[^`]*`(\d+)`/.exec(text)?.[1],
  )
  expect(leases).toEqual([String(QUEUE_LEASE_MS), String(QUEUE_LEASE_MS)])
})
