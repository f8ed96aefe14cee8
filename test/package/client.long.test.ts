// terce-client: the client, the receiver and the core as a package of their own.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeClient } from '../../scripts/pack-client.ts'
import { startTerce } from '../runtimes/support/terce-process.ts'
import { ROOT, shellEnv, tool } from './support/checkout.ts'
import { builtCheckout, install, megabytesOf, packBuilt, type Tarball } from './support/tarball.ts'

const run = promisify(execFile)

let folder: string
let tarball: Tarball
let other: Tarball
let project: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'terce-client-'))
  const built = await builtCheckout(join(folder, 'checkout'))
  project = join(folder, 'project')
  const pack = (name: string) => {
    writeClient(built, join(folder, name, 'client'))
    return packBuilt(join(folder, name, 'client'), join(folder, name))
  }
  ;[tarball, other] = await Promise.all([pack('a'), pack('b')])
  await install(tarball, project)
}, 300_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const CALLS = `const client = createClient({ url: process.argv[2] })
const { user } = await client.post('/user', {
  body: { firstName: 'Ada', lastName: 'Lovelace', dateOfBirth: '1990-12-15', timezone: 'America/Vancouver' },
})
const rule = { date: user.dateOfBirth, localTime: '09:00', timezone: user.timezone, leapDay: 'MARCH_1' }
const next = nextOccurrence(rule, Date.UTC(2026, 10, 15))
const handler = receive({ secrets: ['whsec_' + btoa('a secret of the receiver, 2x16 B')], seen: null, handle() {} })
const { status } = await handler(new Request('http://127.0.0.1/', { method: 'POST', body: '{}' }))
console.log(user.firstName, new Date(next.instant).toISOString(), status)`

const IMPORTS = `import { createClient } from 'terce-client/client'
import { receive } from 'terce-client/receiver'
import { nextOccurrence } from 'terce-client/core'
`

describe('terce-client', () => {
  it('is installed under the name terce as docs/client.md says, and is imported by that name', async () => {
    const page = readFileSync(join(ROOT, 'docs/client.md'), 'utf8')
    const command = /^npm install terce@file:\S+$/m.exec(page)![0]
    const file = command.split('/').at(-1)!
    expect(tarball.file.endsWith(`/${file}`)).toBe(true)
    const named = join(folder, 'named')
    mkdirSync(named)
    const line = command.replace('/path/to', dirname(tarball.file))
    await run('sh', ['-c', `${line} --offline`], { cwd: named, env: shellEnv() })
    const text = "import('terce/receiver').then(({ verify }) => console.log(typeof verify))"
    const { stdout } = await run('node', ['-e', text], { cwd: named, env: shellEnv() })
    expect(stdout).toBe('function\n')
  })

  it('has no dependency, less than 1 MB on the disk, and equal bytes whenever it is packed', () => {
    const installed = join(project, 'node_modules')
    const manifest = JSON.parse(readFileSync(join(installed, 'terce-client/package.json'), 'utf8'))
    expect(Object.keys(manifest).filter((name) => /dependencies/i.test(name))).toEqual([])
    expect(readdirSync(installed).filter((name) => !name.startsWith('.'))).toEqual(['terce-client'])
    expect(megabytesOf(installed)).toBeLessThan(1)
    expect(other.integrity).toBe(tarball.integrity)
  })

  it('passes publint', async () => {
    const linted = await tool('publint', ['run', tarball.file, '--strict'], folder)
    expect(linted.stdout.trim().split('\n').at(-1)).toBe('All good!')
  })

  it('creates a person, plans a date and responds to a request, from JavaScript and from TypeScript', async () => {
    writeFileSync(join(project, 'uses.mjs'), IMPORTS + CALLS)
    const typed = CALLS.replace('process.argv[2]', 'process.argv[2]!')
      .replace('user.dateOfBirth,', 'user.dateOfBirth!,')
      .replace('const rule', 'const rule: YearlyRule')
    writeFileSync(
      join(project, 'uses.mts'),
      `${IMPORTS.replace('{ nextOccurrence', '{ nextOccurrence, type YearlyRule')}${typed}`,
    )
    const terce = await startTerce({ DATABASE_URL: `sqlite:${join(folder, 'terce.db')}` })
    try {
      for (const file of ['uses.mjs', 'uses.mts']) {
        const { stdout } = await run(process.execPath, [file, terce.url], { cwd: project })
        expect(stdout).toBe('Ada 2026-12-15T16:00:00.000Z 401\n')
      }
    } finally {
      await terce.kill('SIGTERM')
    }
    const types = join(ROOT, 'node_modules/@types')
    const flags = `--noEmit --strict --skipLibCheck false --target es2023 --module node20 --typeRoots ${types} --types node`
    const args = [join(ROOT, 'node_modules/typescript-native/bin/tsc'), ...flags.split(' '), 'uses.mts']
    const { stdout } = await run(process.execPath, args, { cwd: project }).catch((error) => error)
    expect(stdout).toBe('')
  })
})
