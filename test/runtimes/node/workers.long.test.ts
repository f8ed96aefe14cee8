// The worker processes that GET /today counts, with real processes on PostgreSQL and SQLite.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ENVIRONMENT_CHANNEL } from '../../../src/domain/settings/channel.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { createDuePeople } from '../../stores/postgres/support/due-people.ts'
import { useStage } from '../../stores/postgres/support/postgres-suite.ts'
import { type Role, startTerce, type Terce } from '../../stores/postgres/support/processes.ts'
import { until } from '../../support/until.ts'

const stage = useStage()

async function start(role: Role, database: string): Promise<Terce> {
  const terce = await startTerce(role, { DATABASE_URL: database, WEBHOOK_URL: 'http://127.0.0.1:9/' })
  stage.atEnd(async () => {
    if (terce.alive()) await terce.end('SIGKILL')
  })
  return terce
}

async function workersOf({ url }: Terce): Promise<number> {
  const { instances } = (await (await fetch(`${url}/today`)).json()) as { instances: unknown[] }
  return instances.length
}

const untilWorkers = (terce: Terce, n: number) =>
  until(
    `${n} workers`,
    () => workersOf(terce),
    (seen) => seen === n,
  )

describe('the workers of an idle installation', () => {
  it('are counted in all processes on PostgreSQL, and no longer after they stop', async () => {
    await stage.open()
    const api = await start('api', stage.database())
    expect(await workersOf(api)).toBe(0)
    const workers = await Promise.all([start('worker', stage.database()), start('worker', stage.database())])
    await untilWorkers(api, 2)
    await workers[0]!.end('SIGTERM')
    await untilWorkers(api, 1)
  })

  it('are one for a single process on SQLite', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'terce-'))
    stage.atEnd(async () => rmSync(folder, { recursive: true }))
    const all = await start('all', `sqlite:${join(folder, 'terce.db')}`)
    await untilWorkers(all, 1)
  })
})

describe('a channel that an operator holds while two processes send to it', () => {
  it.each(['postgres', 'sqlite'])('gets nothing from a second later on (%s)', async (kind) => {
    const folder = mkdtempSync(join(tmpdir(), 'terce-'))
    stage.atEnd(async () => rmSync(folder, { recursive: true }))
    const file = join(folder, 'terce.db')
    const store = kind === 'postgres' ? await stage.open() : openSqliteStore(file)
    if (kind === 'sqlite') stage.atEnd(store.close)
    await createDuePeople(store, 3_000)
    const sink = await stage.sink((response) => setTimeout(() => response.end('ok'), 20))
    const env = {
      DATABASE_URL: kind === 'postgres' ? stage.database() : `sqlite:${file}`,
      ...{ WEBHOOK_URL: sink.url, CONCURRENCY: '2' },
    }
    await Promise.all([stage.terce('worker', env), stage.terce('worker', env)])
    await sink.waitFor(50)
    const heldAt = Date.now()
    await store.holdDestination({
      ...{ channelId: ENVIRONMENT_CHANNEL, heldAt, heldUntil: null, heldBy: null },
    })
    const wroteAt = Date.now()
    await until('a moment later than a second', Date.now, (now) => now > wroteAt + 2_000)
    expect(sink.arrivals.filter(({ at }) => at > wroteAt + 1_000)).toEqual([])
    const { length: before } = sink.arrivals
    await store.releaseDestination(ENVIRONMENT_CHANNEL, Date.now())
    await sink.waitFor(before + 50)
  })
})
