// The audit log of calls with `tx`: its entries commit or roll back with the transaction of the application.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { expect, it } from 'vitest'
import { createTerce } from '../../src/library/terce.ts'
import { useStage } from '../stores/postgres/support/postgres-suite.ts'

const stage = useStage()
const SETTINGS = { LOG_LEVEL: 'fatal' }
const ADA = { firstName: 'Ada', lastName: 'Lovelace', dateOfBirth: '1992-05-06', timezone: 'UTC' }
const NOBODY = '01726f1b-ea80-735c-8008-c81e5e0fa400'

it('records a deletion in a transaction of PostgreSQL when it commits, and nothing when it rolls back or is rejected', async () => {
  const pool = new pg.Pool({ connectionString: stage.database(), max: 4 })
  stage.atEnd(() => pool.end())
  const terce = createTerce({ database: pool, settings: SETTINGS })
  stage.atEnd(() => terce.stop())
  const { user: kept } = await terce.users.create(ADA)
  const { user: gone } = await terce.users.create(ADA)
  const tx = await pool.connect()
  await tx.query('BEGIN')
  await expect(terce.users.delete(NOBODY, { tx })).rejects.toMatchObject({ code: 'USER_NOT_FOUND' })
  await terce.users.delete(kept.id, { tx })
  await tx.query('ROLLBACK; BEGIN')
  await terce.users.delete(gone.id, { tx })
  await tx.query('COMMIT')
  tx.release()
  const { rows } = await pool.query('SELECT action, object_id FROM terce.audit_entries')
  expect(rows).toEqual([{ action: 'person.erased', object_id: gone.id }])
}, 30_000)

it('records two deletions of one transaction beside one of another transaction', async () => {
  const pool = new pg.Pool({ connectionString: stage.database(), max: 4 })
  stage.atEnd(() => pool.end())
  const terce = createTerce({ database: pool, settings: SETTINGS })
  stage.atEnd(() => terce.stop())
  const users = await Promise.all([1, 2, 3].map(async () => (await terce.users.create(ADA)).user.id))
  const tx = await pool.connect()
  await tx.query('BEGIN')
  await terce.users.delete(users[0]!, { tx })
  const other = terce.users.delete(users[1]!)
  await terce.users.delete(users[2]!, { tx })
  await tx.query('COMMIT')
  tx.release()
  await other
  const { rows } = await pool.query('SELECT object_id FROM terce.audit_entries ORDER BY number')
  expect(rows.map(({ object_id }) => object_id).sort()).toEqual([...users].sort())
}, 30_000)

it('rejects a deletion whose entry in the audit log a deadlock prevents', async () => {
  const pool = new pg.Pool({ connectionString: stage.database(), max: 5 })
  stage.atEnd(() => pool.end())
  const terce = createTerce({ database: pool, settings: SETTINGS })
  stage.atEnd(() => terce.stop())
  await pool.query('CREATE TABLE accounts AS SELECT 1 AS id')
  const { user } = await terce.users.create(ADA)
  const [first, second] = [await pool.connect(), await pool.connect()]
  await first.query(`BEGIN; SET LOCAL deadlock_timeout = '50ms'; UPDATE accounts SET id = 1`)
  await second.query(`BEGIN; SET LOCAL deadlock_timeout = '1min'`)
  await second.query('LOCK TABLE terce.audit_entries')
  const waiting = second.query('UPDATE accounts SET id = 2')
  await expect(terce.users.delete(user.id, { tx: first })).rejects.toThrow()
  await first.query('ROLLBACK')
  await waiting
  await second.query('COMMIT')
  for (const client of [first, second]) client.release()
  const { rows } = await pool.query('SELECT object_id FROM terce.audit_entries')
  expect(rows).toEqual([])
  expect((await terce.users.get(user.id)).id).toBe(user.id)
}, 30_000)

it('records a deletion in a transaction of SQLite when it commits, and nothing when it rolls back or is rejected', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'terce-audited-'))
  stage.atEnd(async () => rmSync(folder, { recursive: true }))
  const file = join(folder, 'app.db')
  const terce = createTerce<DatabaseSync>({ database: file, settings: SETTINGS })
  stage.atEnd(() => terce.stop())
  const { user: kept } = await terce.users.create(ADA)
  const { user: gone } = await terce.users.create(ADA)
  const db = new DatabaseSync(file, { timeout: 5_000 })
  stage.atEnd(async () => db.close())
  db.exec('BEGIN IMMEDIATE')
  await terce.users.delete(kept.id, { tx: db })
  db.exec('ROLLBACK; BEGIN IMMEDIATE')
  await terce.users.delete(gone.id, { tx: db })
  await expect(terce.users.delete(gone.id, { tx: db })).rejects.toMatchObject({ code: 'USER_NOT_FOUND' })
  db.exec('COMMIT')
  const rows = db.prepare('SELECT action, object_id FROM terce_audit_entries').all()
  expect(rows).toEqual([{ action: 'person.erased', object_id: gone.id }])
}, 60_000)
