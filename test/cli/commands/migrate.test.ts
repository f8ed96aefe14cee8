// `terce migrate` on a PostgreSQL database of 0.1.0: the plan, the migration, and the end of the views for 0.1.0.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addMigrate } from '../../../src/cli/commands/migrate.ts'
import type { Check } from '../../../src/cli/doctor/check.ts'
import { addDoctor } from '../../../src/cli/doctor/doctor.ts'
import { createFirstRelease } from '../../stores/postgres/migrations/support/first-release.ts'
import { query } from '../../stores/postgres/support/audit.ts'
import { useStage } from '../../stores/postgres/support/postgres-suite.ts'
import { type OldRelease, unpackRelease } from '../../support/old-release.ts'
import { useDatabase } from '../support/in-process.ts'

const stage = useStage({ database: 'empty' })
const { terce: run } = useDatabase(addMigrate, addDoctor)
const terce = (...args: string[]) => run(args, { DATABASE_URL: stage.database() })

let old: OldRelease
beforeAll(() => {
  old = unpackRelease()
})
afterAll(() => old.remove())

async function viewsCheck(): Promise<Check | undefined> {
  const { checks } = JSON.parse((await terce('doctor', '--json')).stdout) as { checks: Check[] }
  return checks.find(({ name }) => name === 'views')
}

it('shows the locks of the move from 0.1.0, moves, and finishes when it is asked to', async () => {
  await createFirstRelease(old, stage.database())
  await query(stage.database(), 'ANALYZE')
  const plan = await terce('migrate', '--plan')
  expect(plan.stdout).toMatch(
    /^0010_schema\.sql: 60 statements each step by itself, 20 with a lock; works with 0\.1\.0 and newer\.\n/,
  )
  expect(plan.stdout).toContain(
    '  ALTER TABLE public.events SET SCHEMA terce;\n' +
      '    ACCESS EXCLUSIVE lock on events, about 13 rows: milliseconds, claims wait.\n',
  )
  expect(plan.stdout).toMatch(/lock on sessions, about 1 row: milliseconds, claims go on\.\n/)
  expect(plan.stdout).toMatch(
    /^0011_enqueue\.sql: 9 statements in one transaction, 0 with a lock; works with 0\.1\.0 and newer\.\n/m,
  )
  expect(plan.stdout).toMatch(
    /^0012_history\.sql: \d+ statements each step by itself, \d+ with a lock; works with 0\.1\.0 and newer\.\n/m,
  )
  expect(plan.stdout).toMatch(
    /VALIDATE CONSTRAINT payloads_bound;\n {4}SHARE UPDATE EXCLUSIVE lock on payloads, about \d+ rows: milliseconds, claims go on\.\n/,
  )
  expect(plan.stdout).toMatch(
    /SET \(fillfactor = 42\);\n {4}SHARE UPDATE EXCLUSIVE lock on events, about 13 rows: milliseconds, claims go on\.\n/,
  )
  expect(plan.stderr).toMatch(/^6 pending migrations for postgres:/)
  const json = JSON.parse((await terce('migrate', '--plan', '--json')).stdout)
  expect(json).toMatchObject({
    migrations: [
      '0010_schema.sql',
      '0011_enqueue.sql',
      '0012_history.sql',
      '0013_room.sql',
      '0014_replan.sql',
      '0015_ledger.sql',
    ],
    dryRun: true,
  })
  expect(json.plan[0].statements[0]).toMatchObject({
    table: 'attempts',
    lock: 'ACCESS EXCLUSIVE',
    blocksClaims: true,
  })

  expect((await terce('migrate')).stderr).toMatch(/is up to date\.\n$/)
  expect(await viewsCheck()).toMatchObject({
    state: 'warn',
    remedy: expect.stringContaining('migrate --finish'),
  })
  expect((await terce('migrate', '--plan')).stdout).toMatch(
    /^terce migrate --finish would run:\n {2}DROP VIEW public\.workers;\n/,
  )
  const finished = await terce('migrate', '--finish')
  expect(finished.stdout.split('\n')).toContain('DROP VIEW public.users')
  expect(finished.stdout).toMatch(/DROP TABLE terce\.migrations\n$/)
  expect(await viewsCheck()).toBeUndefined()
  expect((await terce('migrate', '--finish')).stdout).toBe('')
})

it('lists the migrations of a new database, and its former option too', async () => {
  const { stdout } = await terce('migrate', '--plan')
  expect(stdout).toMatch(/^0000_start\.sql: \d+ statements in one transaction, 0 with a lock/)
  expect((await terce('migrate', '--dry-run')).stdout).toBe(stdout)
})
