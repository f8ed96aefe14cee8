// Workers that are killed while they apply enqueued changes: each change is applied once.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
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

async function start(mistake: string): Promise<ChildProcess> {
  const child = fork(worker.path, [stage.database(), mistake], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  stage.atEnd(async () => child.kill('SIGKILL'))
  await once(child, 'message')
  return child
}

/** Two workers, one of which is killed again and again, until nothing is left. Returns how many tasks each person has. */
async function tasksAfterKills(people: number, mistake = 'none'): Promise<number[]> {
  const url = stage.database()
  const store = await stage.open()
  const ids = Array.from({ length: people }, (_, i) => `${i}`)
  const changes = ids.flatMap((id) => [enqueueUser(person(id)), enqueueTask(task(id))])
  await query(url, changes.join(';'))
  const dice = seededDice(5)
  let steady: ChildProcess | null = null
  for (let kills = 0; (await enqueued(url)).length > 0; kills++) {
    const child = await start(mistake)
    if (kills === LEAST_KILLS) steady = await start(mistake)
    await sleep(40 + 120 * dice())
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  steady?.kill('SIGKILL')
  const { items } = await store.listTasks({ limit: 10 * people, cursor: null })
  expect(await store.findUsersByExternalId(ids)).toHaveLength(people)
  return ids.map((id) => items.filter(({ externalId }) => externalId === id).length)
}

const oneEach = (people: number) => Array.from({ length: people }, () => 1)

it('apply each of 200 changes once', async () => {
  expect(await tasksAfterKills(100)).toEqual(oneEach(100))
}, 170_000)

it('would create tasks twice if a change were removed in another transaction than its task is written in', async () => {
  expect(await tasksAfterKills(40, 'apart')).not.toEqual(oneEach(40))
}, 170_000)
