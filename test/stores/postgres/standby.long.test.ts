// Connections that reach a standby during a failover. Terce treats them as an outage, and leaves them as soon as the address
// leads to a server that accepts writes.
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../../src/runtimes/shared/system-clock.ts'
import { listen } from '../../../src/stores/postgres/clients/listener.ts'
import { openPostgresStore, type PostgresStore } from '../../../src/stores/postgres/postgres-store.ts'
import { makePerson } from '../../support/fixtures.ts'
import { promote } from '../../support/postgres-standby.ts'
import { until } from '../../support/until.ts'
import { useReplication } from './support/replicated-suite.ts'

const stage = useReplication()

const outage = (words: string) =>
  expect.objectContaining({ name: 'StoreUnavailableError', message: expect.stringContaining(words) })

/** The address leads to the standby, and no connection to the primary is left. */
function moveToStandby(): void {
  stage.point(stage.standby())
  stage.reset()
}

/** Creates a person, through as many broken connections as the pool has. */
const canWrite = (store: PostgresStore) =>
  until(
    'a person is created',
    () =>
      store.createUsers([makePerson()]).then(
        () => null,
        (error: Error) => error.message,
      ),
    (error) => error === null,
  )

describe('a PostgreSQL store whose address leads to a standby', () => {
  it('rejects reads and writes as an outage, and works again when the address leads to the primary', async () => {
    const store = await stage.open()
    const person = makePerson()
    await store.createUsers([person])
    moveToStandby()
    const errors = async () => [
      await store.findUser(person.user.id).catch((error) => error),
      await store.createUsers([makePerson()]).catch((error) => error),
      await store.check().catch((error) => error),
      await store.nextWakeAt().catch((error) => error),
    ]
    await until('every call fails', errors, (all) =>
      all.every((error) => String(error?.message).includes('standby')),
    )
    expect(await errors()).toEqual(Array(4).fill(outage('The database is a standby')))
    // The connections stay open: the store has to leave them.
    stage.point(stage.primary())
    await canWrite(store)
    expect(await store.findUser(person.user.id)).not.toBeNull()
  })

  it('cannot be opened; once the standby is promoted it can, and an open one works without a restart', async () => {
    const store = await stage.open()
    moveToStandby()
    await until('the store is down', () => store.check().catch((error) => error), Boolean)
    await expect(openPostgresStore(stage.address())).rejects.toEqual(outage('The database is a standby'))
    await promote(stage.standby())
    await canWrite(store)
    await canWrite(await stage.open())
  })
})

describe('the listener of a worker', () => {
  /** Announces until the listener hears it. */
  async function hears(heard: number[], url: string): Promise<void> {
    const store = await stage.open(url)
    await until('a notification arrives', () => store.announce(42).then(() => heard.includes(42)), Boolean)
  }

  async function startListener(clock = systemClock): Promise<number[]> {
    await stage.open()
    const heard: number[] = []
    const listener = listen({ config: { connectionString: stage.address() }, schema: 'terce' }, clock, {
      onWake: (at) => heard.push(at),
      onEnqueued() {},
    })
    stage.atEnd(() => listener.close())
    await hears(heard, stage.databaseOn(stage.primary()))
    return heard
  }

  /** On the promoted standby, after it was woken because it may have missed something. */
  async function hearsAgain(heard: number[]): Promise<void> {
    const wakes = () => heard.filter((at) => at === Number.NEGATIVE_INFINITY).length
    await until('the listener is connected again', wakes, (count) => count >= 2)
    heard.length = 0
    await hears(heard, stage.databaseOn(stage.standby()))
  }

  it('listens again when the address led to a standby and the standby is promoted', async () => {
    const heard = await startListener()
    moveToStandby()
    await promote(stage.standby())
    await hearsAgain(heard)
  })

  it('listens again when its server vanished without closing the connection', async () => {
    const hurried = {
      ...systemClock,
      after: (ms: number, call: () => void) => systemClock.after(ms / 20, call),
    }
    const heard = await startListener(hurried)
    stage.proxy().silence(1, () => 0)
    await promote(stage.standby())
    stage.point(stage.standby())
    stage.proxy().admit()
    await hearsAgain(heard)
  })
})
