// A failover to an asynchronous standby that has not received the last writes, although they were acknowledged.
import { describe, expect, it } from 'vitest'
import { idempotencyKey } from '../../../src/domain/events/idempotency-key.ts'
import type { Claim } from '../../../src/ports/claim.ts'
import type { NewPerson } from '../../../src/ports/store.ts'
import type { PostgresStore } from '../../../src/stores/postgres/postgres-store.ts'
import { delivered, refOf, retry } from '../../contracts/store/steps.ts'
import { makePerson } from '../../support/fixtures.ts'
import { cutReplication, promote } from '../../support/postgres-standby.ts'
import { until } from '../../support/until.ts'
import { createDuePeople } from './support/due-people.ts'
import { useReplication } from './support/replicated-suite.ts'

const stage = useReplication()

/** Claims everything that is due. The body names the worker that rendered it. */
const claimAll = (store: PostgresStore, worker: string, leaseMs = 60_000) =>
  store.claimDue({ now: Date.now(), limit: 100, leaseMs, claimedBy: worker, render: () => `by ${worker}` })

const keyOf = ({ user, occasionId, occurrence }: Claim) =>
  idempotencyKey({ userId: user.id, occasionId, occurrence })

/** Before `lose` is called, all writes of the store reach the standby; `failOver` loses the ones after it. */
async function start(): Promise<{
  store: PostgresStore
  person: NewPerson
  lose(): Promise<void>
  failOver(): Promise<void>
}> {
  const store = await stage.open()
  const { people } = await createDuePeople(store, 1)
  return {
    store,
    person: people[0]!,
    lose: () => cutReplication(stage.primary(), stage.standby()),
    failOver: async () => {
      await promote(stage.standby())
      stage.point(stage.standby())
      stage.reset()
      await until(
        'the store is up',
        () => store.check().catch((error: Error) => error),
        (error) => !error,
      )
    },
  }
}

describe('after a failover to an asynchronous standby', () => {
  it('a person whose creation was lost is missing, and the repeated request creates them', async () => {
    const { store, lose, failOver } = await start()
    await lose()
    const person = makePerson()
    await store.createUsers([person])
    await failOver()
    expect(await store.findUser(person.user.id)).toBeNull()
    expect(await store.createUsers([person])).toEqual({ kind: 'created', created: 1 })
  })

  it('a person whose deletion was lost is back, and is greeted', async () => {
    const { store, person, lose, failOver } = await start()
    await lose()
    await store.deleteUser(person.user.id)
    await failOver()
    expect((await claimAll(store, 'worker')).map(({ user }) => user.id)).toEqual([person.user.id])
  })

  it('an event whose settlement was lost is sent again when the lease expires: same key, same bytes', async () => {
    const { store, lose, failOver } = await start()
    const [first] = await claimAll(store, 'first', 1)
    await lose()
    await store.settle([delivered(first!)])
    await failOver()
    const [second] = await until(
      'the lease expires',
      () => claimAll(store, 'second'),
      ({ length }) => length > 0,
    )
    expect([keyOf(second!), second!.body]).toEqual([keyOf(first!), 'by first'])
  })

  it('an event whose claim was lost is sent again at once: same key, rendered again', async () => {
    const { store, lose, failOver } = await start()
    await lose()
    const [first] = await claimAll(store, 'first')
    await failOver()
    const [second] = await claimAll(store, 'second')
    expect([keyOf(second!), second!.body]).toEqual([keyOf(first!), 'by second'])
  })

  it('a worker whose claim was lost cannot settle, extend, confirm or read the next claim of the event', async () => {
    const { store, lose, failOver } = await start()
    await lose()
    const [lost] = await claimAll(store, 'first')
    await failOver()
    const [held] = await claimAll(store, 'second')
    expect(held!.version).toBe(lost!.version)
    const lease = { now: Date.now(), leaseMs: 60_000 }
    expect(await store.confirmClaims([refOf(lost!)])).toEqual([])
    expect(await store.extendLeases([refOf(lost!)], lease)).toEqual([])
    expect(await store.readClaims([refOf(lost!)])).toEqual([])
    const stale = { settled: [], stale: [lost!.id], replan: [] }
    expect(await store.settle([retry(lost!, Date.now())])).toEqual(stale)
    expect(await store.settle([delivered(lost!)])).toEqual(stale)
    expect(await store.settle([delivered(held!)])).toEqual({ settled: [held!.id], stale: [], replan: [] })
  })
})
