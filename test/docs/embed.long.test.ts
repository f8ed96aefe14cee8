// Runs the code of the page on embedding Terce, in a project with the libraries that it names, on a real PostgreSQL.
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { beforeEach, describe, expect, it } from 'vitest'
import { useProject } from '../client/support/project.ts'
import { useStage } from '../stores/postgres/support/postgres-suite.ts'
import { readPage } from './support/page.ts'

const PRISMA = new URL('../library/adapters/support/prisma', import.meta.url)

const page = readPage('embed.md')
const [walk = '', rest = ''] = page.text.split('## What commits together')
const untagged = (text: string) => [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1]!)
const tagged = (name: string) => new RegExp(`\`\`\`ts ${name}\n([\\s\\S]*?)\`\`\``).exec(rest)![1]!

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const IMPORT = "import { createTerce } from 'terce'\n"

const stage = useStage({ database: 'empty' })
const project = useProject()

const TABLES = `
  CREATE TABLE members (id serial PRIMARY KEY, first_name text, last_name text, date_of_birth date, timezone text);
  CREATE TABLE vouchers (member_id integer NOT NULL, year integer);
  CREATE TABLE greetings (id serial PRIMARY KEY, note text NOT NULL)`

beforeEach(async () => {
  project.install('@prisma/adapter-pg', 'drizzle-orm', 'knex', 'kysely', 'pg', 'test-prisma-client')
  const client = new pg.Client(stage.database())
  await client.connect()
  await client.query(TABLES)
  await client.end()
})

const POOL = `import pg from 'pg'
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL! })
`
const EVERY = `import { createTerce } from 'terce'
import * as adapters from 'terce/adapters'
void adapters
const ada = { externalId: '1', firstName: 'Ada', lastName: 'Lovelace', timezone: 'UTC', sendTodayNow: true,
  dateOfBirth: \`1992-\${new Date().toISOString().slice(5, 10)}\` }
`

/** What the reader has before the code of a library, and how it is closed. */
const LIBRARIES: Record<string, [before: string, after: string]> = {
  pg: [POOL, ''],
  knex: [
    `${POOL}import knex from 'knex'
const db = knex({ client: 'pg', connection: process.env.DATABASE_URL! })
`,
    'await db.destroy()',
  ],
  kysely: [
    `${POOL}import { type Generated, Kysely, PostgresDialect } from 'kysely'
type Tables = { members: { id: Generated<number> }; greetings: { note: string } }
const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
`,
    '',
  ],
  prisma: [
    `${POOL}import { PrismaPg } from '@prisma/adapter-pg'
import { PrismaClient } from './client/client.ts'
const db = new PrismaClient({ adapter: new PrismaPg({ connectionString: process.env.DATABASE_URL! }) })
`,
    'await db.$disconnect()',
  ],
}

/** Waits for the greeting, by a connection of its own, and ends everything. */
const waitOnPostgres = (after: string) => `
await terce.start()
const read = async () => (await pool.query('SELECT note FROM greetings')).rows
while ((await read()).length === 0) await new Promise((done) => setTimeout(done, 50))
console.log(JSON.stringify(await read()))
await terce.stop()
${after}
await pool.end()
`

const SQLITE_BEFORE = `import { DatabaseSync } from 'node:sqlite'
const before = new DatabaseSync('./app.db')
before.exec('CREATE TABLE members (id integer); CREATE TABLE greetings (note text)')
before.close()
`
const SQLITE_AFTER = `
const read = () => db.prepare('SELECT note FROM greetings').all()
while (read().length === 0) await new Promise((done) => setTimeout(done, 50))
console.log(JSON.stringify(read()))
await terce.stop()
db.close()
`

/** Birthdays are due at any hour. */
const atAnyHour = (code: string) =>
  code.replace(/createTerce(<\w+>)?\(\{ /, "createTerce$1({ settings: { DELIVER_AT: '00:00' }, ")

function moduleFor(library: string): string {
  if (library === 'sqlite') return EVERY + SQLITE_BEFORE + atAnyHour(tagged('sqlite')) + SQLITE_AFTER
  const [before, after] = LIBRARIES[library]!
  return before + EVERY + atAnyHour(tagged(library)) + waitOnPostgres(after)
}

const GREETED = '[{"note":"Hey, Ada Lovelace it\'s your birthday"}]\n'

/** Runs a program on the database, and expects what it prints. */
async function expectOutput(program: string, expected: string | undefined, env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await project.run(program, { DATABASE_URL: stage.database(), ...env })
  const errors = stderr.replace(/^\(node:.*ExperimentalWarning: SQLite.*\n.*\n/m, '')
  expect({ code, errors, stdout }).toEqual({ code: 0, errors: '', stdout: expected })
}

describe('the page on embedding', () => {
  it('leads from an application with Drizzle to a voucher', async () => {
    await expectOutput(untagged(walk).join('\n'), page.blocks('text')[0], { DELIVER_AT: '00:00' })
  })

  it('shows handlers that run in the place of the first one', async () => {
    const blocks = untagged(walk)
    const first = blocks.findIndex((block) => block.startsWith("terce.on('BIRTHDAY'"))
    const [handlers] = untagged(rest)
    const code = blocks.with(first, `${handlers}\nawait terce.start()\n`).join('\n')
    await expectOutput(code, page.blocks('text')[0], { DELIVER_AT: '00:00' })
  })

  it('shows in the README what it shows at length', async () => {
    const [, snippet] = /```ts\n([\s\S]*?)```/.exec(README)!
    const before = `${POOL}${EVERY}const tx = await pool.connect()\nawait tx.query('BEGIN')\n`
    const after = `await tx.query('COMMIT')
tx.release()
const read = async () => (await pool.query('SELECT member_id FROM vouchers')).rows
while ((await read()).length === 0) await new Promise((done) => setTimeout(done, 50))
console.log(JSON.stringify(await read()))
await terce.stop()
await pool.end()
`
    const code = before + atAnyHour(snippet!.replace(IMPORT, '')) + after
    await expectOutput(code, '[{"member_id":42}]\n')
  })

  it('shows how the host authenticates callers of the API', async () => {
    const session = `const sessionOf = async (request: Request) =>
  request.headers.get('cookie') === 'session=ada' ? { name: 'ada', isAdmin: true } : null
`
    const calls = `const statusOf = async (headers: Record<string, string>) =>
  (await terce.fetch(new Request('http://localhost/admin/terce/user', { headers }))).status
console.log(await statusOf({}), await statusOf({ cookie: 'session=ada' }))
await terce.stop()
await pool.end()
`
    const code = `${POOL}import { createTerce } from 'terce'\n${session}${tagged('mount')}${calls}`
    await expectOutput(code, '401 200\n')
  })

  it('shows hooks that are called, and a logger', async () => {
    const before = `const pino = () => ({ debug() {}, info() {}, warn: (_: object, line: string) => console.log(line), error() {} })
const track = (error: unknown, { attempt, willRetry }: Record<string, unknown>) => console.log(String(error), attempt, willRetry)
const done = Promise.withResolvers<void>()
const count = (type: string, attempt: number) => done.resolve(console.log(type, attempt))
`
    const after = `terce.on('BIRTHDAY', (_, { attempt }) => {
  if (attempt === 1) throw new Error('not yet')
})
await terce.start()
await terce.users.create(ada)
await done.promise
await terce.stop()
await pool.end()
`
    const snippet = tagged('hooks').replace('{', "{ settings: { DELIVER_AT: '00:00', RETRY: '10ms' },")
    const said = 'Delivery failed; will be retried\nError: not yet 1 true\nBIRTHDAY 2\n'
    await expectOutput(POOL + EVERY + before + snippet + after, said)
  })

  it.each(['pg', 'knex', 'kysely', 'prisma', 'sqlite'])(
    'shows code for %s that greets Ada once',
    async (name) => {
      if (name === 'prisma') cpSync(PRISMA, join(project.path, 'client'), { recursive: true })
      await expectOutput(moduleFor(name), GREETED)
    },
  )
})
