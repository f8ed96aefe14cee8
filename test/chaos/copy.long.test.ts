// A copy to PostgreSQL that is killed at random points while messages fall due and workers send on both sides. Then a mistake is
// planted: the source is not frozen.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts'
import { COMMAND } from '../cli/support/run-command.ts'
import { makePeople, SECOND, seededDice } from '../support/fixtures.ts'
import { sharedPostgres } from '../support/shared-postgres.ts'
import { until } from '../support/until.ts'
import { startReceiver } from './support/receiver.ts'
import { spawnTerce } from './support/terce-process.ts'

const PEOPLE = 600
const EVERY_MS = 100

/** Runs the command until it is done, and kills the runs before. Returns how many were killed. */
async function copyUnderKills(to: string, env: Record<string, string>, dice: () => number): Promise<number> {
  for (let killed = 0; ; killed++) {
    const { PATH } = process.env
    const child = spawn(process.execPath, [COMMAND, 'copy', '--to', to], {
      env: { PATH, ...env },
      stdio: 'ignore',
    })
    const exited = once(child, 'exit')
    // Later each time: a run makes progress in the end, also on a busy machine.
    const timer = setTimeout(() => child.kill('SIGKILL'), SECOND * (1 + killed) * (0.5 + dice()))
    const [code] = await exited
    clearTimeout(timer)
    if (code === 0) return killed
    expect(code).toBeNull()
  }
}

/** How often each message arrived. `isFrozen` false: the source is released as soon as it was copied. */
async function run({ isFrozen }: { isFrozen: boolean }): Promise<{ killed: number; times: number[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'terce-copy-'))
  const postgres = await sharedPostgres()
  const url = await postgres.createDatabase()
  const receiver = await startReceiver({ logFile: join(folder, 'arrivals'), seed: 1 })
  await receiver.behave('accepting')
  const common = { WEBHOOK_URL: receiver.url, ALLOW_PRIVATE_TARGETS: 'true' }
  const from = { ...common, DATABASE_URL: `sqlite:${join(folder, 'terce.db')}` }
  const store = openSqliteStore(join(folder, 'terce.db'))
  const start = Date.now() + 5 * SECOND
  await store.createUsers(makePeople(PEOPLE, (i) => ({ targetAt: start + i * EVERY_MS })))
  await store.close()
  const old = spawnTerce(COMMAND, 'worker', from, join(folder, 'old.log'))
  let next: ReturnType<typeof spawnTerce> | null = null
  const timesOf = () => {
    const byKey = Map.groupBy(receiver.arrivals(), ({ key }) => key)
    return [...byKey.values()].map((arrivals) => arrivals.length)
  }
  try {
    await until(
      'the old worker sends',
      () => timesOf().length,
      (count) => count > 20,
      60 * SECOND,
    )
    const killed = await copyUnderKills(url, from, seededDice(7))
    if (!isFrozen)
      await once(
        spawn(process.execPath, [COMMAND, 'copy', '--undo'], { env: { PATH: process.env.PATH, ...from } }),
        'exit',
      )
    next = spawnTerce(COMMAND, 'worker', { ...common, DATABASE_URL: url }, join(folder, 'new.log'))
    await until(
      'every message arrives',
      () => timesOf().length,
      (count) => count === PEOPLE,
      180 * SECOND,
    )
    // A second arrival would follow within the poll of a worker.
    await sleep(5 * SECOND)
    return { killed, times: timesOf() }
  } finally {
    await Promise.all([old.end('SIGKILL'), next?.end('SIGKILL'), receiver.stop()])
    await postgres.dropDatabase(url)
    rmSync(folder, { recursive: true })
  }
}

describe('a copy to PostgreSQL that is killed while messages fall due', () => {
  it('lets each message arrive once', async () => {
    const { killed, times } = await run({ isFrozen: true })
    expect(killed).toBeGreaterThan(0)
    expect(times.filter((count) => count !== 1)).toEqual([])
  }, 400_000)

  it('lets messages arrive twice if the source is not frozen', async () => {
    const { times } = await run({ isFrozen: false })
    expect(times.filter((count) => count > 1).length).toBeGreaterThan(0)
  }, 400_000)
})
