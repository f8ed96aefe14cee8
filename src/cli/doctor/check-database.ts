// Checks a database without migrating it: whether it can be written, its schema, and disk space.
import { existsSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Config } from '../../runtimes/config/config.ts'
import { readSchema, type SchemaState } from '../../runtimes/node/schema.ts'
import { describeDatabase, shortDuration } from '../output/words.ts'
import { type Check, fail, ok, warn } from './check.ts'
import { withPostgres } from './with-postgres.ts'

type Settings = Config['database']

export async function checkDatabase(settings: Settings): Promise<Check[]> {
  const first = settings.kind === 'sqlite' ? checkFile(settings.path) : await checkPostgres(settings)
  if (first.some(({ state }) => state === 'fail')) return first
  try {
    return [...first, checkSchema(await readSchema(settings))]
  } catch (error) {
    return [...first, fail('schema', (error as Error).message, 'Set DATABASE_URL to another database.')]
  }
}

function checkSchema({ applied, pending, unknown, needed }: SchemaState): Check {
  if (needed !== null)
    return fail(
      'schema',
      `It needs Terce ${needed} or newer: a newer release has applied ${unknown.at(-1)}.`,
      'Upgrade Terce, or set DATABASE_URL to another database.',
    )
  if (pending.length > 0)
    return warn(
      'schema',
      `${pending.length} of ${pending.length + applied.length} migrations pending.`,
      'Run terce migrate, or start Terce. terce migrate --plan shows what they lock.',
    )
  const newer = unknown.length === 0 ? '' : ` ${unknown.length} of them by a newer release.`
  const all = applied.length === 1 ? '1 migration' : `All ${applied.length} migrations`
  return ok('schema', `${all} applied.${newer}`)
}

function checkFile(path: string): Check[] {
  if (!existsSync(path))
    return [fail('database', `No file ${path}.`, 'Start Terce to create it, or set DATABASE_URL.')]
  try {
    const db = new DatabaseSync(path, { timeout: 5_000 })
    try {
      // Acquires the write lock and releases it.
      db.exec('BEGIN IMMEDIATE; ROLLBACK')
    } finally {
      db.close()
    }
  } catch (error) {
    const remedy = 'Check the permissions of the file and its folder, and the free disk space.'
    return [fail('database', `Cannot write ${path}: ${(error as Error).message}.`, remedy)]
  }
  return [
    ok('database', `${path}, readable and writable.`),
    checkRights(path),
    checkDisk(path),
    checkLog(path),
  ]
}

/** A backup that was copied back has the rights of the copy. SQLite gives the rights of the database to its WAL. */
function checkRights(path: string): Check {
  const exposed = [path, `${path}-wal`, `${path}.key`].filter(isExposed)
  if (exposed.length === 0) return ok('rights', 'Other users can neither read nor write the files.')
  const text = `Other users can read or write ${exposed.join(' and ')}, or own it.`
  return warn(
    'rights',
    text,
    'Run chmod 600, and chown to the user of the server. If others could read the key file, see docs/security.md, "Change TERCE_SECRET_KEY".',
  )
}

/** Windows has no such rights. A group may have some, as with the volumes of Kubernetes. */
function isExposed(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined || process.getuid === undefined) return false
  const user = process.getuid()
  const isForeign = user !== 0 && stats.uid !== user && stats.uid !== 0
  return isForeign || (stats.mode & 0o7) !== 0
}

const MB = 1024 * 1024

function checkDisk(path: string): Check {
  const { bavail, bsize } = statfsSync(dirname(path))
  const free = bavail * bsize
  const size = sizeOf(path) + sizeOf(`${path}-wal`)
  const text = `${megabytes(size)} used, ${megabytes(free)} free.`
  if (free < 64 * MB)
    return fail('disk', text, 'Free disk space: events can be neither planned nor settled without it.')
  return free < size
    ? warn('disk', text, 'Free disk space, or delete history with terce prune.')
    : ok('disk', text)
}

/** The write-ahead log is merged into the file once no reader needs the older pages. */
function checkLog(path: string): Check {
  const size = sizeOf(`${path}-wal`)
  const text = `WAL ${megabytes(size)}.`
  if (size < 1024 * MB) return ok('log', text)
  return warn(
    'log',
    text,
    'A long-running reader, such as a backup or a shell, blocks the checkpoint: stop it.',
  )
}

const sizeOf = (path: string) => (existsSync(path) ? statSync(path).size : 0)
const megabytes = (bytes: number) => `${(bytes / MB).toFixed(bytes < 10 * MB ? 1 : 0)} MB`

async function checkPostgres(settings: Settings & { kind: 'postgres' }): Promise<Check[]> {
  try {
    return await withPostgres(settings.url, async (client) => {
      const before = Date.now()
      const { rows } = await client.query(STATE)
      const skewMs = rows[0].now - (before + Date.now()) / 2
      const where = `${describeDatabase(settings)} (PostgreSQL ${rows[0].version})`
      if (rows[0].is_read_only)
        return [fail('database', `${where} is read-only.`, 'Set DATABASE_URL to the primary.')]
      return [ok('database', `${where}, readable and writable.`), checkClock(skewMs, 'the database')]
    })
  } catch (error) {
    return [fail('database', (error as Error).message, 'Start PostgreSQL, or set DATABASE_URL.')]
  }
}

const STATE = `SELECT current_setting('server_version') AS version,
  pg_is_in_recovery() OR current_setting('transaction_read_only')::bool AS is_read_only,
  (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now`

/** Workers use the clock of the database; other programs use the clock of this machine. */
const SKEW_MS = 1_000

export function checkClock(skewMs: number, than: string): Check {
  const off = Math.abs(skewMs)
  if (off < SKEW_MS) return ok('clock', `Within ${shortDuration(off)} of ${than}.`)
  const text = `The clock of this machine is ${shortDuration(off)} ${skewMs > 0 ? 'behind' : 'ahead of'} ${than}.`
  return warn('clock', text, 'Synchronize both with NTP.')
}
