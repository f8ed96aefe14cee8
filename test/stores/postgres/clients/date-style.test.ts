// Instants are read right on connections with any DateStyle, in a pool and inside a transaction of an application.
import pg from 'pg'
import { expect, it } from 'vitest'
import { connectionOn } from '../../../../src/stores/postgres/connection.ts'
import { storeInTransaction, storeOnPool } from '../../../../src/stores/postgres/store.ts'
import { makePerson } from '../../../support/fixtures.ts'
import { useStage } from '../support/postgres-suite.ts'

const stage = useStage()
/** A day that can be read as a month. */
const AT = Date.parse('2027-02-01T09:00:00.123Z')

it.each(['ISO', 'German', 'SQL, DMY', 'SQL, MDY', 'Postgres, DMY'])(
  'instants under DateStyle %s',
  async (style) => {
    const { createUsers } = await stage.open()
    const person = makePerson({ targetAt: AT })
    Object.assign(person.user, { createdAt: AT, updatedAt: AT })
    await createUsers([person])
    const options = `-c datestyle=${style.replace(' ', '')} -c timezone=Asia/Kolkata`
    const pool = new pg.Pool({ connectionString: stage.database(), options, max: 1 })
    stage.atEnd(() => pool.end())
    const client = new pg.Client({ connectionString: stage.database(), options })
    stage.atEnd(() => client.end())
    await client.connect()
    await client.query('BEGIN')
    for (const store of [storeOnPool(connectionOn(pool)), storeInTransaction(client, 'terce')]) {
      const { id } = person.user
      expect(await store.findUser(id)).toEqual(person.user)
      expect((await store.readPerson(id))!.plans[0]!.open).toMatchObject({ targetAt: AT })
      const { items } = await store.listEvents({ limit: 9, cursor: null })
      expect(items).toMatchObject([{ targetAt: AT, wakeAt: AT }])
    }
    const { rows } = await client.query('SHOW datestyle')
    expect(rows[0].DateStyle).toContain(style)
    await client.query('COMMIT')
  },
)
