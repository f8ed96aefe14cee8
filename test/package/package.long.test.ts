// The published package: what `npm pack` makes, what it installs, and how it starts.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyLinked, ROOT, shellEnv, tool } from './support/checkout.ts'
import { serve } from './support/server.ts'
import { builtCheckout, install, megabytesOf, packBuilt, type Tarball, unpack } from './support/tarball.ts'

const run = promisify(execFile)
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

let folder: string
let tarball: Tarball
let unpacked: string
let project: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'terce-package-'))
  tarball = await packBuilt(await builtCheckout(join(folder, 'b')), join(folder, 'c'))
  unpacked = join(folder, 'unpacked')
  project = join(folder, 'project')
  await Promise.all([unpack(tarball, unpacked), install(tarball, project)])
}, 300_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('npm pack', () => {
  it('has the command, the compiled code, the dashboard, the migrations and the pages for users, and no more', () => {
    const expected = [
      /^(package\.json|README\.md|LICENSE|CHANGELOG\.md|SECURITY\.md|THIRD-PARTY-NOTICES)$/,
      /^bin\/[\w-]+\.js$/,
      /^dist\/(?!web\/)[\w/.-]+\.(js|d\.ts|json)$/,
      /^dist\/web\/(index\.html|assets\/[\w.-]+\.(js|css|svg|woff2))(\.br|\.gz)?$/,
      /^dist\/web\/docs\/[\w-]+\.(html|css)$/,
      /^migrations\/(postgres|sqlite)\/[\w.-]+\.(sql|json)$/,
      /^docs\/([\w-]+\.md|pictures\/[\w-]+\.png)$/,
      /^(deploy\/node|examples)\/|^(deploy\/cloudflare\/dashboard\.json|bench\/results\/latest\.svg)$/,
    ]
    expect(tarball.paths.filter((path) => !expected.some((one) => one.test(path)))).toEqual([])
    for (const page of ['requirements', 'how-terce-is-tested', 'simulation', 'architecture', 'data-model'])
      expect(tarball.paths).not.toContain(`docs/${page}.md`)
    expect(tarball.paths).toContain('docs/testing.md')
  })

  it('has less than 3.4 MB in less than 1,100 files', () => {
    expect(tarball.bytes).toBeLessThan(3_400_000)
    expect(tarball.paths.length).toBeLessThan(1_100)
  })

  it('refers in its files to no path of the machine that built it', () => {
    const files = tarball.paths.filter((path) => /\.(js|json|html|css|ts)$/.test(path))
    const naming = files.filter((path) => {
      const text = readFileSync(join(unpacked, path), 'utf8')
      return text.includes(folder) || text.includes(ROOT) || text.includes('sourceMappingURL=')
    })
    expect(naming).toEqual([])
  })

  it('passes publint without a message', async () => {
    const { stdout } = await tool('publint', ['run', tarball.file, '--strict'], folder)
    expect(stdout.trim().split('\n').at(-1)).toBe('All good!')
  })

  it.each(['node20', 'preserve'])(
    'has types that resolve for every export under --module %s',
    async (module) => {
      const names = Object.keys(manifest.exports).filter((path) => !path.endsWith('.json'))
      const lines = names.map((path, i) => `import type * as export${i} from 'terce${path.slice(1)}'\n`)
      const uses = `export type All = [${names.map((_, i) => `typeof export${i}`).join(', ')}]\n`
      writeFileSync(join(project, 'uses.mts'), [...lines, uses].join(''))
      await tool('tsc', ['--noEmit', '--strict', '--skipLibCheck', '--module', module, 'uses.mts'], project)
    },
  )
})

const USES = {
  'uses.mjs': `import { createTerce, PermanentError, TerceError } from 'terce'
import { createClient } from 'terce/client'
import { receive, verify } from 'terce/receiver'
import { nextOccurrence } from 'terce/core'
const all = [createTerce, PermanentError, TerceError, createClient, receive, verify, nextOccurrence]
console.log(all.map((one) => typeof one).join(' '))`,
  'uses.cjs': `const { createTerce } = require('terce')
console.log(typeof createTerce, require('terce/package.json').name)`,
  'uses.mts': `import { TerceError } from 'terce'
import { type Client, createClient, type User } from 'terce/client'
import { type Message, receive, verify } from 'terce/receiver'
import { nextOccurrence } from 'terce/core'
import { drizzle, knex, kysely, prisma } from 'terce/adapters'
import worker from 'terce/worker'
import { api, scheduler } from 'terce/lambda'
const client: Client = createClient({ url: 'http://127.0.0.1' })
export const user: Promise<User> = client.get('/user/{id}', { path: { id: '1' } })
export const handler = receive({ secrets: [], seen: null, handle: (message: Message) => void message.occurrence })
// @ts-expect-error There is no such path.
client.get('/nobody')
export { api, drizzle, knex, kysely, nextOccurrence, prisma, scheduler, TerceError, verify, worker }`,
}

/** An application without the types of Node and of pg. */
const EMBEDS = {
  'embeds.mjs': `import { createTerce, TerceError } from 'terce'
const terce = createTerce({ database: process.argv[2], settings: { DELIVER_AT: '00:00' } })
const ada = { firstName: 'Ada', lastName: 'Lovelace', dateOfBirth: '1990-12-15', timezone: 'America/Vancouver' }
const done = new Promise((resolve) => terce.on('BIRTHDAY', (event, { tx }) => resolve([event.message, typeof tx.prepare])))
await terce.start()
const today = new Intl.DateTimeFormat('sv', { timeZone: ada.timezone }).format().slice(4)
const { user } = await terce.users.create({ ...ada, dateOfBirth: '1992' + today, sendTodayNow: true })
const rejected = await terce.users.create({ ...ada, timezone: 'Mars/Base' }).catch((error) => error)
console.log(user.firstName, rejected instanceof TerceError, rejected.problems[0].code, (await done).join(' '))
await terce.stop()`,
  'embeds.mts': `import { createTerce, type Handler, PermanentError, type Terce, type TerceOptions, type Transactions } from 'terce'
declare const options: TerceOptions
const terce: Terce = createTerce(options)
const greet: Handler = async (event, { tx, signal, attempt, idempotencyKey }) => {
  if (attempt > 3 || signal.aborted) throw new PermanentError(idempotencyKey)
  const { rows } = await tx.query('INSERT INTO greetings VALUES ($1) RETURNING id', [event.externalId])
  await terce.users.delete(rows[0].id, { tx })
}
terce.on('BIRTHDAY', greet)
type Orm = { execute(sql: string): Promise<void> }
declare const transactions: Transactions<Orm>
const authenticate: TerceOptions['authenticate'] = (request, env) =>
  request.headers.has('Cookie') ? { name: env.user, scope: 'admin' } : null
export const { fetch: GET, listener } = createTerce({ database: './app.db', basePath: '/admin/terce', authenticate })
const other: Terce<Orm> = createTerce({ database: 'postgres://127.0.0.1/app', transactions })
other.on('*', async (event, { tx }) => tx.execute(event.message))
terce.on('TASK_REMINDER', (event) => console.log(event.dueAt, event.title.length))
terce.on('CARNIVAL', (event) => console.log(event.type satisfies 'CARNIVAL', event.occurrence))
terce.on('*', (event) => console.log(event.type, event.title?.length))
await createTerce({ database: './app.db', onError: (_, { willRetry }) => willRetry, logger: console }).ready()
// @ts-expect-error A birthday has no title.
terce.on('BIRTHDAY', (event) => event.title)
// @ts-expect-error This transaction has no such method.
other.on('*', (_, { tx }) => tx.query(''))
// @ts-expect-error A person needs a timezone.
terce.users.create({ firstName: 'Ada', lastName: 'Lovelace', dateOfBirth: '1990-12-15' })`,
  'tests.mjs': `import { createTestTerce } from 'terce/testing'
const terce = await createTestTerce({ now: '2027-12-14T00:00:00Z' })
terce.on('BIRTHDAY', (event, { tx }) => tx.exec('CREATE TABLE greeted (id)'))
const ada = { firstName: 'Ada', lastName: 'Lovelace', dateOfBirth: '1990-12-15', timezone: 'America/Vancouver' }
await terce.users.create(ada)
await terce.clock.advanceTo('2027-12-15T09:00', 'America/Vancouver')
console.log(terce.deliveries[0].localTime, terce.sqlite.prepare('SELECT count(*) AS n FROM greeted').get().n)
await terce.stop()`,
  'tests.mts': `import type { Terce, Transactions } from 'terce'
import { createTestTerce, type TestTerce } from 'terce/testing'
const memory = await createTestTerce({ now: '2027-12-14T00:00:00Z', settings: { RETRY: 'quick' } })
memory.on('BIRTHDAY', (event, { tx }) => tx.prepare('INSERT INTO greetings VALUES (?)').run(event.externalId))
memory.sqlite.prepare('SELECT 1').all()
await memory.clock.advanceTo('2027-12-15T09:00', 'America/Vancouver')
await memory.clock.advanceBy({ days: 1 })
export const externalId: string | null = memory.deliveries[0]!.externalId
type Orm = { execute(sql: string): Promise<void> }
declare const transactions: Transactions<Orm>
const orm: TestTerce<Orm> = await createTestTerce({ database: 'postgres://127.0.0.1/app', transactions })
export const application: Terce<Orm> = orm
orm.receive(() => 503)
// @ts-expect-error There is no other clock.
memory.clock.set(0)`,
}

/** The Node of the machine, which may be older than the one that runs this test. */
const SYSTEM_NODE = '/usr/bin/node'

async function isOld(node: string): Promise<boolean> {
  const { stdout } = await run(node, ['--version']).catch(() => ({ stdout: '' }))
  return /^v(20|21)\./.test(stdout)
}

describe('the package in an empty project', () => {
  it('takes less than 60 MB, without the AWS SDK and a Node', () => {
    expect(megabytesOf(join(project, 'node_modules'))).toBeLessThan(60)
    for (const name of ['@aws-sdk', '@smithy', `node-linux-${process.arch}`, 'vite', 'react'])
      expect(existsSync(join(project, 'node_modules', name)), name).toBe(false)
  })

  it('is imported from JavaScript, also by require', async () => {
    for (const [name, text] of Object.entries(USES)) writeFileSync(join(project, name), text)
    const [imported, required] = await Promise.all(
      ['uses.mjs', 'uses.cjs'].map((name) => run(process.execPath, [name], { cwd: project })),
    )
    expect(imported!.stdout.trim().split(' ')).toEqual(Array(7).fill('function'))
    expect(required!.stdout).toBe('function terce\n')
  })

  it('has types for the resolutions of Node and of bundlers, also when declarations are checked', async () => {
    for (const [name, text] of Object.entries(USES)) writeFileSync(join(project, name), text)
    const types = join(ROOT, 'node_modules/@types')
    const flags = `--noEmit --strict --skipLibCheck false --target es2023 --lib es2024,dom --typeRoots ${types} --types node`
    const tsc = join(ROOT, 'node_modules/typescript-native/bin/tsc')
    const problems = await Promise.all(
      ['--module node16 --moduleResolution node16', '--module esnext --moduleResolution bundler'].map(
        async (how) => {
          const args = [tsc, ...`${flags} ${how} uses.mts`.split(' ')]
          const { stdout } = await run(process.execPath, args, { cwd: project }).catch((error) => error)
          return stdout
        },
      ),
    )
    expect(problems).toEqual(['', ''])
  })

  it('delivers to a handler of an application that imports it', async () => {
    writeFileSync(join(project, 'embeds.mjs'), EMBEDS['embeds.mjs'])
    const args = ['embeds.mjs', join(folder, 'embeds.db')]
    const { stdout, stderr } = await run(process.execPath, args, { cwd: project })
    expect(stdout).toBe("Ada true UNKNOWN_TIMEZONE Hey, Ada Lovelace it's your birthday function\n")
    expect(stderr).toBe('')
  })

  it('has a clock for the tests of an application', async () => {
    writeFileSync(join(project, 'tests.mjs'), EMBEDS['tests.mjs'])
    const { stdout, stderr } = await run(process.execPath, ['tests.mjs'], { cwd: project })
    expect([stdout, stderr]).toEqual(['2027-12-15T09:00:00-07:00 0\n', ''])
  })

  it('has types for an application, and for its tests, without the types of Node and of pg', async () => {
    for (const name of ['embeds.mts', 'tests.mts'] as const) writeFileSync(join(project, name), EMBEDS[name])
    const flags = '--noEmit --strict --skipLibCheck false --target es2023 --lib es2024,dom --module node20'
    // TypeScript 6 here and 7 above: applications have either.
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
    const args = [tsc, ...flags.split(' '), '--typeRoots', join(folder, 'none'), 'embeds.mts', 'tests.mts']
    const { stdout } = await run(process.execPath, args, { cwd: project }).catch((error) => error)
    expect(stdout).toBe('')
  })

  it('says on Node 20 that the library needs a newer one', async ({ skip }) => {
    if (!(await isOld(SYSTEM_NODE))) skip(`${SYSTEM_NODE} is no Node 20`)
    const args = ['--input-type=module', '-e', "import 'terce'"]
    const { stderr } = await run(SYSTEM_NODE, args, { cwd: project }).catch((error) => error)
    expect(stderr).toMatch(
      /^Error: Node 20\.\S+ is too old for the library terce\. It needs Node 22\.18 or newer\.$/m,
    )
    expect(stderr).not.toContain('ERR_')
  })

  it('serves the dashboard by npx terce', async () => {
    const { PATH } = shellEnv()
    const env = { PATH: [dirname(process.execPath), PATH].join(delimiter) }
    const server = await serve('npx', ['terce'], { cwd: project, env })
    await server.stop()
  })

  it.skipIf(process.platform !== 'linux')(
    'serves the dashboard by npx terce on the Node of the machine, with a Node as a package if that is too old',
    async () => {
      const name = `node_modules/node-linux-${process.arch}`
      copyLinked(join(ROOT, name), join(project, name))
      const server = await serve('npx', ['terce'], { cwd: project })
      await server.stop()
    },
  )

  it('says which package SMTP needs if it is missing, in the test of a channel and in terce doctor', async () => {
    const bare = join(folder, 'bare')
    mkdirSync(bare)
    copyLinked(join(project, 'node_modules'), join(bare, 'node_modules'))
    rmSync(join(bare, 'node_modules/nodemailer'), { recursive: true })
    const env = {
      PATH: [dirname(process.execPath), shellEnv().PATH].join(delimiter),
      DATABASE_URL: `sqlite:${join(bare, 'terce.db')}`,
      TERCE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    }
    const server = await serve('npx', ['terce'], { cwd: bare, env })
    const call = async (path: string, body: object) => {
      const headers = { 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify(body) }
      const response = await fetch(`${server.url}${path}`, init)
      return (await response.json()) as { channel: { id: string } }
    }
    try {
      const settings = { kind: 'smtp', from: 'hello@example.com', server: 'smtps://u:p@mail.example.com' }
      const { channel } = await call('/channel', { name: 'mail', ...settings })
      const tested = await call(`/channel/${channel.id}/test`, {})
      expect(JSON.stringify(tested)).toContain(
        'CHANNEL_UNUSABLE: Sending e-mail by SMTP needs nodemailer: npm install nodemailer',
      )
    } finally {
      await server.stop()
    }
    const doctor = await run('npx', ['terce', 'doctor'], { cwd: bare, env }).catch((error) => error)
    expect(doctor.stdout).toContain(
      'fail  packages    Cannot send to "mail". Sending e-mail by SMTP needs nodemailer: npm install nodemailer.',
    )
    expect(doctor.code).toBe(1)
  })

  it('says which package terce/lambda needs if it is missing', async () => {
    const env = {
      PATH: shellEnv().PATH,
      SECRETS_ARN: 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:terce-a1B2c3',
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'key',
    }
    const text =
      "import { scheduler } from 'terce/lambda'; scheduler({}, {}).catch((e) => console.log(e.message))"
    const args = ['--input-type=module', '-e', text]
    const { stdout } = await run(process.execPath, args, { cwd: project, env })
    expect(stdout).toBe('SECRETS_ARN needs @smithy/signature-v4: npm install @smithy/signature-v4\n')
  })
})
