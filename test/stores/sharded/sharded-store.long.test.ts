// The store over shards keeps the contract of a store, except where it says so.
import { expect, it } from 'vitest'
import { AcrossShardsError } from '../../../src/domain/errors.ts'
import { bucketOf, bucketOfText } from '../../../src/domain/events/bucket.ts'
import { openShardedStore } from '../../../src/stores/sharded/sharded-store.ts'
import { describeStoreContract } from '../../contracts/store.contract.ts'
import { DAY, makePeople, makePerson, newId, T0 } from '../../support/fixtures.ts'
import { claimingAll, openShards } from './support/open.ts'

const OWN_ENGINE = 'Each shard claims and replans its own events, with an order and a cursor of its own.'
const OWN_KEYS = 'The response of a key is stored and found with the bucket of the person; tested below.'
const FIXED_ID = 'A person keeps the external id that decided their shard; tested below.'
const OWN_ACCOUNT = 'Each shard accounts for its own people.'

const EXCEPT = {
  'the account of a day: has its lines in order of commitment, as they were saved, and by column':
    OWN_ACCOUNT,
  'the account of a day: has each person once who is erased while its last pages are saved': OWN_ACCOUNT,
  'the account of a day: is closed once, and takes no further page': OWN_ACCOUNT,
  'the account of a day: is listed as unsound once it is closed with unexplained or surplus lines, also after its alarm':
    OWN_ACCOUNT,
  'the account of a day: is resumed where it was left, by another process, and ends with every line and its counts':
    OWN_ACCOUNT,
  'the account of a day: is written by one of two processes: the page of the other one changes nothing':
    OWN_ACCOUNT,
  'the account of a day: keeps of an erased person what a closed day was sealed with, and nothing of an open day':
    OWN_ACCOUNT,
  'the account of a day: keeps its seal and no line once it is pruned, a few lines at a time': OWN_ACCOUNT,
  'the account of a day: rejects a last page that was read before an erasure, and keeps the lines as they are after it':
    OWN_ACCOUNT,
  'the account of a day: takes more lines at once than one parameter can hold': OWN_ACCOUNT,
  'the account of a day: writes nothing about an occasion that was removed after it was read': OWN_ACCOUNT,
  'the accounts of people: carry the lines that were open the day before, and no others': OWN_ACCOUNT,
  'the accounts of people: have each occasion once, page by page, and count people without one': OWN_ACCOUNT,
  'the accounts of people: have the event of a carried line that was settled and due long before the range':
    OWN_ACCOUNT,
  'the accounts of people: have the person, the occasion and the pending event as they are stored':
    OWN_ACCOUNT,
  'vanished occasions: are listed without an event if both rows are gone, and with each open event that is left':
    OWN_ACCOUNT,
  'vanished occasions: are none while nothing was deleted, or was deleted by the store': OWN_ACCOUNT,
  'vanished occasions: have lines in the account of the day': OWN_ACCOUNT,
  'claiming: takes the oldest first, in that order, and not more than the limit': OWN_ENGINE,
  'claiming: orders by instant, not by id': OWN_ENGINE,
  'claiming: takes an event whose lease expired behind a run of many claims within half a minute': OWN_ENGINE,
  'what was missed: is the count, the oldest and the newest of what fell due and was not taken': OWN_ENGINE,
  'listing the open plans of a timezone: shows each person there once, in order of id, with the open events that listPeople shows':
    OWN_ENGINE,
  'listing the outdated plans of timezones: shows the pending events of earlier releases there, the soonest first, page by page':
    OWN_ENGINE,
  'listing the outdated plans of timezones: reads each as listOpenPlans does, and none from its instant on':
    OWN_ENGINE,
  'listing the outdated plans of timezones: has no replays': OWN_ENGINE,
  'the rules of timezones: have a cursor of a replan, kept until they are saved again': OWN_ENGINE,
  'waking parked events: makes the earliest of them claimable, as many as asked for': OWN_ENGINE,
  'creating people: writes nothing for `ifTaken: reject` when one external id exists, and stores no response':
    OWN_KEYS,
  'the response to a request: is given again to a second request with its key, which creates nobody':
    OWN_KEYS,
  'the response to a request: is forgotten when its time is over, and its key is free again': OWN_KEYS,
  'the response to a request: that is too old makes room for the next under the same key in one go': OWN_KEYS,
  'the response to a request: is one for twenty requests with one key at the same time': OWN_KEYS,
  'an external id: that lets nobody in keeps no response either; one about nobody is kept': OWN_KEYS,
  'an external id: links a stored response to every user it names, existing ones included': OWN_KEYS,
  'deleting a user: replaces idempotency keys that an earlier release stored in clear by their SHA-256':
    OWN_KEYS,
  'deleting a user: erases the body of a response given to several at once': OWN_KEYS,
  'the response to a request for an occasion: shares its key with those for people': OWN_KEYS,
  'the response to a request for an occasion: is erased with the user; those of others stay': OWN_KEYS,
  'the response to a request for an occasion: is one for twenty requests with one key at the same time, of one user or of many':
    OWN_KEYS,
  'the journal of an occasion: leaves no entry of a save whose transaction is rolled back': OWN_KEYS,
  'the journal of a person: has no entry for a change whose external id is taken': FIXED_ID,
  'an external id: is on every event of its user, as it is now': FIXED_ID,
  'an external id: can be given, changed and taken away': FIXED_ID,
  'an external id: that is another’s is refused: nothing of the change is written': FIXED_ID,
  'creating or changing by external id: creates a new person if the one it found is deleted or renamed before the change':
    FIXED_ID,
}

describeStoreContract(
  'sharded',
  async () => {
    const { store, stores, deleteRow } = openShards(4)
    const all = claimingAll(store, stores)
    return { store: all, another: async () => all, deleteRow, cleanup: () => store.close() }
  },
  { except: EXCEPT },
)

const stored = (key: string, bucket?: string) => ({
  ...{ key, fingerprint: 'f', status: 201, body: 'a body', createdAt: T0, forgetBefore: T0 - DAY },
  bucket,
})

/** A person of the bucket. */
function personIn(bucket: string) {
  const person = makePerson()
  return { ...person, user: { ...person.user, id: newId(T0, bucket) }, occasions: [], events: [] }
}

it('puts each person, with everything that is theirs, into the shard of their bucket', async () => {
  const { store, stores } = openShards(4)
  const people = makePeople(40, (i) => (i % 2 === 0 ? { externalId: `crm-${i}` } : {}))
  expect(await store.createUsers(people)).toEqual({ kind: 'created', created: 40 })
  for (const { user, occasions } of people) {
    const shard = stores[Number.parseInt(bucketOf(user.id), 16) % 4]!
    expect((await shard.readPerson(user.id))!.plans.map(({ occasion }) => occasion.id)).toEqual([
      occasions[0]!.id,
    ])
  }
  const counts = await Promise.all(
    stores.map(async (one) => (await one.listUsers({ limit: 99, cursor: null })).items.length),
  )
  expect(Math.min(...counts)).toBeGreaterThan(0)
  await store.close()
})

it('finds a response in the shard of its bucket, and creates nobody under its key again', async () => {
  const { store } = openShards(4)
  const response = stored('sha256:key', '00a2')
  expect(await store.createUsers([personIn('00a2')], response)).toEqual({ kind: 'created', created: 1 })
  expect(await store.createUsers([personIn('00a2')], response)).toMatchObject({ kind: 'response-exists' })
  expect(await store.findResponse('sha256:key', 0, '00a2')).toMatchObject({ body: 'a body' })
  expect(await store.findResponse('sha256:key', 0, '00a1')).toBeNull()
  expect((await store.listUsers({ limit: 9, cursor: null })).items).toHaveLength(1)
  await store.close()
})

it('rejects a response that is about people of several shards, and writes nothing', async () => {
  const { store } = openShards(4)
  const people = [personIn('0001'), personIn('0002')]
  await expect(store.createUsers(people, stored('sha256:key'))).rejects.toBeInstanceOf(AcrossShardsError)
  const elsewhere = store.createUsers([personIn('0001')], stored('sha256:key', '0002'))
  await expect(elsewhere).rejects.toMatchObject({ code: 'KEY_ACROSS_SHARDS' })
  expect((await store.listUsers({ limit: 9, cursor: null })).items).toEqual([])
  await store.close()
})

it('writes nobody of several shards with `ifTaken: reject` when one external id exists', async () => {
  const { store } = openShards(4)
  await store.createUsers([makePerson({ externalId: 'crm-1' })])
  const people = ['crm-2', 'crm-3', 'crm-1', 'crm-4'].map((externalId) => makePerson({ externalId }))
  expect(await store.createUsers(people, undefined, { ifTaken: 'reject' })).toEqual({ kind: 'taken' })
  expect((await store.listUsers({ limit: 9, cursor: null })).items).toHaveLength(1)
  await store.close()
})

it('deletes the people of the other shards again when an external id is taken meanwhile', async () => {
  const { store, stores, registry } = openShards(4)
  const people = ['crm-1', 'crm-2', 'crm-3', 'crm-4', 'crm-5', 'crm-6'].map((externalId) =>
    makePerson({ externalId }),
  )
  const taken = Number.parseInt(bucketOfText('crm-3'), 16) % 4
  const racing = stores.map((one, index) =>
    index === taken
      ? {
          ...one,
          async createUsers(...args: Parameters<typeof one.createUsers>) {
            await one.createUsers([makePerson({ externalId: 'crm-3' })])
            return one.createUsers(...args)
          },
        }
      : one,
  )
  const shards = { count: () => 4, store: (index: number) => racing[index]! }
  const raced = openShardedStore({ shards, registry })
  expect(await raced.createUsers(people, undefined, { ifTaken: 'reject' })).toEqual({ kind: 'taken' })
  const { items } = await store.listUsers({ limit: 9, cursor: null })
  expect(items.map(({ externalId }) => externalId)).toEqual(['crm-3'])
  await store.close()
})

it('rejects an external id of another bucket, and accepts to take the external id away', async () => {
  const { store } = openShards(4)
  const { user } = makePerson({ externalId: 'crm-1' })
  await store.createUsers([{ user, occasions: [], events: [] }])
  const change = (externalId: string | null, version: number) =>
    store.updateUser({ user: { ...user, externalId, version }, reschedules: null })
  await expect(change('crm-2', 2)).rejects.toMatchObject({ code: 'EXTERNAL_ID_FIXED' })
  expect(await change('crm-1', 2)).toBe('updated')
  expect(await change(null, 3)).toBe('updated')
  expect(await change('crm-1', 4)).toBe('updated')
  await store.close()
})

it('rejects a number of shards that is not a power of two', () => {
  expect(() => openShards(3)).toThrow('power of two')
})

it('leaves claims and the parts of a replan to the engine of each shard', async () => {
  const { store } = openShards(2)
  const claim = { now: T0, limit: 1, leaseMs: 1, claimedBy: 'one', render: () => null }
  await expect(store.claimDue(claim)).rejects.toThrow('Each shard claims its own events.')
  await store.close()
})
