// Installs the peers and starts the servers of a run: PostgreSQL, Redis and the sink. stopAll() stops everything started here.
import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startPostgres } from '../test/support/postgres-server.ts'
import type { Counts } from './sink.ts'

const HERE = fileURLToPath(new URL('.', import.meta.url))

const stops: (() => Promise<void> | void)[] = []

export function onStop(stop: () => Promise<void> | void): void {
  stops.push(stop)
}

/** Stops in reverse order. An error does not keep the other servers from being stopped. */
export async function stopAll(): Promise<void> {
  for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) {
    try {
      await stop()
    } catch (error) {
      console.error(error)
    }
  }
}

export function installPeers(say: (line: string) => void): void {
  if (existsSync(join(HERE, 'node_modules', 'pg-boss'))) return
  say('Installing the peers: npm ci in bench/')
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: HERE,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

/** For every engine. fsync and synchronous_commit are on, which is the default. */
export const POSTGRES_SETTINGS = [
  'shared_buffers=512MB',
  'max_wal_size=4GB',
  'checkpoint_timeout=15min',
  'fsync=on',
  'synchronous_commit=on',
]

export type Database = {
  url(database: string): string
  /** The process whose children are the processes of the server. */
  pid: number
}

export async function startDatabase(): Promise<Database> {
  const server = await startPostgres({ fast: false, settings: POSTGRES_SETTINGS })
  onStop(() => server.stop())
  const [pid] = readFileSync(join(server.dataFolder, 'postmaster.pid'), 'utf8').split('\n')
  return { url: server.url, pid: Number(pid) }
}

export const REDIS_SETTINGS = {
  appendonly: 'yes',
  appendfsync: 'everysec',
  save: '',
  'maxmemory-policy': 'noeviction',
}

/** The URL is null, with a reason, if Redis is neither installed nor installable. */
export async function startRedis(
  say: (line: string) => void,
): Promise<{ url: string; pid: number; reason: null } | { url: null; reason: string }> {
  const missing = ensureRedis(say)
  if (missing !== null) return { url: null, reason: missing }
  const folder = mkdtempSync(join(tmpdir(), 'terce-redis-'))
  onStop(() => rmSync(folder, { recursive: true, force: true }))
  const port = await freePort()
  const settings = Object.entries({ ...REDIS_SETTINGS, bind: '127.0.0.1', port: String(port), dir: folder })
  const server = spawn(
    'redis-server',
    settings.flatMap(([name, value]) => [`--${name}`, value]),
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  onStop(() => end(server, 'SIGKILL'))
  await new Promise<void>((resolve, reject) => {
    server.stdout!.on('data', (data) => String(data).includes('Ready to accept connections') && resolve())
    server.once('exit', () => reject(new Error('redis-server did not start.')))
  })
  return { url: `redis://127.0.0.1:${port}`, pid: server.pid!, reason: null }
}

/** Installs Redis if necessary. Returns null on success, or the reason why Redis is missing. */
function ensureRedis(say: (line: string) => void): string | null {
  if (isInstalled()) return null
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    return 'redis-server is not on PATH and cannot be installed without root and apt-get'
  say('Installing redis-server by apt-get')
  // RUNLEVEL=1 keeps the package from starting a service.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  const install = ['install', '-y', '-qq', '--no-install-recommends', 'redis-server']
  for (const args of [install, ['update', '-qq'], install]) {
    try {
      execFileSync('apt-get', args, { env, stdio: 'ignore', timeout: 120_000 })
    } catch {}
    if (isInstalled()) return null
  }
  return 'redis-server is not on PATH and apt-get could not install it'
}

function isInstalled(): boolean {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

export type Sink = {
  url: string
  read(): Promise<Counts>
  readAndReset(): Promise<Counts>
  stop(): Promise<void>
}

/** A receiver that keeps one POST in `keep` whole, and responds 422 to one in `reject` (0 for none). */
export async function startSink({ keep = 1_000, reject = 0 } = {}): Promise<Sink> {
  const child = fork(join(HERE, 'sink.ts'), [String(keep), String(reject)])
  onStop(() => end(child, 'SIGKILL'))
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  const ask = async (what: 'read' | 'reset'): Promise<Counts> => {
    const response = once(child, 'message')
    child.send(what)
    return (await response)[0]
  }
  return {
    url: `http://127.0.0.1:${port}/hook`,
    read: () => ask('read'),
    readAndReset: () => ask('reset'),
    stop: () => end(child, 'SIGKILL'),
  }
}

export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
