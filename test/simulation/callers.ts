// The people's side: callers of the API, who try again when they get no answer.
import { tzdb } from '../../src/domain/tzdb.ts'
import { createIds } from '../../src/domain/uuid.ts'
import { pruneHistory } from '../../src/flow/prune.ts'
import { changeUser, createPeople, preparePerson, type UsersDeps } from '../../src/flow/users.ts'
import { SECOND } from '../fixtures.ts'
import { connectStore, connectTelemetry } from './connection.ts'
import type { Database } from './database.ts'
import { type Process, startProcess, wasMadeToFail } from './process.ts'
import type { Chore, Edit } from './scenario.ts'
import type { Worker } from './worker.ts'
import type { World } from './world.ts'

export type Callers = {
  make(edit: Edit): void
  doChore(chore: Chore): void
}

const PATIENCE_MS = 30 * SECOND
const MAX_TRIES = 5

export function createCallers(world: World, database: Database, workers: readonly Worker[]): Callers {
  const { scenario, scheduler, dice, note } = world
  /** Who was created, as far as the callers know. */
  const known = new Map<number, string>()
  let starts = 0
  let api = start()

  function start(): { process: Process; users: UsersDeps } {
    starts += 1
    const skewMs = dice.chance(0.7) ? 0 : dice.between(-2 * SECOND, 2 * SECOND)
    const process = startProcess(world, {
      name: `api.${starts}`,
      who: 'api',
      skewMs: () => skewMs,
      onCrash: () => {
        api = start()
      },
    })
    const planner = { ids: createIds(process.dice.roll), table: tzdb }
    const users: UsersDeps = {
      store: connectStore(world, database, process, planner),
      planner,
      clock: process.clock,
      telemetry: connectTelemetry(world, process),
      deliverAt: '09:00',
      onPlanned: (at) => {
        for (const worker of workers) if (!scenario.newsGetsLost || dice.chance(0.5)) worker.wake(at)
      },
    }
    return { process, users }
  }

  /** Under one key for all tries, as a careful caller does: only the first can create anyone. */
  async function create(users: UsersDeps, { person, input }: Edit & { kind: 'create' }): Promise<string> {
    const prepared = preparePerson(users, input)
    if (!prepared.ok) return prepared.problems.map(({ code }) => code).join()
    const { id } = prepared.value.user
    const answer = { key: `create person ${person}`, fingerprint: '', status: 201, body: id }
    const result = await createPeople(users, [prepared.value], answer)
    const userId = result.kind === 'created' ? id : result.answer.body
    if (userId !== null) known.set(person, userId)
    return result.kind
  }

  function make(edit: Edit): void {
    async function carryOut(users: UsersDeps): Promise<string> {
      if (edit.kind === 'create') return create(users, edit)
      const userId = known.get(edit.person)
      if (userId === undefined) return 'unknown'
      if (edit.kind === 'delete') return (await users.store.deleteUser(userId)) ? 'deleted' : 'missing'
      return (await changeUser(users, userId, { input: edit.input, ifVersion: null })).kind
    }

    function attempt(tries: number): void {
      const { process, users } = api
      const retry = scheduler.add({
        at: scheduler.now() + PATIENCE_MS,
        kind: 'script',
        owner: null,
        run: () => (tries < MAX_TRIES ? attempt(tries + 1) : undefined),
      })
      const answer = (result: string) => {
        scheduler.remove(retry)
        note({ kind: 'edit', edit, result })
      }
      carryOut(users).then(answer, (error) => {
        if (wasMadeToFail(error)) return
        answer('failed')
        note({ kind: 'surprise', who: process.name, during: edit.kind, error: String(error) })
      })
    }
    attempt(1)
  }

  async function carryOutChore(chore: Chore, { store, planner, clock, onPlanned }: UsersDeps): Promise<void> {
    if (chore.kind === 'prune') {
      await pruneHistory(store, scheduler.now() - chore.olderThanMs, () => {})
      return
    }
    const { items } = await store.listEvents({ limit: 100, cursor: null, status: 'FAILED' })
    const chosen = items.filter(() => dice.chance(0.5))
    const at = clock.now()
    await store.replay(chosen.map(({ id }) => ({ of: id, id: planner.ids(at), ownKey: chore.ownKey, at })))
    onPlanned(at)
  }

  function doChore(chore: Chore): void {
    const { process, users } = api
    carryOutChore(chore, users).catch((error) => {
      if (!wasMadeToFail(error))
        note({ kind: 'surprise', who: process.name, during: chore.kind, error: String(error) })
    })
  }
  return { make, doChore }
}
