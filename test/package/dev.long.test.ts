// `npm run dev`: Terce and the dashboard at one address, with the Node of the machine and the packages of the checkout.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../support/until.ts'
import { copyCheckout, linkAllPackages, shellEnv } from './support/checkout.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'terce-dev-'))
  copyCheckout(folder)
  linkAllPackages(folder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const started: Dev[] = []
afterEach(() => {
  for (const { child, processes } of started.splice(0))
    if (processes().length > 0) process.kill(-child.pid!, 'SIGKILL')
})

type Dev = {
  child: ChildProcess
  exited: Promise<unknown[]>
  output(): string
  processes(): { pid: number; command: string }[]
}

function run({ args = [] as string[], port = '0' } = {}): Dev {
  const child = spawn('npm', ['run', 'dev', ...args], {
    cwd: folder,
    env: { ...shellEnv(), PORT: port },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, by which all of its processes are found.
    detached: true,
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (printed += data))
  const dev = {
    child,
    exited: once(child, 'close'),
    output: () => printed,
    processes: () => processesOf(child.pid!),
  }
  started.push(dev)
  return dev
}

/** Resolves when Terce has printed the address to open. */
async function start(): Promise<Dev & { url: string }> {
  const dev = run()
  const address = () => /^Dashboard +(\S+)\/app\/$/m.exec(dev.output())?.[1]
  await until(
    'npm run dev starts',
    () => address() ?? dev.child.exitCode,
    (seen) => seen != null,
    90_000,
  )
  if (address() === undefined) throw new Error(`npm run dev ended at once:\n${dev.output()}`)
  return { ...dev, url: address()! }
}

/** The processes of a group that have not ended. */
function processesOf(group: number): { pid: number; command: string }[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.flatMap((pid) => {
    try {
      // After the name in parentheses: state, parent, group.
      const [state, , groupId] = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/.*\) /s, '').split(' ')
      if (Number(groupId) !== group || state === 'Z') return []
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      return [{ pid: Number(pid), command }]
    } catch {
      // It has ended since.
      return []
    }
  })
}

const get = (url: string, headers: Record<string, string> = {}) => fetch(url, { headers })

describe('npm run dev', () => {
  it('serves the dashboard with hot reload and the API at one address, restarts after a change in src, and ends with SIGTERM', async () => {
    const { url, child, exited, output, processes } = await start()
    const page = await (await get(`${url}/app/`)).text()
    expect(page).toContain('<div id="root">')
    const client = /src="(\S+@vite\/client)"/.exec(page)![1]
    expect((await get(url + client)).headers.get('Content-Type')).toContain('javascript')

    const browser = { Origin: url, 'Sec-Fetch-Site': 'same-origin' }
    const users = await get(`${url}/user`, browser)
    expect(await users.json()).toEqual({ items: [], nextCursor: null })
    expect(users.headers.get('Content-Security-Policy')).toContain("default-src 'none'")
    expect((await get(`${url}/user`, { Origin: 'http://localhost:1' })).status).toBe(403)
    expect(await (await get(`${url}/docs`)).text()).toContain('API reference')

    const starts = () => output().match(/^Dashboard /gm)!.length
    appendFileSync(join(folder, 'src/http/app.ts'), '\n')
    await until('Terce restarts', starts, (count) => count === 2, 60_000)
    expect((await get(`${url}/user`, browser)).status).toBe(200)

    // Only to npm, as a supervisor sends it. Ctrl+C reaches every process.
    child.kill('SIGTERM')
    await exited
    expect(output()).toContain('Stopped.')
    await until('every process has ended', processes, ({ length }) => length === 0)
  })

  it('ends the dashboard, and says why, when Terce was killed', async () => {
    const { exited, output, processes } = await start()
    const watched = processes().find(({ command }) => command.includes('--watch '))
    process.kill(watched!.pid, 'SIGKILL')
    expect(await exited).toEqual([1, null])
    expect(output()).toContain('dev: Terce ended (SIGKILL), so the dashboard ends too.')
    await until('every process has ended', processes, ({ length }) => length === 0)
  })

  it('names a port that is in use, and starts nothing', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const { exited, output } = run({ port: String(port) })
    expect(await exited).toEqual([1, null])
    other.close()
    expect(output()).toContain(`dev: Port ${port} is in use. Set PORT to a free port.`)
    expect(output()).not.toContain('listens on')
  })

  it('prints its settings with --help', async () => {
    const { exited, output } = run({ args: ['--', '--help'] })
    expect(await exited).toEqual([0, null])
    expect(output()).toContain('DATABASE_URL')
  })
})
