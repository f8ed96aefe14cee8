// A standby of a running PostgreSQL: a base backup by the low-level API (the npm binaries have no pg_basebackup), then
// streaming replication.
import { appendFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { type PostgresServer, startPostgres } from './postgres-server.ts'
import { until } from './until.ts'

/** Settings of a server that can have a standby and can become one. They come after the fast ones and override them. */
export const REPLICATED = [
  'wal_level=replica',
  'max_wal_senders=8',
  'wal_keep_size=512MB',
  'wal_retrieve_retry_interval=200ms',
  'hot_standby_feedback=on',
]

/** Starts a standby and resolves when it streams. It is asynchronous until `waitForStandby`. */
export async function startStandby(
  primary: PostgresServer,
  options: { fast: boolean },
): Promise<PostgresServer> {
  const standby = await startPostgres({
    ...options,
    settings: REPLICATED,
    fill: (data) => backUp(primary, data),
  })
  try {
    await until(
      'the standby streams',
      () => standbyStates(primary),
      (states) => states.length > 0,
    )
  } catch (error) {
    await standby.stop()
    throw error
  }
  return standby
}

/** From now on a commit on the primary waits until the standby has flushed it. */
export async function waitForStandby(primary: PostgresServer): Promise<void> {
  await configure(primary, 'synchronous_standby_names', 'FIRST 1 (standby)')
  await until(
    'the standby is synchronous',
    () => standbyStates(primary),
    (states) => states.includes('sync'),
  )
}

/** From now on commits are acknowledged without the standby. */
export const forgetStandby = (primary: PostgresServer) => configure(primary, 'synchronous_standby_names', '')

/** Resolves when the standby has everything that was committed before. */
export async function catchUp(primary: PostgresServer, standby: PostgresServer): Promise<void> {
  const [written] = await run(primary, 'SELECT pg_current_wal_lsn() AS lsn')
  const replayed = `SELECT pg_last_wal_replay_lsn() >= '${written!.lsn}' AS has_all`
  await until(
    'the standby has all',
    () => run(standby, replayed),
    ([row]) => row!.has_all === true,
  )
}

/** Ends the streaming: the standby keeps what was committed before, and gets nothing more. */
export async function cutReplication(primary: PostgresServer, standby: PostgresServer): Promise<void> {
  await catchUp(primary, standby)
  await configure(standby, 'primary_conninfo', '')
  await until(
    'no standby streams',
    () => standbyStates(primary),
    (states) => states.length === 0,
  )
}

/** Resolves when the standby accepts writes. */
export async function promote(standby: PostgresServer): Promise<void> {
  await run(standby, 'SELECT pg_promote(true, 60)')
}

const standbyStates = async (primary: PostgresServer) =>
  (await run(primary, `SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'`)).map(
    ({ sync_state }) => sync_state as string,
  )

async function configure(server: PostgresServer, setting: string, value: string): Promise<void> {
  await run(server, `ALTER SYSTEM SET ${setting} = '${value}'`)
  await run(server, 'SELECT pg_reload_conf()')
}

/** Runs on the server itself, outside of every database of a test. */
function run(server: PostgresServer, sql: string): Promise<Record<string, unknown>[]> {
  return withClient(server, async (client) => (await client.query(sql)).rows)
}

async function withClient<T>(server: PostgresServer, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(server.url('postgres'))
  // The server may crash: the query fails, and the second error must not end the process.
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

function backUp(primary: PostgresServer, data: string): Promise<void> {
  return withClient(primary, async (client) => {
    // Waiting for the standby would wait for ever: there is none yet.
    await client.query('SET synchronous_commit = local')
    await client.query(`SELECT pg_backup_start('standby', true)`)
    await copyFolder(primary.dataFolder, data)
    const { rows } = await client.query('SELECT labelfile FROM pg_backup_stop(false)')
    await writeFile(join(data, 'backup_label'), rows[0].labelfile)
    await writeFile(join(data, 'standby.signal'), '')
    const { port } = primary
    const from = `host=127.0.0.1 port=${port} user=postgres application_name=standby`
    // Once promoted, it must not wait for a standby that it does not have yet.
    const settings = [`primary_conninfo = '${from}'`, `synchronous_standby_names = ''`]
    await appendFile(join(data, 'postgresql.auto.conf'), `${settings.join('\n')}\n`)
  })
}

/** Not part of a base backup: WAL, which is streamed, and the state of the running server. */
const LEFT_OUT = new Set(['pg_wal', 'postmaster.pid', 'postmaster.opts', 'pg_replslot', 'pg_stat_tmp'])

async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { mode: 0o700 })
  const entries = await readdir(from, { withFileTypes: true })
  await Promise.all(
    entries.map(async (entry) => {
      const [source, target] = [join(from, entry.name), join(to, entry.name)]
      if (LEFT_OUT.has(entry.name)) {
        if (entry.isDirectory()) await mkdir(target, { mode: 0o700 })
      } else if (entry.isDirectory()) await copyFolder(source, target)
      // Not copyFile: its copy is on the disk at once, and removing it took seconds.
      else await readFile(source).then((bytes) => writeFile(target, bytes), ignoreRemoved)
    }),
  )
}

/** A file that the server removes during the backup is restored from the WAL, if it is needed at all. */
function ignoreRemoved(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
