// A failover to an asynchronous standby that has not received a write, although the write was acknowledged. The page
// docs/postgresql.md lists the outcomes.
import { expect, it } from 'vitest'
import { idempotencyKey } from '../../../src/domain/events/idempotency-key.ts'
import type { User } from '../../../src/domain/users/user.ts'
import type { Claim } from '../../../src/ports/claim.ts'
import type { PostgresStore } from '../../../src/stores/postgres/postgres-store.ts'
import { delivered, refOf, retry } from '../../contracts/store/steps.ts'
import { rowsOf } from '../../docs/support/tables.ts'
import { makePerson, newId } from '../../support/fixtures.ts'
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

/** Acknowledged writes after this call are lost. */
const lose = () => cutReplication(stage.primary(), stage.standby())

/** Resolves when the store is connected to the promoted standby. */
async function failOver(store: PostgresStore): Promise<void> {
  const isUp = () =>
    store.check().then(
      () => true,
      () => false,
    )
  await promote(stage.standby())
  stage.point(stage.standby())
  stage.reset()
  await until('the store is connected', isUp, Boolean)
}

async function createDue(store: PostgresStore): Promise<User> {
  return (await createDuePeople(store, 1)).people[0]!.user
}

/** Finds the claims that were made after the failover. */
type After = (user: User) => Claim | undefined

/** Prepares a write, makes it, and returns after the failover what became of it, as the page has it. */
type Lost = (store: PostgresStore) => Promise<() => Promise<(claimOf: After) => Promise<string>>>

const LOST: Record<string, Lost> = {
  'the settlement of an event': async (store) => {
    const user = await createDue(store)
    const [first] = await claimAll(store, 'first', 1)
    return async () => {
      expect(await store.settle([delivered(first!)])).toMatchObject({ settled: [first!.id] })
      return async (claimOf) => {
        const second = claimOf(user)!
        expect([keyOf(second), second.body]).toEqual([keyOf(first!), 'by first'])
        return 'the message is sent again when the lease expires, under the same key and with the same bytes'
      }
    }
  },

  'the creation of a person': async (store) => async () => {
    const person = makePerson()
    const create = () => store.createUsers([person], { ifTaken: 'reject' })
    await create()
    expect(await create()).toEqual({ kind: 'taken' })
    return async () => {
      expect(await store.findUser(person.user.id)).toBeNull()
      expect(await create()).toEqual({ kind: 'created', created: 1 })
      return 'the person is missing; repeating the request, also with its `Idempotency-Key`, creates them'
    }
  },

  'a change of a person': async (store) => {
    const user = await createDue(store)
    const rename = (firstName: string) =>
      store.updateUser({ user: { ...user, firstName, version: user.version + 1 }, reschedules: null })
    return async () => {
      expect(await rename('Grace')).toBe('updated')
      return async () => {
        expect(await store.findUser(user.id)).toMatchObject({ firstName: 'Ada' })
        expect(await rename('Augusta')).toBe('updated')
        return 'is undone; its version (`ETag`) is given to the next change'
      }
    }
  },

  'the deletion of a person': async (store) => {
    const user = await createDue(store)
    return async () => {
      await store.deleteUser(user.id, Date.now())
      return async (claimOf) => {
        expect(claimOf(user)).toBeDefined()
        return 'the person is back, and is greeted'
      }
    }
  },

  'the revocation of an API key': async (store) => {
    const id = newId(Date.now())
    const unused = { lastUsedAt: null, revokedAt: null, expiresAt: null, allowedFrom: [] }
    await store.createApiKey({ id, name: 'shop', hash: id, scope: 'write', createdAt: Date.now(), ...unused })
    return async () => {
      expect(await store.revokeApiKey(id, Date.now())).toBe(true)
      return async () => {
        expect(await store.listApiKeys()).toMatchObject([{ id, revokedAt: null }])
        return 'the key works again'
      }
    }
  },

  'the claim of an event': async (store) => {
    const user = await createDue(store)
    return async () => {
      const first = (await claimAll(store, 'first')).find((claim) => claim.user.id === user.id)!
      return async (claimOf) => {
        const second = claimOf(user)!
        expect([keyOf(second), second.body]).toEqual([keyOf(first), 'by second'])
        return 'the message is sent again under the same key; it is rendered again, so its bytes can differ'
      }
    }
  },
}

it('a failover to an asynchronous standby has the outcomes that docs/postgresql.md lists', async () => {
  const store = await stage.open()
  const writes: [string, Awaited<ReturnType<Lost>>][] = []
  for (const [name, prepare] of Object.entries(LOST)) writes.push([name, await prepare(store)])
  await lose()
  const outcomes: [string, (claimOf: After) => Promise<string>][] = []
  for (const [name, write] of writes) outcomes.push([name, await write()])
  await failOver(store)
  const claims = await claimAll(store, 'second')
  const found: Record<string, string> = {}
  for (const [name, outcome] of outcomes)
    found[name] = await outcome((user) => claims.find((claim) => claim.user.id === user.id))
  expect(found).toEqual(Object.fromEntries(rowsOf('docs/postgresql.md', 'lost write', 'outcome')))
})

it('the worker of a claim that a failover lost cannot settle, extend, confirm or read the next claim', async () => {
  const store = await stage.open()
  await createDue(store)
  await lose()
  const [lost] = await claimAll(store, 'first')
  await failOver(store)
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
