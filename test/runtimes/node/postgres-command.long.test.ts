// The output of commands about a database: migrated, pruned, out of reach. Never contains the password.
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import type { Store } from '../../../src/ports/store.ts'
import { claimAt, delivered } from '../../contracts/store/steps.ts'
import { useOwnServer } from '../../stores/postgres/support/postgres-suite.ts'
import { runTerce } from '../../stores/postgres/support/processes.ts'
import { DAY, makePerson, T0, YEAR } from '../../support/fixtures.ts'

const stage = useOwnServer({ database: 'empty' })

/** Twenty people with delivered events in three past years. */
async function greetPeople(store: Store): Promise<void> {
  await store.createUsers(Array.from({ length: 20 }, () => makePerson({ targetAt: T0 - 2 * YEAR })))
  for (const at of [T0 - 2 * YEAR, T0 - YEAR, T0]) {
    const claims = await claimAt(store, at)
    const { settled } = await store.settle(claims.map((claim) => delivered(claim)))
    expect(settled).toHaveLength(20)
  }
}

const countSettled = async (store: Store) =>
  (await store.listEvents({ limit: 100, cursor: null, status: 'COMPLETED' })).items.length

async function expectPruned(database: string, store: Store): Promise<void> {
  await greetPeople(store)
  const long = Math.ceil((Date.now() - T0) / DAY) + 1
  const nothing = await runTerce(['prune', '--older-than', `${long + 800}d`], { DATABASE_URL: database })
  expect(nothing).toEqual({ code: 0, output: '0 settled events deleted.\n' })
  expect(await countSettled(store)).toBe(60)
  const oldest = await runTerce(['prune', '--older-than', `${long + 200}d`], { DATABASE_URL: database })
  expect(oldest).toEqual({ code: 0, output: '40 settled events deleted.\n' })
  const rest = await runTerce(['prune', '--older-than', '1d'], { DATABASE_URL: database })
  expect(rest).toEqual({ code: 0, output: '0 settled events deleted.\n' })
  expect(await countSettled(store)).toBe(20)
}

describe('terce prune', () => {
  it('removes old history from PostgreSQL, but never the last event of a person', async () => {
    await expectPruned(stage.database(), await stage.open())
  })
})

/** The URL of the database with this user and password. */
function as(user: string, password: string, database = stage.database()): string {
  const url = new URL(database)
  url.username = user
  url.password = password
  return url.href
}

/** The output of each command with that database. */
const runAll = (url: string, commands: string[][]) =>
  Promise.all(
    commands.map((args) =>
      runTerce(args, { DATABASE_URL: url, WEBHOOK_URL: 'http://127.0.0.1:9/', PORT: '0' }),
    ),
  )

/** One line that names the database and the error, and exit code 1. `before`: the lines that may come before it. */
function expectOneLine(
  results: { code: number | null; output: string }[],
  host: string,
  why: string,
  before = '',
): void {
  const output = expect.stringMatching(new RegExp(`^${before}terce: .*${host}.*${why}.*\n$`))
  expect(results).toEqual(results.map(() => ({ code: 1, output })))
  for (const result of results) expect(result.output).not.toContain('hunter2')
}

describe('a PostgreSQL that cannot be used is named in one line without the password, with exit code 1,', () => {
  it('when it is out of reach', async () => {
    const url = new URL(as('terce', 'hunter2'))
    url.port = '9'
    const commands = [['migrate'], ['prune', '--older-than', '1d']]
    const waiting = '(Waiting for .*127.0.0.1:9.*: attempt \\d of 5 failed, next in \\d s.\n){4}'
    expectOneLine(await runAll(url.href, commands), '127.0.0.1:9', 'cannot be reached', waiting)
  })

  it('when it has no such database', async () => {
    const url = new URL(as('postgres', 'hunter2'))
    url.pathname = '/nobody_made_this'
    expectOneLine(
      await runAll(url.href, [['worker'], ['migrate']]),
      url.host,
      '"nobody_made_this" does not exist',
    )
  })

  it('when it has no such user', async () => {
    const { host } = new URL(stage.database())
    expectOneLine(
      await runAll(as('nobody_is_this', 'hunter2'), [['api'], ['migrate']]),
      host,
      'role "nobody_is_this" does not exist',
    )
  })
})

describe('terce with a PostgreSQL that asks for a password', () => {
  it('starts with the right password, and fails with a wrong one without printing it', async () => {
    const admin = new pg.Client(stage.database())
    await admin.connect()
    stage.atEnd(() => admin.end())
    await stage.server().askForPasswords()
    await admin.query("CREATE ROLE guarded LOGIN SUPERUSER PASSWORD 'correct horse'")
    await admin.query('SELECT pg_reload_conf()')
    const right = await runTerce(['migrate'], { DATABASE_URL: as('guarded', 'correct horse') })
    expect(right.code).toBe(0)
    const wrong = await runTerce(['worker'], {
      DATABASE_URL: as('guarded', 'hunter2'),
      WEBHOOK_URL: 'http://127.0.0.1:9/',
    })
    expect(wrong.code).toBe(1)
    expect(wrong.output).toMatch(/^terce: .*password authentication failed for user "guarded".*\n$/)
    expect(wrong.output).not.toContain('hunter2')
  })
})

describe('a DATABASE_URL that is not a database URL', () => {
  it.each([
    ['mysql://terce:hunter2@127.0.0.1/terce'],
    ['mysql://terce:hunt@hunter2@127.0.0.1/terce'],
    ['postgres://terce:hunter2/hunter2@127.0.0.1/terce'],
  ])('is rejected in one line without the password, with exit code 2: %s', async (url) => {
    const { code, output } = await runTerce(['all'], { DATABASE_URL: url })
    expect(code).toBe(2)
    expect(output).toMatch(/^terce: DATABASE_URL=\S+ is not usable\. .*\n$/)
    expect(output).not.toContain('hunter2')
  })
})
