// TLS to PostgreSQL: with sslmode=verify-full Terce talks only to the server that its certificate authority vouches for.
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { StoreUnavailableError } from '../../../src/domain/errors.ts'
import { readConfig } from '../../../src/runtimes/config/config.ts'
import { openDatabase } from '../../../src/runtimes/node/database.ts'
import { makeAuthority } from '../../channels/email/support/certificate.ts'
import { COMMAND, run } from '../../cli/support/run-command.ts'
import { rowsOf } from '../../docs/support/tables.ts'
import { type PostgresServer, startPostgres } from '../../support/postgres-server.ts'
import { until } from '../../support/until.ts'

const NOBODY = 65534
const authority = makeAuthority()
const other = makeAuthority()
const folder = mkdtempSync(join(tmpdir(), 'terce-tls-'))
chmodSync(folder, 0o755)

/** PostgreSQL accepts a key only if its own user, and nobody else, can read it. */
function write(name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, content, { mode: 0o600 })
  if (process.getuid?.() === 0) chownSync(path, NOBODY, NOBODY)
  return path
}

const trusted = write('authority.pem', authority.cert)
const untrusted = write('other.pem', other.cert)
let server: PostgresServer
let plain: PostgresServer

beforeAll(async () => {
  const { key, cert } = authority.sign('localhost')
  const settings = [`ssl_cert_file=${write('server.crt', cert)}`, `ssl_key_file=${write('server.key', key)}`]
  server = await startPostgres({ fast: true, settings: ['ssl=on', ...settings] })
  plain = await startPostgres({ fast: true })
})
afterAll(async () => {
  await server.stop()
  await plain.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** The certificate of the server is for localhost, and not for 127.0.0.1. */
async function databaseUrl(parameters: Record<string, string>, host = 'localhost', on = server) {
  const url = new URL(await on.createDatabase())
  url.hostname = host
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

const open = (url: string) =>
  openDatabase(readConfig({ DATABASE_URL: url }).database, () => {}, { attempts: 5 })

async function rejection(url: string): Promise<Error> {
  const error = await open(url).then(
    (database) => database.close().then(() => expect.unreachable('The connection was accepted.')),
    (thrown: Error) => thrown,
  )
  // Waiting would not help: the process must end and say why.
  expect([error, error.cause].some((one) => one instanceof StoreUnavailableError)).toBe(false)
  return error
}

/** Whether each connection to the database of this URL is encrypted, as the server sees them. */
async function encrypted(url: string): Promise<boolean[]> {
  const admin = new pg.Client(server.url('postgres'))
  await admin.connect()
  const { rows } = await admin.query(
    'SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE datname = $1',
    [new URL(url).pathname.slice(1)],
  )
  await admin.end()
  return rows.map(({ ssl }) => ssl)
}

describe('a PostgreSQL URL with sslmode=verify-full', () => {
  it('connects to a server with a certificate of the authority in sslrootcert, and encrypts all connections', async () => {
    const url = await databaseUrl({ sslmode: 'verify-full', sslrootcert: trusted })
    const database = await open(url)
    let woken = 0
    const onWake = () => {
      woken += 1
    }
    database.listen({ onWake, onEnqueued() {} })
    await until(
      'the listener is connected',
      () => woken,
      (times) => times > 0,
    )
    const connections = await encrypted(url)
    expect(connections.length).toBeGreaterThanOrEqual(2)
    expect(new Set(connections)).toEqual(new Set([true]))
    await database.close()
  })

  it('rejects a certificate of another authority', async () => {
    const error = await rejection(await databaseUrl({ sslmode: 'verify-full', sslrootcert: untrusted }))
    expect(error.message).toMatch(/Cannot use postgres:\/\/localhost.*certificate/)
  })

  it('rejects a certificate of an unknown authority if sslrootcert is not given', async () => {
    const error = await rejection(await databaseUrl({ sslmode: 'verify-full' }))
    expect(error.message).toContain('certificate')
  })

  it('rejects a certificate for another host name', async () => {
    const url = await databaseUrl({ sslmode: 'verify-full', sslrootcert: trusted }, '127.0.0.1')
    expect((await rejection(url)).message).toMatch(/does not match certificate/)
  })

  it('rejects a server that has no TLS, and does not fall back to plain text', async () => {
    const url = await databaseUrl({ sslmode: 'verify-full', sslrootcert: trusted }, 'localhost', plain)
    expect((await rejection(url)).message).toContain('does not support SSL')
  })

  it('ends a command with exit code 1 and the reason, without the password', async () => {
    const url = new URL(await databaseUrl({ sslmode: 'verify-full', sslrootcert: untrusted }))
    url.password = 'hidden-password'
    const { code, stdout, stderr } = await run(process.execPath, [COMMAND, 'migrate'], {
      cwd: folder,
      env: { DATABASE_URL: url.href },
    })
    expect(code).toBe(1)
    expect(stderr).toMatch(/Cannot use postgres:\/\/localhost.*certificate/)
    expect(stdout + stderr).not.toContain('hidden-password')
  })
})

/** What a mode checks, found by trying: 'yes' for encryption, for another authority and for a wrong host name that are rejected. */
async function effectOf(mode: string): Promise<string[]> {
  const attempt = async (sslrootcert: string, host: string) => {
    const url = await databaseUrl(mode === 'none' ? {} : { sslmode: mode, sslrootcert }, host)
    const database = await open(url).catch(() => null)
    const seen = database && (await encrypted(url))
    await database?.close()
    return seen
  }
  const right = await attempt(trusted, 'localhost')
  const isEncrypted = new Set(right).has(true)
  const otherAuthority = await attempt(untrusted, 'localhost')
  const otherHost = await attempt(trusted, '127.0.0.1')
  return [isEncrypted, otherAuthority === null, otherHost === null].map((is) => (is ? 'yes' : 'no'))
}

describe('the table of sslmode in docs/postgresql.md', () => {
  const rows = rowsOf('docs/postgresql.md', '`sslmode`').flatMap(([modes, ...effect]) =>
    [...modes!.matchAll(/none|`([a-z-]+)`/g)].map(([whole, mode]) => ({ mode: mode ?? whole, effect })),
  )

  for (const { mode, effect } of rows)
    it(`says rightly what ${mode} encrypts and checks`, async () => {
      expect(await effectOf(mode)).toEqual(effect)
    })

  it('has every mode', () => {
    expect(rows.map(({ mode }) => mode).sort()).toEqual(
      ['disable', 'no-verify', 'none', 'prefer', 'require', 'verify-ca', 'verify-full'].sort(),
    )
  })
})
