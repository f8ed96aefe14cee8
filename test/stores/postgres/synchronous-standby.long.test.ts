// A failover to a synchronous standby, and a primary that goes on running beside it.
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { PostgresStore } from '../../../src/stores/postgres/postgres-store.ts'
import { delivered } from '../../contracts/store/steps.ts'
import { makePerson } from '../../support/fixtures.ts'
import { catchUp, forgetStandby, promote, waitForStandby } from '../../support/postgres-standby.ts'
import { query } from './support/audit.ts'
import { createDuePeople } from './support/due-people.ts'
import { useReplication } from './support/replicated-suite.ts'

const stage = useReplication()

const claimAll = (store: PostgresStore, worker: string) =>
  store.claimDue({ now: Date.now(), limit: 100, leaseMs: 60_000, claimedBy: worker, render: () => 'body' })

/** `waiting` if the call has neither ended nor failed after a moment. */
const stateOf = (call: Promise<unknown>) => Promise.race([call.then(() => 'done'), sleep(500, 'waiting')])

describe('with a synchronous standby', () => {
  it('a write is acknowledged only when the standby has it', async () => {
    const store = await stage.open()
    await waitForStandby(stage.primary())
    await stage.standby().crash()
    const person = makePerson()
    const writing = store.createUsers([person])
    expect(await stateOf(writing)).toBe('waiting')
    await stage.standby().restart()
    expect(await writing).toEqual({ kind: 'created', created: 1 })
    await promote(stage.standby())
    const promoted = await stage.open(stage.databaseOn(stage.standby()))
    expect(await promoted.findUser(person.user.id)).not.toBeNull()
  })

  it('a write with synchronous_commit = local or off is acknowledged without the standby', async () => {
    const url = stage.databaseOn(stage.primary())
    const openWith = async (level: string) => {
      await query(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET synchronous_commit = ${level}`)
      return stage.open()
    }
    const stores = [await openWith('local'), await openWith('off')]
    await waitForStandby(stage.primary())
    await stage.standby().crash()
    for (const store of stores)
      expect(await store.createUsers([makePerson()])).toEqual({ kind: 'created', created: 1 })
  })

  it('a primary that still runs after the failover acknowledges no write, its reads are outdated, and its workers claim nothing', async () => {
    const old = await stage.open(stage.databaseOn(stage.primary()))
    // The two connections of the first store will wait.
    const reader = await stage.open(stage.databaseOn(stage.primary()))
    const { people } = await createDuePeople(old, 1)
    await waitForStandby(stage.primary())
    await promote(stage.standby())
    const claiming = claimAll(old, 'old')
    const writing = old.createUsers([makePerson()])
    expect([await stateOf(claiming), await stateOf(writing)]).toEqual(['waiting', 'waiting'])
    stage.point(stage.standby())
    const store = await stage.open()
    const [claim] = await claimAll(store, 'new')
    expect(claim!.user.id).toBe(people[0]!.user.id)
    expect(await stateOf(claiming)).toBe('waiting')
    const person = makePerson()
    await store.createUsers([person])
    expect(await reader.findUser(person.user.id)).toBeNull()
    // An administrator who empties the setting lets the old primary acknowledge what is lost.
    await forgetStandby(stage.primary())
    expect(await claiming).toMatchObject([{ id: claim!.id }])
    expect(await writing).toEqual({ kind: 'created', created: 1 })
  })
})

it('without a synchronous standby, a primary that still runs after a failover sends the events of the new one too', async () => {
  const old = await stage.open(stage.databaseOn(stage.primary()))
  await createDuePeople(old, 1)
  await catchUp(stage.primary(), stage.standby())
  await promote(stage.standby())
  stage.point(stage.standby())
  const store = await stage.open()
  const [here] = await claimAll(store, 'new')
  const [there] = await claimAll(old, 'old')
  expect(there!.id).toBe(here!.id)
  const outcome = { settled: [here!.id], stale: [], replan: [] }
  expect(await store.settle([delivered(here!)])).toEqual(outcome)
  expect(await old.settle([delivered(there!)])).toEqual(outcome)
})
