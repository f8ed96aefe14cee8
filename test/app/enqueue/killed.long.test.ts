// Workers that are killed while they apply enqueued changes: each change is applied once.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PostgresStore } from '../../../src/stores/postgres/postgres-store.ts'
import { query } from '../../stores/postgres/support/audit.ts'
import { useStage } from '../../stores/postgres/support/postgres-suite.ts'
import { type BundledScript, bundleScript } from '../../support/bundle/script.ts'
import { seededDice } from '../../support/fixtures.ts'
import { enqueued, enqueueTask, enqueueUser, person, task } from './support/draining.ts'

const stage = useStage()
let worker: BundledScript
beforeAll(async () => {
  worker = await bundleScript(new URL('support/worker.ts', import.meta.url))
})
afterAll(() => worker.remove())
const LEAST_KILLS = 5

async function start(mistake = 'none'): Promise<ChildProcess> {
  const child = fork(worker.path, [stage.database(), mistake], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  stage.atEnd(async () => child.kill('SIGKILL'))
  await once(child, 'message')
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** Enqueues a person and a task for each of so many ids. */
async function enqueue(people: number): Promise<string[]> {
  const ids = Array.from({ length: people }, (_, i) => `${i}`)
  const changes = ids.flatMap((id) => [enqueueUser(person(id)), enqueueTask(task(id))])
  await query(stage.database(), changes.join(';'))
  return ids
}

/** Two workers, one of which is killed again and again, until nothing is enqueued. */
async function drainWithKills(): Promise<void> {
  const dice = seededDice(5)
  let steady: ChildProcess | null = null
  for (let kills = 0; (await enqueued(stage.database())).length > 0; kills++) {
    const child = await start()
    if (kills === LEAST_KILLS) steady = await start()
    await sleep(40 + 120 * dice())
    await kill(child)
  }
  steady?.kill('SIGKILL')
}

/** How many tasks each person has. */
async function taskCounts(store: PostgresStore, ids: string[]): Promise<number[]> {
  expect(await store.findUsersByExternalId(ids)).toHaveLength(ids.length)
  const { items } = await store.listTasks({ limit: 10 * ids.length, cursor: null })
  return ids.map((id) => items.filter(({ externalId }) => externalId === id).length)
}

it('apply each of 200 changes once', async () => {
  const store = await stage.open()
  const ids = await enqueue(100)
  await drainWithKills()
  expect(await taskCounts(store, ids)).toEqual(ids.map(() => 1))
}, 170_000)

it('would create a task twice if its change were removed in another transaction than the task is written in', async () => {
  const store = await stage.open()
  const ids = await enqueue(1)
  await kill(await start('apart'))
  await drainWithKills()
  expect(await taskCounts(store, ids)).toEqual([2])
}, 60_000)
