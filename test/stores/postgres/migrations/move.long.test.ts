// The move of an installation of 0.1.0 into the schema terce, forward, back and side by side. With the real 0.1.0.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSchemaState, finishMigration } from '../../../../src/stores/postgres/migrations/inspect.ts'
import { openPostgresStore } from '../../../../src/stores/postgres/postgres-store.ts'
import { claimAt, delivered } from '../../../contracts/store/steps.ts'
import { makePerson, T0 } from '../../../support/fixtures.ts'
import { type OldRelease, unpackRelease } from '../../../support/old-release.ts'
import { query } from '../support/audit.ts'
import { useStage } from '../support/postgres-suite.ts'
import { dumpSchema } from '../support/schema-dump.ts'
import { createFirstRelease, openOldStore, readRows } from './support/first-release.ts'

const OPEN_STORES = fileURLToPath(new URL('../support/open-stores.ts', import.meta.url))
const stage = useStage({ database: 'empty' })
let old: OldRelease
beforeAll(() => {
  old = unpackRelease()
})
afterAll(() => old.remove())

const where = () => ({ url: stage.database(), schema: 'terce' })
const upgrade = async (schema?: string) =>
  (await openPostgresStore(stage.database(), { connections: 2, ...(schema && { schema }) })).close()

const inPublic = () =>
  query<{ kind: string; count: number }>(
    stage.database(),
    `SELECT relkind AS kind, count(*)::int FROM pg_class WHERE relnamespace = 'public'::regnamespace
      AND relkind IN ('r', 'v', 'i', 'S') GROUP BY 1`,
  )

describe('an installation of 0.1.0', () => {
  it('is moved with every row of every table', async () => {
    await createFirstRelease(old, stage.database())
    const before = await readRows(stage.database(), 'public')
    expect(Object.values(before).filter((rows) => rows.length === 0)).toEqual([])
    await upgrade()
    expect(await readRows(stage.database(), 'terce')).toEqual(before)
    expect(await readRows(stage.database(), 'public')).toEqual(before)
  })

  it('has the tables, columns, constraints and indexes of a new installation once it is moved and finished', async () => {
    await createFirstRelease(old, stage.database())
    await upgrade()
    await finishMigration(where())
    const moved = await dumpSchema(stage.database())
    const fresh = await stage.server().createDatabase()
    await (await openPostgresStore(fresh)).close()
    expect(moved).toBe(await dumpSchema(fresh))
    expect(await inPublic()).toEqual([])
  })

  it('is used by both releases at once: each claims and settles events that the other planned', async () => {
    await createFirstRelease(old, stage.database())
    const before = await openOldStore(old, stage.database())
    stage.atEnd(() => before.close())
    const now = await stage.open()
    const [one, two] = [makePerson({ targetAt: T0 }), makePerson({ targetAt: T0 })]
    await now.createUsers([one])
    await before.createUsers([two])
    for (const [planner, sender] of [
      [two, now],
      [one, before],
    ] as const) {
      const claims = await claimAt(sender, T0, { limit: 1 })
      expect(claims).toHaveLength(1)
      expect([one.events[0]!.id, two.events[0]!.id]).toContain(claims[0]!.id)
      expect(planner.events).toHaveLength(1)
      const { settled } = await sender.settle(claims.map((claim) => delivered(claim)))
      expect(settled).toHaveLength(1)
    }
    for (const { user } of [one, two])
      expect(await before.readPerson(user.id)).toEqual(await now.readPerson(user.id))
    await before.check()
    await now.check()
  })

  it('is started again by 0.1.0 after the move, and moved no second time', async () => {
    await createFirstRelease(old, stage.database())
    await upgrade()
    const again = await openOldStore(old, stage.database())
    const person = makePerson()
    await again.createUsers([person])
    await again.close()
    const store = await stage.open()
    expect(await store.findUser(person.user.id)).toEqual(person.user)
  })

  it('keeps its schema if another schema is configured', async () => {
    await createFirstRelease(old, stage.database())
    await upgrade('another')
    expect(await readRows(stage.database(), 'public')).toMatchObject({ users: expect.any(Array) })
    const [counted] = await query<{ n: number }>(stage.database(), 'SELECT count(*)::int AS n FROM another.users')
    expect(counted!.n).toBe(0)
  })

  it('is found in the schema that unqualified names resolve to', async () => {
    await createFirstRelease(old, stage.database(), 'greetings')
    const before = await readRows(stage.database(), 'greetings')
    const url = `${stage.database()}?options=-csearch_path%3Dgreetings`
    await (await openPostgresStore(url)).close()
    expect(await readRows(stage.database(), 'terce')).toEqual(before)
  })

  it('stays where it is if it has been in the schema terce', async () => {
    await createFirstRelease(old, stage.database(), 'terce')
    const before = await readRows(stage.database(), 'terce')
    await upgrade()
    expect(await readRows(stage.database(), 'terce')).toEqual(before)
    expect(await inPublic()).toEqual([])
  })

  it('lets a role that could read a table read its view', async () => {
    await createFirstRelease(old, stage.database())
    const reports = await stage.createRole('reports')
    await query(stage.database(), `GRANT SELECT ON users TO ${reports}`)
    await upgrade()
    const asReports = stage.database().replace('postgres@', `${reports}@`)
    expect(await query(asReports, 'SELECT first_name FROM users')).not.toEqual([])
    await expect(query(asReports, 'DELETE FROM users')).rejects.toThrow('permission denied')
  })
})

describe('a move that was killed half-way', () => {
  it('leaves 0.1.0 working, and is completed by the next start', async () => {
    await createFirstRelease(old, stage.database())
    const before = await readRows(stage.database(), 'public')
    const blocker = new pg.Client(stage.database())
    await blocker.connect()
    await blocker.query('BEGIN; LOCK TABLE users IN ACCESS SHARE MODE')
    const killed = spawn(process.execPath, [OPEN_STORES, stage.database(), '1'], { stdio: 'ignore' })
    await expect
      .poll(() => query(stage.database(), `SELECT to_regclass('terce.occasions') IS NOT NULL AS moved`), {
        timeout: 20_000,
      })
      .toEqual([{ moved: true }])
    killed.kill('SIGKILL')
    await once(killed, 'exit')
    await blocker.query('COMMIT')
    await blocker.end()
    const kinds = async () => (await inPublic()).map(({ kind }) => kind).sort()
    expect(await kinds()).toEqual(['i', 'r', 'v'])
    const store = await openOldStore(old, stage.database())
    await store.check()
    await store.close()
    expect(await readRows(stage.database(), 'public')).toEqual(before)
    await upgrade()
    expect(await kinds()).toEqual(['v'])
    expect(await readRows(stage.database(), 'terce')).toEqual(before)
  })
})

describe('a table "migrations" of an application', () => {
  it.each([
    ['with other columns', 'CREATE TABLE migrations (id serial, name text, applied_at timestamptz)'],
    ['with the same columns', `CREATE TABLE migrations (name text, applied_at timestamptz); INSERT INTO migrations VALUES ('001')`],
  ])('%s is not moved', async (_, create) => {
    await query(stage.database(), create)
    await upgrade()
    expect((await inPublic()).filter(({ kind }) => kind === 'r')).toEqual([{ kind: 'r', count: 1 }])
    expect(await finishMigration(where())).toEqual([])
  })
})

describe('terce migrate --finish', () => {
  it('drops the views of 0.1.0 and its table of migrations, and no other view', async () => {
    await createFirstRelease(old, stage.database())
    await upgrade()
    await query(stage.database(), 'CREATE SCHEMA reports; CREATE VIEW reports.users AS SELECT id FROM terce.users')
    const { unfinished } = await readSchemaState(where())
    expect(unfinished).toHaveLength(21)
    expect(await finishMigration(where())).toEqual(unfinished)
    expect((await readSchemaState(where())).unfinished).toEqual([])
    expect(await inPublic()).toEqual([])
    await query(stage.database(), 'SELECT id FROM reports.users')
  })
})
