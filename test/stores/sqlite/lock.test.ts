import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { systemClock } from '../../../src/runtimes/shared/system-clock.ts'
import { type SqliteExecutor, threadedExecutor } from '../../../src/stores/sqlite/executor.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'terce-'))
})
afterEach(() => rm(folder, { recursive: true }))

const open = () =>
  threadedExecutor(join(folder, 'terce.db'), systemClock, (error) => {
    throw error
  })

const write = (executor: SqliteExecutor, rows: number) =>
  executor.batch([
    {
      sql: `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
        INSERT OR REPLACE INTO written SELECT n, randomblob(100) FROM numbers`,
      params: [rows],
    },
  ])

it('is free for a short batch between two long ones of another process', async () => {
  const [bulk, other] = [await open(), await open()]
  await other.batch([{ sql: 'CREATE TABLE written (n integer PRIMARY KEY, bytes blob)', params: [] }])
  let longBatches = 0
  let isDone = false
  const writeBulk = async () => {
    for (; !isDone; longBatches++) await write(bulk, 20_000)
  }
  // Two batches are always in flight, as in an import: the next one begins when the one before it has ended.
  const writing = [writeBulk(), writeBulk()]
  const passed: number[] = []
  for (let i = 0; i < 30; i++) {
    const before = longBatches
    await write(other, 1)
    passed.push(longBatches - before)
  }
  isDone = true
  await Promise.all(writing)
  await Promise.all([bulk.close(), other.close()])
  expect(Math.max(...passed)).toBeLessThanOrEqual(20)
})
