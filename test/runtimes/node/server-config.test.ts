// The key file beside a SQLite file, and the targets of a server that only this machine can reach.
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '../../../src/runtimes/config/config.ts'
import { parseSecretKeys } from '../../../src/runtimes/config/vault.ts'
import {
  isKeyFileDenied,
  serverConfig,
  withSecretKey,
  withStoredKeys,
} from '../../../src/runtimes/node/server-config.ts'
import { makeChannel } from '../../contracts/store/settings.ts'

const KEY = Buffer.alloc(32, 7).toString('base64')
const POSTGRES = 'postgres://terce@localhost/terce'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'terce-key-'))
  file = join(folder, 'terce.db.key')
})
afterEach(() => rmSync(folder, { recursive: true }))

const configOf = (env: Record<string, string> = {}) =>
  readConfig({ DATABASE_URL: `sqlite:${join(folder, 'terce.db')}`, ...env })
const holding = (...channels: ReturnType<typeof makeChannel>[]) => ({ listChannels: async () => channels })
const sealed = makeChannel({ secrets: [{ sealed: 'v2.', createdAt: 0, expiresAt: null }] })

describe('the key file of a SQLite file', () => {
  it('is created once, for this user alone, and named in the settings', async () => {
    const [one, two] = await Promise.all([1, 2].map(() => withSecretKey(configOf(), holding())))
    expect(one!.secretKeys).toEqual(parseSecretKeys(readFileSync(file, 'utf8').trim()))
    expect(two!.secretKeys).toEqual(one!.secretKeys)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['terce.db.key'])
    expect((await withSecretKey(configOf(), holding(sealed))).secretKeys).toEqual(one!.secretKeys)
    expect(one!.settings).toContainEqual({ name: 'TERCE_SECRET_KEY', value: file, source: 'default' })
  })

  it('is created on a file system without hard links', async () => {
    const link = () => {
      throw Object.assign(new Error('link'), { code: 'EPERM' })
    }
    const { secretKeys } = await withSecretKey(configOf(), holding(), link)
    expect(secretKeys).toEqual(parseSecretKeys(readFileSync(file, 'utf8').trim()))
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['terce.db.key'])
  })

  it('is an error if this user cannot read it, which commands can ask before', () => {
    writeFileSync(file, KEY, { mode: 0o000 })
    chmodSync(folder, 0o755)
    const isRoot = process.getuid!() === 0
    if (isRoot) process.seteuid!(65534)
    try {
      expect(isKeyFileDenied(configOf())).toBe(true)
      expect(() => serverConfig(configOf())).toThrow(`Cannot read ${file}: permission denied.`)
    } finally {
      if (isRoot) process.seteuid!(0)
    }
  })

  it('is not created while secrets are stored that a new key could not decrypt', async () => {
    expect((await withSecretKey(configOf(), holding(sealed))).secretKeys).toBeNull()
    expect(existsSync(file)).toBe(false)
  })

  it.each([{ TERCE_SECRET_KEY: KEY }, { DATABASE_URL: POSTGRES }, { DATABASE_URL: 'sqlite::memory:' }])(
    'is not created with %j',
    async (env) => {
      const config = configOf(env)
      expect((await withSecretKey(config, holding())).secretKeys).toEqual(config.secretKeys)
      expect(readdirSync(folder)).toEqual([])
    },
  )

  it('decrypts beside TERCE_SECRET_KEY, which encrypts', async () => {
    const { secretKeys } = await withSecretKey(configOf(), holding())
    const both = serverConfig(configOf({ TERCE_SECRET_KEY: KEY }))
    expect(both.secretKeys).toEqual([Buffer.from(KEY, 'base64'), ...secretKeys!])
    expect(both.settings).toContainEqual({ name: 'TERCE_SECRET_KEY', value: '***', source: 'environment' })
  })

  it('is rejected if it holds no key, or is a link to no file', () => {
    writeFileSync(file, '')
    expect(() => serverConfig(configOf())).toThrow(`${file} holds no key. Restore it from a backup`)
    rmSync(file)
    symlinkSync(join(folder, 'missing'), file)
    expect(() => serverConfig(configOf())).toThrow(`${file} is a link to a file that does not exist.`)
  })
})

it.each([
  [{}, 'loopback'],
  [{ HOST: 'localhost', DATABASE_URL: POSTGRES }, 'loopback'],
  [{ ALLOW_PRIVATE_TARGETS: 'true' }, 'any'],
  [{ HOST: '0.0.0.0' }, 'public'],
  [{ PUBLIC_URL: 'https://terce.example' }, 'public'],
  [{ TRUSTED_PROXIES: '127.0.0.1' }, 'public'],
])('A server with %j allows channels to send to %s targets', (env, targets) => {
  expect(serverConfig(configOf(env)).targets).toBe(targets)
  // A command does not know the HOST of the server.
  expect(withStoredKeys(configOf(env)).targets).toBe(targets === 'any' ? 'any' : 'public')
})
