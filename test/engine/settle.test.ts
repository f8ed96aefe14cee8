// Settling: outcomes are written in batches, retried, and written once.
import { beforeEach, describe, expect, it } from 'vitest'
import { changeUser } from '../../src/app/users/change.ts'
import { claimBatch } from '../../src/engine/claim.ts'
import type { EngineDeps, Outcome } from '../../src/engine/engine-deps.ts'
import { createSettler, settleAll } from '../../src/engine/settle.ts'
import { refOf, settlementOf } from '../../src/engine/settlement.ts'
import type { Settlement } from '../../src/ports/claim.ts'
import type { NewPerson, Store } from '../../src/ports/store.ts'
import { DELIVERED, SECOND } from '../support/fixtures.ts'
import { dueAtNine, NINE, useWorld, world } from './support/use-world.ts'

let people: NewPerson[]
/** How many outcomes each call to settle wrote. */
let batches: number[]

useWorld(NINE)
beforeEach(async () => {
  people = await dueAtNine(5)
  batches = []
})

/** The world's store; `settle` fails while `isBroken` says so. */
function deps(isBroken: (batch: readonly Settlement[]) => boolean = () => false): EngineDeps {
  const settle: Store['settle'] = async (batch) => {
    batches.push(batch.length)
    if (isBroken(batch)) throw new Error('The database is down.')
    return world.store.settle(batch)
  }
  const get = (store: Store, name: keyof Store) => (name === 'settle' ? settle : store[name])
  return world.deps({ store: new Proxy(world.store, { get }) })
}

async function claimed(own: EngineDeps): Promise<Outcome[]> {
  const how = { limit: 50, leaseMs: 60 * SECOND, claimedBy: 'worker-1' }
  const { ready } = await claimBatch(own, how)
  return ready.map((claim) => ({ claim, settlement: settlementOf(own, claim, DELIVERED, NINE) }))
}

describe('createSettler', () => {
  it('writes outcomes that are added within 5 ms in one batch', async () => {
    const own = deps()
    const settled: number[] = []
    const settler = createSettler(own, { batchSize: 50, onSettled: (batch) => settled.push(batch.length) })
    for (const outcome of await claimed(own)) settler.add(outcome)
    expect(batches).toEqual([])
    await world.clock.advance(5)
    expect(batches).toEqual([5])
    expect(settled).toEqual([5])
    expect(await world.statuses(people)).toEqual({ COMPLETED: 5 })
  })

  it('writes outcomes that are added within 50 ms in one batch while events wait for a slot', async () => {
    const own = deps()
    const settler = createSettler(own, { batchSize: 50, onSettled: () => {}, isBusy: () => true })
    for (const outcome of await claimed(own)) {
      settler.add(outcome)
      await world.clock.advance(10)
    }
    expect(batches).toEqual([5])
  })

  it('writes a full batch at once', async () => {
    const own = deps()
    const settler = createSettler(own, { batchSize: 2, onSettled: () => {} })
    for (const outcome of await claimed(own)) settler.add(outcome)
    expect(batches).toEqual([2, 2])
    await settler.flush()
    expect(batches).toEqual([2, 2, 1])
  })
})

describe('settleAll', () => {
  it('retries a batch after 1 s, and reports the retry', async () => {
    let fails = true
    const own = deps(() => fails)
    const outcomes = await claimed(own)
    const left = settleAll(own, outcomes)
    await world.clock.advance(0)
    fails = false
    await world.clock.advance(SECOND)
    expect(await left).toEqual([])
    expect(batches).toEqual([5, 5])
    expect(world.notices).toContainEqual(
      expect.objectContaining({ kind: 'error', operation: 'settle', retryInMs: SECOND }),
    )
    expect(await world.statuses(people)).toEqual({ COMPLETED: 5 })
  })

  it('writes nothing for an outcome that its channel has written', async () => {
    const own = deps()
    const [written, ...others] = await claimed(own)
    expect(await settleAll(own, [{ ...written!, isWritten: true }, ...others])).toEqual([])
    expect(batches).toEqual([4])
    expect(await settleAll(own, [{ ...written!, isWritten: true }])).toEqual([])
    expect(batches).toEqual([4])
  })

  it('writes each outcome by itself after a second failure: one that cannot be written holds up no other', async () => {
    const poison = people[2]!.events[0]!.id
    const own = deps((batch) => batch.some(({ eventId }) => eventId === poison))
    const left = settleAll(own, await claimed(own), NINE + 60 * SECOND)
    await world.clock.advance(60 * SECOND)
    expect((await left).map(({ claim }) => claim.id)).toEqual([poison])
    expect(await world.statuses(people)).toEqual({ COMPLETED: 4, PROCESSING: 1 })
  })

  it('gives up before the deadline, and returns the outcomes it could not write', async () => {
    const own = deps(() => true)
    const outcomes = (await claimed(own)).slice(0, 1)
    const left = settleAll(own, outcomes, NINE + 4 * SECOND)
    await world.clock.advance(4 * SECOND)
    expect(await left).toEqual(outcomes)
    expect(world.clock.now()).toBe(NINE + 4 * SECOND)
    expect(world.notices.at(-1)).toMatchObject({ kind: 'error', operation: 'settle', retryInMs: null })
  })

  it('writes an outcome once: a second settlement of the claim is reported as stale', async () => {
    const own = deps()
    const outcomes = (await claimed(own)).slice(0, 1)
    await settleAll(own, outcomes)
    const other = { ...outcomes[0]!.settlement, kind: 'release', wakeAt: NINE } as Settlement
    await settleAll(own, [{ claim: outcomes[0]!.claim, settlement: other }])
    const { id: eventId, version, claimedAt } = outcomes[0]!.claim
    expect(world.notices).toContainEqual({ kind: 'stale', claims: [{ eventId, version, claimedAt }] })
    expect(await world.event(outcomes[0]!.claim.id)).toMatchObject({ status: 'COMPLETED' })
  })

  it('plans the successor again if the person moved while the event was in flight', async () => {
    const own = deps()
    const outcomes = await claimed(own)
    const { user } = people[0]!
    await changeUser(world.app, user.id, { input: { timezone: 'Asia/Tokyo' }, ifVersion: null })
    await settleAll(own, outcomes)
    const events = await world.events(user.id)
    expect(events.map(({ status, targetAt }) => [status, targetAt])).toEqual([
      ['COMPLETED', NINE],
      ['PENDING', Date.parse('2027-06-15T00:00:00Z')],
    ])
  })
})

describe('the notice of a settled batch', () => {
  it('counts retried and released events apart, whether they were sent or not', async () => {
    const own = deps()
    const outcomes = await claimed(own)
    const of = (index: number) => ({ ...refOf(outcomes[index]!.claim), at: NINE, wakeAt: NINE + SECOND })
    const down = { error: 'CONNECTION: down', statusCode: null }
    const settlements: Settlement[] = [
      { ...of(0), kind: 'retry', ...down },
      { ...of(1), kind: 'release', attempt: down },
      { ...of(2), kind: 'release', attempt: null },
    ]
    await settleAll(
      own,
      settlements.map((settlement, index) => ({ claim: outcomes[index]!.claim, settlement })),
    )
    const counts = { delivered: 0, retried: 1, failed: 0, released: 2 }
    expect(world.notices).toContainEqual({ kind: 'settled', ...counts, byType: { BIRTHDAY: counts } })
  })
})
