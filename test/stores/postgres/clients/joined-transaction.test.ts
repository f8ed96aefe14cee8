// The store inside a transaction of an application: its writes commit or roll back with those of the application.
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { storeInTransaction } from '../../../../src/stores/postgres/store.ts'
import { makeChannel } from '../../../contracts/store/settings.ts'
import { makePerson } from '../../../support/fixtures.ts'
import { query } from '../support/audit.ts'
import { useStage } from '../support/postgres-suite.ts'

const stage = useStage()

async function begin(): Promise<pg.Client> {
  const client = new pg.Client(stage.database())
  await client.connect()
  stage.atEnd(() => client.end())
  await query(stage.database(), 'CREATE TABLE IF NOT EXISTS accounts (id text PRIMARY KEY)')
  await client.query('BEGIN')
  await client.query(`INSERT INTO accounts VALUES ('ada')`)
  return client
}

const accounts = () => query(stage.database(), 'SELECT id FROM accounts')

describe.each(['terce', 'greetings'])(
  'the store in the schema %s, inside a transaction of an application,',
  (schema) => {
    it('shows its writes to others after the commit, and not before', async () => {
      const store = await stage.open({ schema })
      const client = await begin()
      const person = makePerson()
      const joined = storeInTransaction(client, schema)
      await joined.createUsers([person])
      expect((await joined.findUser(person.user.id))?.id).toBe(person.user.id)
      expect(await store.findUser(person.user.id)).toBeNull()
      await client.query('COMMIT')
      expect((await store.readPerson(person.user.id))?.plans).toHaveLength(1)
      expect(await accounts()).toHaveLength(1)
    })

    it('leaves the transaction usable after an operation that failed', async () => {
      const store = await stage.open({ schema })
      const known = makePerson()
      known.user.externalId = 'ada'
      await store.createUsers([known])
      const client = await begin()
      const joined = storeInTransaction(client, schema)
      const second = makePerson()
      second.user.externalId = 'ada'
      expect(await joined.createUsers([second], { ifTaken: 'reject' })).toEqual({ kind: 'taken' })
      await client.query('COMMIT')
      expect(await accounts()).toHaveLength(1)
    })

    it('leaves the transaction usable after a single statement that failed', async () => {
      const store = await stage.open({ schema })
      await store.saveChannel(makeChannel({ name: 'crm' }))
      const client = await begin()
      const joined = storeInTransaction(client, schema)
      expect(await joined.saveChannel(makeChannel({ name: 'crm' }))).toBe('taken')
      await client.query('COMMIT')
      expect(await accounts()).toHaveLength(1)
    })

    it('sends one statement at a time, as a prepared statement needs it', async () => {
      const store = await stage.open({ schema })
      const known = makePerson()
      known.user.externalId = 'ada'
      await store.createUsers([known])
      const client = await begin()
      const prepared = {
        query: (query: string | pg.QueryConfig, values?: unknown[]) => prepare(query, values),
      }
      const prepare = (query: string | pg.QueryConfig, values?: unknown[]) =>
        client.query({
          ...(typeof query === 'string' ? { text: query } : query),
          ...(values !== undefined && { values }),
          queryMode: 'extended',
        } as pg.QueryConfig)
      const joined = storeInTransaction(prepared as unknown as pg.Client, schema)
      const second = makePerson()
      second.user.externalId = 'ada'
      expect(await joined.createUsers([second], { ifTaken: 'reject' })).toEqual({ kind: 'taken' })
      await client.query('COMMIT')
      expect(await accounts()).toHaveLength(1)
    })

    it('runs operations that are started at once one after the other', async () => {
      const store = await stage.open({ schema })
      const client = await begin()
      const joined = storeInTransaction(client, schema)
      const people = Array.from({ length: 8 }, () => makePerson())
      await Promise.all(people.map((person) => joined.createUsers([person])))
      await client.query('COMMIT')
      expect((await store.listUsers({ limit: 99, cursor: null })).items).toHaveLength(8)
    })
  },
)
