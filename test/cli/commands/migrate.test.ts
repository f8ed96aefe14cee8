// `terce migrate` on PostgreSQL: a new database, and the plan and the migration of the next release.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addMigrate } from '../../../src/cli/commands/migrate.ts'
import { addDoctor } from '../../../src/cli/doctor/doctor.ts'
import { query } from '../../stores/postgres/support/audit.ts'
import { useStage } from '../../stores/postgres/support/postgres-suite.ts'
import { makePeople } from '../../support/fixtures.ts'
import { makeNextRelease, type NextRelease } from '../../support/next-release.ts'
import { useDatabase } from '../support/in-process.ts'

const stage = useStage({ database: 'empty' })
const { terce: run } = useDatabase(addMigrate, addDoctor)
const terce = (...args: string[]) => run(args, { DATABASE_URL: stage.database() })

let next: NextRelease
beforeAll(() => {
  next = makeNextRelease()
})
afterAll(() => next.remove())

const terceNext = (...args: string[]) => {
  const env = { ...process.env, DATABASE_URL: stage.database() }
  return promisify(execFile)(process.execPath, [next.command, 'migrate', ...args], { env })
}

it('shows what the migrations of the next release lock, applies them, and leaves this release working', async () => {
  const store = await stage.open()
  await store.createUsers(makePeople(13))
  await query(stage.database(), 'ANALYZE')
  const plan = await terceNext('--plan')
  expect(plan.stdout.split('\n')).toEqual([
    '9998_note.sql: 1 statements in one transaction, 1 with a lock; works with 0.2.0 and newer.',
    '  ALTER TABLE terce.events ADD COLUMN note text;',
    '    ACCESS EXCLUSIVE lock on events, about 13 rows: milliseconds, claims wait.',
    '9999_note_index.sql: 1 statements each step by itself, 1 with a lock; works with 0.2.0 and newer.',
    '  CREATE INDEX CONCURRENTLY events_by_note ON terce.events (note);',
    '    SHARE UPDATE EXCLUSIVE lock on events, about 13 rows: milliseconds, claims go on.',
    '',
  ])
  expect(plan.stderr).toMatch(/^2 pending migrations for postgres:/)
  const json = JSON.parse((await terceNext('--plan', '--json')).stdout)
  expect(json).toMatchObject({ migrations: ['9998_note.sql', '9999_note_index.sql'] })
  expect(json.plan[0].statements[0]).toMatchObject({
    table: 'events',
    lock: 'ACCESS EXCLUSIVE',
    blocksClaims: true,
  })

  expect((await terceNext()).stderr).toMatch(/is up to date\.\n$/)
  expect((await terceNext('--plan')).stdout).toBe('')
  expect((await terce('migrate')).stderr).toMatch(/is up to date\.\n$/)
  expect((await terce('doctor')).stdout).toMatch(/All 3 migrations applied\. 2 of them by a newer release\./)
  await store.createUsers(makePeople(1))
})

it('lists the migrations of a new database, by either name of the option', async () => {
  const { stdout } = await terce('migrate', '--plan')
  expect(stdout).toMatch(/^0000_baseline\.sql: \d+ statements in one transaction, 0 with a lock/)
  expect((await terce('migrate', '--dry-run')).stdout).toBe(stdout)
})
