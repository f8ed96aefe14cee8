// The PostgreSQL store keeps no state in a session, so a pooler in transaction mode may lie between. Prepared statements are tested in
// clients/prepared.test.ts.
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../../src/runtimes/shared/system-clock.ts'
import { listen } from '../../../src/stores/postgres/clients/listener.ts'
import { openPostgresStore } from '../../../src/stores/postgres/postgres-store.ts'
import { describeStoreContract } from '../../contracts/store.contract.ts'
import { makePeople, makePerson } from '../../support/fixtures.ts'
import { query } from './support/audit.ts'
import { usePooler } from './support/pooled-store.ts'

const pooler = usePooler()

describeStoreContract('PostgreSQL, in another schema and through sessions that forget,', pooler.open, {
  subset: 'transport',
})

describe('the sessions of these tests', () => {
  it('forget after every transaction', async () => {
    const store = await openPostgresStore(await pooler.createDatabase(), { connections: 1 })
    const before = pooler.proxy().forgotten()
    await store.createUsers([makePerson()])
    await store.check()
    expect(pooler.proxy().forgotten()).toBe(before + 2)
    await store.close()
  })
})

describe('behind a pooler in transaction mode', () => {
  it('an empty database is migrated once by four stores that open at the same time', async () => {
    const url = await pooler.createDatabase()
    const stores = await Promise.all(
      Array.from({ length: 4 }, () => openPostgresStore(url, { connections: 2 })),
    )
    await Promise.all(stores.map((store) => store.createUsers(makePeople(2))))
    const [row] = await query(url, 'SELECT count(*)::int AS people FROM terce.users')
    expect(row).toEqual({ people: 8 })
    for (const store of stores) await store.close()
  })

  it('a listener wakes the engine when it connects, hears nothing later, and stays connected', async () => {
    const url = await pooler.createDatabase()
    const store = await openPostgresStore(url, { connections: 1 })
    const woken: number[] = []
    const connected = Promise.withResolvers<void>()
    const config = { connectionString: url }
    const listener = listen({ config, schema: 'terce' }, systemClock, {
      onWake: (at) => void woken.push(at),
      onEnqueued: () => connected.resolve(),
    })
    await connected.promise
    await store.createUsers(makePeople(1))
    await store.check()
    expect(woken).toEqual([Number.NEGATIVE_INFINITY])
    await listener.close()
    await store.close()
  })
})
