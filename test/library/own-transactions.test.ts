// The transactions that handlers write in: on a connection that breaks, and beside a transaction of the application.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { onFile, onPool } from '../../src/library/own-transactions.ts'
import { connectionOn } from '../../src/stores/postgres/connection.ts'
import { query } from '../stores/postgres/support/audit.ts'
import { useStage } from '../stores/postgres/support/postgres-suite.ts'

const stage = useStage()

describe('a transaction on the pool of an application', () => {
  function poolOfApplication(): pg.Pool {
    const pool = new pg.Pool({ connectionString: stage.database(), max: 2 })
    pool.on('error', () => {})
    stage.atEnd(() => pool.end())
    return pool
  }

  /** Ends the connection while no statement runs on it, so that it reports the end by an event. */
  async function breakConnection(pid: number): Promise<void> {
    await query(stage.database(), `SELECT pg_terminate_backend(${pid})`)
    await sleep(200)
  }

  it('rejects, and does not end the process, when its connection breaks while a handler waits', async () => {
    const pool = poolOfApplication()
    const broken = onPool(pool, 30_000).run(async (tx) => {
      const { rows } = await tx.query('SELECT pg_backend_pid() AS pid')
      await breakConnection(rows[0].pid)
      await tx.query('SELECT 1')
    })
    await expect(broken).rejects.toThrow()
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
    expect(pool.totalCount).toBe(1)
  })

  it('rejects, and does not end the process, when its connection breaks between two statements of the store', async () => {
    const pool = poolOfApplication()
    const broken = connectionOn(pool).transaction(async (run) => {
      const [row] = await run({ text: 'SELECT pg_backend_pid()', values: [] })
      await breakConnection(row![0] as number)
      await run({ text: 'SELECT 1', values: [] })
    })
    await expect(broken).rejects.toThrow()
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  })
})

describe('a transaction on a SQLite file', () => {
  it('waits for a transaction of the application without blocking the thread that commits it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'terce-own-'))
    stage.atEnd(async () => rmSync(folder, { recursive: true }))
    const file = join(folder, 'app.db')
    const db = new DatabaseSync(file)
    stage.atEnd(async () => db.close())
    db.exec('PRAGMA journal_mode = WAL; CREATE TABLE notes (note text); BEGIN IMMEDIATE')
    db.exec(`INSERT INTO notes VALUES ('application')`)
    const own = onFile(file)
    stage.atEnd(async () => own.close())
    const handled = own.run(async (tx) => tx.exec(`INSERT INTO notes VALUES ('handler')`))
    await sleep(50)
    db.exec('COMMIT')
    await handled
    expect(db.prepare('SELECT note FROM notes').all()).toEqual([{ note: 'application' }, { note: 'handler' }])
  })
})
