// Looks at a database from outside, without bringing it up to date: can it be written, is its schema ours, has it room.
import { existsSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Config } from '../../runtimes/config/config.ts'
import { describeDatabase } from '../output/describe-database.ts'
import { inWords } from '../output/news.ts'
import { type Check, fail, ok, warn } from './check.ts'
import { readSchema, withPostgres } from './database-schema.ts'

type Settings = Config['database']

export async function checkDatabase(settings: Settings): Promise<Check[]> {
  const first = settings.kind === 'sqlite' ? checkFile(settings.path) : await checkPostgres(settings)
  if (first.some(({ state }) => state === 'fail')) return first
  return [...first, await checkSchema(settings)]
}

async function checkSchema(settings: Settings): Promise<Check> {
  const { applied, missing, unknown } = await readSchema(settings)
  if (unknown.length > 0)
    return fail(
      'schema',
      `A newer release has added ${unknown.at(-1)}.`,
      'Upgrade this one, or give DATABASE_URL another database.',
    )
  if (missing.length > 0)
    return warn(
      'schema',
      `${missing.length} of ${missing.length + applied.length} migrations are to come.`,
      'Run terce migrate. Starting does it, too.',
    )
  return ok('schema', `All ${applied.length} migrations are in.`)
}

function checkFile(path: string): Check[] {
  if (!existsSync(path))
    return [
      fail('database', `There is no file ${path}.`, 'Start terce, which makes it, or set DATABASE_URL.'),
    ]
  try {
    const db = new DatabaseSync(path, { timeout: 5_000 })
    try {
      // Takes the one place of a writer, and gives it back.
      db.exec('BEGIN IMMEDIATE; ROLLBACK')
    } finally {
      db.close()
    }
  } catch (error) {
    const remedy = 'Look at the permissions of the file and its folder, and whether the disk is full.'
    return [fail('database', `${path} cannot be written: ${(error as Error).message}.`, remedy)]
  }
  return [ok('database', `${path} can be read and written.`), checkDisk(path), checkLog(path)]
}

const MB = 1024 * 1024

function checkDisk(path: string): Check {
  const { bavail, bsize } = statfsSync(dirname(path))
  const free = bavail * bsize
  const size = sizeOf(path) + sizeOf(`${path}-wal`)
  const text = `${megabytes(size)} are used, ${megabytes(free)} are free.`
  if (free < 64 * MB) return fail('disk', text, 'Make room: without it nothing can be planned or settled.')
  return free < size ? warn('disk', text, 'Make room, or remove history with terce prune.') : ok('disk', text)
}

/** What is written goes there first, and is folded into the file as soon as nobody reads what was before. */
function checkLog(path: string): Check {
  const size = sizeOf(`${path}-wal`)
  const text = `${megabytes(size)} wait to be folded into the file.`
  if (size < 1024 * MB) return ok('log', text)
  return warn('log', text, 'Something reads without end, such as a backup or a shell: end it.')
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
        return [
          fail('database', `${where} can only be read.`, 'Give DATABASE_URL the address of the primary.'),
        ]
      return [ok('database', `${where} can be read and written.`), checkClock(skewMs, 'the database')]
    })
  } catch (error) {
    return [fail('database', (error as Error).message, 'Start PostgreSQL, or set DATABASE_URL.')]
  }
}

const STATE = `SELECT current_setting('server_version') AS version,
  pg_is_in_recovery() OR current_setting('transaction_read_only')::bool AS is_read_only,
  (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now`

/** Workers follow the clock of the database; what else looks at this one does not. */
const SKEW_MS = 1_000

export function checkClock(skewMs: number, than: string): Check {
  const off = Math.abs(skewMs)
  if (off < SKEW_MS) return ok('clock', `It agrees with that of ${than} to ${inWords(off)}.`)
  const text = `The clock of this machine is ${inWords(off)} ${skewMs > 0 ? 'behind' : 'ahead of'} that of ${than}.`
  return warn('clock', text, 'Let both follow a time server.')
}
