// The start of a process whose database is unavailable, and signals in its first moments.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openPostgresStore } from '../../../src/stores/postgres/postgres-store.ts'
import { query } from '../../stores/postgres/support/audit.ts'
import { useOwnServer } from '../../stores/postgres/support/postgres-suite.ts'
import { runTerce } from '../../stores/postgres/support/processes.ts'
import { until } from '../../support/until.ts'

const stage = useOwnServer({ database: 'empty' })
const COMMAND = new URL('../../../bin/terce.js', import.meta.url).pathname

type Process = { child: ChildProcess; output: () => string; exited: Promise<[number | null, string | null]> }

/** Starts the command with these options of Node; ended with the test. */
function spawnTerce(args: string[], env: Record<string, string>, nodeOptions: string[] = []): Process {
  const { PATH } = process.env
  const child = spawn(process.execPath, [...nodeOptions, COMMAND, ...args], {
    env: { PATH, PORT: '0', WEBHOOK_URL: 'http://127.0.0.1:9/', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (data) => {
      printed += data
    })
  const exited = once(child, 'exit') as Process['exited']
  stage.atEnd(async () => {
    child.kill('SIGKILL')
    await exited
  })
  return { child, output: () => printed, exited }
}

/** Creates the tables of the test's database. */
async function migrated(): Promise<void> {
  await (await openPostgresStore(stage.database())).close()
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
}

const saying = (text: string) => (printed: string) => printed.includes(text)

describe('terce that starts while PostgreSQL', () => {
  it('is down waits for it, logs each attempt, and works when it is back', async () => {
    stage.atEnd(() => stage.server().restart())
    await stage.server().crash()
    const { output, exited, child } = spawnTerce(['worker'], { DATABASE_URL: stage.database() })
    await until('two attempts', output, saying('"attempt":2'))
    const [line] = output().split('\n')
    expect(JSON.parse(line!)).toMatchObject({
      level: 'warn',
      msg: 'Waiting for the database; retrying in 1 s',
      attempt: 1,
      retryInMs: 1_000,
      database: stage.database().replace('postgres@', ''),
      error: { name: 'StoreUnavailableError', code: 'ECONNREFUSED' },
    })
    await stage.server().restart()
    await until('started', output, saying('  delivery '))
    child.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
  })

  it('is read-only waits for it, as after a failover to a replica', async () => {
    await migrated()
    const name = new URL(stage.database()).pathname.slice(1)
    const administer = (sql: string) => query(stage.server().url('postgres'), sql)
    await administer(`ALTER DATABASE ${name} SET default_transaction_read_only = on`)
    const { output } = spawnTerce(['api'], { DATABASE_URL: stage.database() })
    await until('waiting', output, saying('Waiting for the database'))
    await administer(`ALTER DATABASE ${name} RESET default_transaction_read_only`)
    await until('started', output, saying('listens on'))
  })

  it('is down is alive for probes, and responds with 503 until it can start', async () => {
    stage.atEnd(() => stage.server().restart())
    await stage.server().crash()
    const [port, metricsPort] = [await freePort(), await freePort()]
    const env = { PORT: String(port), METRICS_PORT: String(metricsPort), DATABASE_URL: stage.database() }
    const { output } = spawnTerce([], env)
    const get = (at: number, path: string) =>
      fetch(`http://127.0.0.1:${at}${path}`).catch(() => ({ status: 0, headers: new Headers() }))
    const status = async () => (await get(port, '/healthz')).status
    await until('alive', status, (code) => code === 200)
    expect((await get(metricsPort, '/healthz')).status).toBe(200)
    for (const path of ['/readyz', '/user']) {
      const { status: code, headers } = await get(port, path)
      expect([code, headers.get('Retry-After')]).toEqual([503, '5'])
    }
    expect(output()).toContain('Waiting for the database')
    await stage.server().restart()
    await until(
      'ready',
      async () => (await get(port, '/readyz')).status,
      (code) => code === 200,
    )
    expect((await get(port, '/user')).status).toBe(200)
    await until(
      'metrics',
      async () => (await get(metricsPort, '/metrics')).status,
      (code) => code === 200,
    )
  })

  it('is down exits with 0 at SIGTERM', async () => {
    const url = new URL(stage.database())
    url.port = '9'
    const { output, exited, child } = spawnTerce([], { DATABASE_URL: url.href })
    await until('waiting', output, saying('Waiting for the database'))
    child.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
  })

  it('accepts connections and never responds exits with 0 at SIGTERM', async () => {
    const silent = createServer(() => {})
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    stage.atEnd(async () => silent.close())
    const connected = once(silent, 'connection')
    const { port } = silent.address() as AddressInfo
    const { exited, child } = spawnTerce([], { DATABASE_URL: `postgres://terce@127.0.0.1:${port}/terce` })
    await connected
    child.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
  })

  it('lacks a table exits with 1 and prints neither the statement nor its parameters', async () => {
    await migrated()
    await query(stage.database(), 'DROP TABLE terce.api_keys CASCADE')
    const { code, output } = await runTerce(['api'], { DATABASE_URL: stage.database(), PORT: '0' })
    expect(code).toBe(1)
    expect(output).toContain('terce: relation "terce.api_keys" does not exist')
    expect(output).not.toMatch(/select|params/i)
  })
})

describe('a signal to terce', () => {
  /** Node runs this before the command: it sends SIGTERM to itself when the program begins to load. */
  const SIGNAL_WHILE_LOADING = `data:text/javascript,
    import module from 'node:module';
    module.registerHooks({ load(url, context, next) {
      if (url.endsWith('/src/cli/terce.ts')) process.kill(process.pid, 'SIGTERM');
      return next(url, context)
    } })`

  it.each([['all'], ['api'], ['worker']])(
    'while the program is loaded makes terce %s exit with 0',
    async (role) => {
      const { exited } = spawnTerce([role], { DATABASE_URL: stage.database() }, [
        '--import',
        SIGNAL_WHILE_LOADING,
      ])
      expect(await exited).toEqual([0, null])
    },
  )

  it('at any moment of its start ends it: with 0, or before Node runs any of its code', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'terce-'))
    const env = { DATABASE_URL: `sqlite:${join(folder, 'terce.db')}` }
    for (const ms of [0, 30, 60, 100, 150, 250, 400, 700, 1_100]) {
      const { exited, child } = spawnTerce([], env)
      setTimeout(() => child.kill('SIGTERM'), ms)
      expect([
        [0, null],
        [null, 'SIGTERM'],
      ]).toContainEqual(await exited)
    }
    rmSync(folder, { recursive: true })
  })

  it('that arrives twice at once, as Ctrl-C does under npm, still finishes messages in flight', async () => {
    const { createDuePeople } = await import('../../stores/postgres/support/due-people.ts')
    await createDuePeople(await stage.open(), 1)
    const answers: (() => void)[] = []
    const receiver = await stage.sink((response) => answers.push(() => response.end('ok')))
    const { exited, child } = spawnTerce(['worker'], {
      DATABASE_URL: stage.database(),
      WEBHOOK_URL: receiver.url,
    })
    await receiver.waitFor(1)
    child.kill('SIGINT')
    child.kill('SIGTERM')
    await new Promise((resolve) => setTimeout(resolve, 100))
    answers[0]!()
    expect(await exited).toEqual([0, null])
    const events = await query<{ status: string }>(
      stage.database(),
      'SELECT status FROM terce.settled_events',
    )
    expect(events).toEqual([{ status: 'COMPLETED' }])
  })
})
