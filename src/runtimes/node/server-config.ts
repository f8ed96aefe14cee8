// The settings of a server that the environment does not give: the key file beside a SQLite file, and targets on loopback.
import { randomBytes } from 'node:crypto'
import { linkSync, lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isLoopback } from '../../domain/access/ip-address.ts'
import { ENVIRONMENT_CHANNEL } from '../../domain/settings/channel.ts'
import type { SettingsStore } from '../../ports/store.ts'
import { type Config, ConfigError } from '../config/config.ts'
import { parseSecretKeys } from '../config/vault.ts'

/** Null for PostgreSQL, whose processes need not share a disk, and for a database in memory. */
export function keyFileOf({ database }: Pick<Config, 'database'>): string | null {
  return database.kind === 'sqlite' && database.path !== ':memory:' ? `${database.path}.key` : null
}

/** The settings of a server. Creates no file. */
export function serverConfig(config: Config): Config {
  return { ...withStoredKeys(config), targets: isThisMachineOnly(config) ? 'loopback' : config.targets }
}

/** The settings of a command on the database, whose HOST need not be the one of the server. */
export function withStoredKeys(config: Config): Config {
  const { secretKeys: given, settings } = config
  const file = keyFileOf(config)
  const stored = file === null ? null : readKeyFile(file)
  if (stored === null) return config
  // TERCE_SECRET_KEY encrypts; the key file still decrypts what was encrypted before it was set.
  if (given !== null) return { ...config, secretKeys: [...given, ...stored] }
  const named = settings.map((one) => (one.name === 'TERCE_SECRET_KEY' ? { ...one, value: file } : one))
  return { ...config, secretKeys: stored, settings: named }
}

/** Creates the key file if there is no key. Creates none while secrets are stored: a new key could not decrypt them. */
export async function withSecretKey(
  config: Config,
  store: Pick<SettingsStore, 'listChannels'>,
  link = linkSync,
): Promise<Config> {
  const file = keyFileOf(config)
  const known = serverConfig(config)
  if (file === null || known.secretKeys !== null || (await hasSecrets(store))) return known
  createKeyFile(file, link)
  return serverConfig(config)
}

/**
 * Callers on this machine can reach its other programs themselves, so a channel to them gives nothing away. A proxy would bring
 * callers from elsewhere: the API also rejects such targets from callers with a key.
 */
function isThisMachineOnly({ targets, host, publicUrl, trustedProxies }: Config): boolean {
  return targets === 'public' && isLoopback(host) && publicUrl === null && trustedProxies.length === 0
}

/** True for a user who may read the database but not the key, which only the user of the server may. */
export function isKeyFileDenied(config: Pick<Config, 'database'>): boolean {
  const file = keyFileOf(config)
  try {
    if (file !== null) readFileSync(file)
    return false
  } catch (error) {
    return codeOf(error) === 'EACCES'
  }
}

function readKeyFile(file: string) {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'EACCES')
      throw new ConfigError([
        `Cannot read ${file}: permission denied. Run this as the user who owns the file.`,
      ])
    if (codeOf(error) !== 'ENOENT') throw error
    if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return null
    throw new ConfigError([
      `${file} is a link to a file that does not exist. Restore that file, or remove the link.`,
    ])
  }
  const keys = parseSecretKeys(text.trim())
  if (keys === undefined)
    throw new ConfigError([
      `${file} holds no key. Restore it from a backup: it encrypts the secrets of channels. During a rotation it has the new key, a comma and the previous key.`,
    ])
  return keys
}

/** Linked to its name once it is complete: of processes that start at the same time, all read the key of the first. */
function createKeyFile(file: string, link: typeof linkSync): void {
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  try {
    writeKey(draft)
    try {
      link(draft, file)
    } catch (error) {
      if (!NO_LINKS.has(codeOf(error))) throw error
      writeKey(file)
    }
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/** A file system without hard links, such as FAT and some network drives. */
const NO_LINKS = new Set<unknown>(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])

function writeKey(file: string): void {
  writeFileSync(file, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx', flush: true })
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown }).code
}

/** The secrets of the environment are stored as hashes, which need no key. */
async function hasSecrets(store: Pick<SettingsStore, 'listChannels'>): Promise<boolean> {
  const channels = await store.listChannels()
  return channels.some(({ id, secrets }) => id !== ENVIRONMENT_CHANNEL && secrets.length > 0)
}
