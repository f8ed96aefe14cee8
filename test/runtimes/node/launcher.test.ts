// bin/terce.js on a Node that is too old: it runs a newer one as its child, and the two live and end together.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../../support/until.ts'

const COMMAND = new URL('../../../bin/terce.js', import.meta.url).pathname
/** Makes any Node report an old version. The child does not inherit it. */
const AS_NODE_20 =
  'data:text/javascript,Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.0.0" } })'

const hasBundledNode = (() => {
  try {
    return createRequire(import.meta.url).resolve(`node-linux-${process.arch}/bin/node`) !== ''
  } catch {
    return false
  }
})()

let folder: string
const started: ChildProcess[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'terce-'))
})
afterEach(() => {
  for (const { pid } of started.splice(0)) for (const one of [pid, ...childrenOf(pid!)]) kill(one!)
  rmSync(folder, { recursive: true, force: true })
})

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

function launch(args: string[] = []) {
  const { PATH } = process.env
  const launcher = spawn(process.execPath, ['--import', AS_NODE_20, COMMAND, ...args], {
    env: { PATH, PORT: '0', DATABASE_URL: `sqlite:${join(folder, 'terce.db')}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(launcher)
  let printed = ''
  for (const stream of [launcher.stdout, launcher.stderr])
    stream.on('data', (data) => {
      printed += data
    })
  return { launcher, output: () => printed, exited: once(launcher, 'exit') }
}

async function launchServer() {
  const { launcher, output, exited } = launch()
  await until('listens', output, (text) => text.includes('listens on'))
  const url = /listens on (\S+)/.exec(output())![1]!
  return { launcher, output, exited, url, children: childrenOf(launcher.pid!) }
}

function childrenOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    return text.trim() === '' ? [] : text.trim().split(' ').map(Number)
  } catch {
    return []
  }
}

function isAlive(pid: number): boolean {
  try {
    // A zombie has ended, and waits for a parent to read its exit code.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

const responds = (url: string) =>
  fetch(`${url}/healthz`).then(
    () => true,
    () => false,
  )

describe.skipIf(!hasBundledNode)('terce started by an old Node (skipped where no Node is bundled)', () => {
  it('ends its child when it is killed with SIGKILL', async () => {
    const { launcher, exited, url, children } = await launchServer()
    expect(children).toHaveLength(1)
    launcher.kill('SIGKILL')
    await exited
    await until(
      'the child has ended',
      () => isAlive(children[0]!),
      (alive) => !alive,
    )
    expect(await responds(url)).toBe(false)
  })

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'forwards %s, and exits with 0 when the child has stopped',
    async (signal) => {
      const { launcher, exited, children } = await launchServer()
      launcher.kill(signal)
      expect(await exited).toEqual([0, null])
      expect(isAlive(children[0]!)).toBe(false)
    },
  )

  it('exits with the code of the child, at the end of its command', async () => {
    const { exited, output } = launch(['migrate'])
    expect(await exited).toEqual([0, null])
    expect(output()).toContain('is up to date')
    expect(await launch(['bogus']).exited).toEqual([2, null])
  })
})

describe('the launcher without a newer Node beside it', () => {
  it('says which Node it needs, and how to install one', async () => {
    // A copy outside the checkout finds no package.
    cpSync(COMMAND, join(folder, 'terce.mjs'))
    const launcher = spawn(process.execPath, ['--import', AS_NODE_20, join(folder, 'terce.mjs')])
    started.push(launcher)
    let printed = ''
    launcher.stderr.on('data', (data) => (printed += data))
    expect(await once(launcher, 'close')).toEqual([1, null])
    const beside = `, or a newer Node as a package: npm install node-linux-${process.arch}@24`
    expect(printed).toBe(
      `terce: Node 20.0.0 is too old. Install Node 22.18 or newer${process.platform === 'linux' ? beside : ''}\n`,
    )
  })
})

describe('the cache of compiled code', () => {
  it.each([
    ['of the user is used', 0o700, true],
    ['that others can write is not', 0o777, false],
  ])('%s, and none in the folder for temporary files', async (_, mode, isUsed) => {
    const [own, temporary] = [join(folder, 'terce'), join(folder, 'tmp')]
    for (const one of [own, temporary]) mkdirSync(one)
    chmodSync(own, mode)
    const { PATH } = process.env
    const env = { PATH, XDG_CACHE_HOME: folder, TMPDIR: temporary }
    const launcher = spawn(process.execPath, [COMMAND, '--version'], { env, stdio: 'ignore' })
    expect(await once(launcher, 'exit')).toEqual([0, null])
    expect([readdirSync(own).length > 0, readdirSync(temporary)]).toEqual([isUsed, []])
  })
})

describe('the command on a Node that calls node:sqlite experimental', () => {
  it('prints no warning of it in any thread, and every other warning', async () => {
    // Emits what Node 22 emits, and a warning after it. The main thread and three threads of the database load it.
    const warn = `setTimeout(() => {
      process.emitWarning('SQLite is an experimental feature and might change at any time', 'ExperimentalWarning')
      process.emitWarning('Another warning', 'TestWarning')
    }, 1_000)`
    const terce = spawn(process.execPath, [COMMAND], {
      env: {
        PATH: process.env.PATH,
        PORT: '0',
        DATABASE_URL: `sqlite:${join(folder, 'terce.db')}`,
        NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(warn)}"`,
      },
    })
    started.push(terce)
    let printed = ''
    terce.stderr.on('data', (data) => (printed += data))
    const count = () => printed.match(/TestWarning: Another warning/g)?.length ?? 0
    await until('four threads have warned', count, (warnings) => warnings === 4)
    expect(printed).not.toContain('SQLite is an experimental')
  })
})
