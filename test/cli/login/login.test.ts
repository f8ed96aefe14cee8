// `terce login` and `terce logout`, and the commands that use a server because of them.
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { addExport } from '../../../src/cli/commands/export.ts'
import { addImport } from '../../../src/cli/commands/import.ts'
import { addRequest } from '../../../src/cli/commands/request.ts'
import { addLogin } from '../../../src/cli/login/login.ts'
import { useServer } from '../../client/support/serve.ts'
import { useDatabase } from '../support/in-process.ts'
import { KEY, useServedDatabase } from '../support/serve-database.ts'

const database = useDatabase(addLogin, addRequest, addImport, addExport)
const serve = useServedDatabase(database)
const start = useServer()

it('terce login stores the server and the key for the owner alone, until terce logout', async () => {
  const url = await serve('admin')
  const home = { HOME: dirname(database.path) }
  const run = (...args: string[]) => database.terce(args, home)
  expect(await run('login', url, '--key', 'terce_wrong')).toMatchObject({ code: 1 })
  mkdirSync(join(home.HOME, '.config/terce'), { recursive: true })
  writeFileSync(join(home.HOME, '.config/terce/login.json.part'), 'left by a crash', { mode: 0o644 })
  expect(await run('login', url, '--key', KEY)).toMatchObject({ code: 0 })
  expect(statSync(join(home.HOME, '.config/terce/login.json')).mode & 0o777).toBe(0o600)
  expect(JSON.parse((await run('request', 'GET', '/channel')).stdout)).toMatchObject({ items: [] })
  const other = await database.terce(['request', 'GET', '/channel'], { ...home, TERCE_URL: url })
  expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('API key required')])
  await run('logout')
  expect(await run('request', 'GET', '/channel')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('No database'),
  })
})

it('terce login stores nothing without a Terce server and a key that it accepts', async () => {
  const terce = await serve('admin')
  const home = { HOME: dirname(database.path) }
  const run = (env: object, ...args: string[]) => database.terce(args, { ...home, ...env })
  const respond = (body: string, type: string) => ({
    fetch: () => new Response(body, { headers: { 'Content-Type': type } }),
  })
  for (const [body, type] of [
    ['<p>Hello', 'text/html'],
    ['Hello', 'text/plain'],
    ['{}', 'application/json'],
  ] as const) {
    const ran = await run({}, 'login', await start(respond(body, type)), '--key', KEY)
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining('is not a Terce server')])
  }
  const page = await start(respond('<p>Hello', 'text/html'))
  expect(await run({ TERCE_URL: page }, 'request', 'GET', '/channel')).toMatchObject({ code: 1 })
  const keyless = await run({ TERCE_KEY: '' }, 'login', terce)
  expect([keyless.code, keyless.stderr]).toEqual([1, expect.stringContaining('needs a key')])
  expect(existsSync(join(home.HOME, '.config'))).toBe(false)
  const { stdout } = await run({ TERCE_KEY: KEY }, 'login', `${terce}/app/`)
  expect(stdout).toContain(`Commands use ${terce} now`)
})

it('terce import and export work on a server', async () => {
  const env = { TERCE_URL: await serve('admin'), TERCE_KEY: KEY }
  const [file, bad, out] = ['people.csv', 'bad.csv', 'out.csv'].map((name) =>
    join(dirname(database.path), name),
  )
  const rows = ['firstName,lastName,dateOfBirth,timezone,externalId', 'Ada,L,1990-12-15,UTC,crm-1']
  writeFileSync(file!, `${[...rows, 'Eve,X,1990-12-15,PST,crm-2'].join('\n')}\n`)
  const tried = await database.terce(['import', file!, '--dry-run', '--json'], env)
  expect(JSON.parse(tried.stdout)).toMatchObject({ read: 2, created: 1, rejected: 1, dryRun: true })
  const imported = await database.terce(['import', file!, '--errors', bad!], env)
  expect(imported).toMatchObject({ code: 1, stdout: '2 rows: 1 created, 0 already exist, 1 rejected.\n' })
  expect(readFileSync(bad!, 'utf8')).toMatch(/^line,field,code,message\r?\n3,timezone,UNKNOWN_TIMEZONE,/)
  expect(await database.terce(['export', '--out', out!], env)).toMatchObject({ code: 0 })
  expect(readFileSync(out!, 'utf8')).toContain('crm-1,Ada,L,1990-12-15')
  expect(await database.terce(['import', join(dirname(file!), 'none.csv')], env)).toMatchObject({ code: 2 })
})
