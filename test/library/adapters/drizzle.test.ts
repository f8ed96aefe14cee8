// The adapter for Drizzle, on a pool of `pg`.
import { drizzle as drizzleOn } from 'drizzle-orm/node-postgres'
import { pgTable, serial, text } from 'drizzle-orm/pg-core'
import type pg from 'pg'
import { describe, expect, it } from 'vitest'
import { drizzle } from '../../../src/library/adapters/adapters.ts'
import { library } from './support/library.ts'
import { born, completed, describeAdapter, useApplication } from './support/scenario.ts'

const greetings = pgTable('greetings', { id: serial().primaryKey(), note: text().notNull() })

const open = (pool: pg.Pool) => {
  const db = drizzleOn(pool, { schema: { greetings } })
  return library(drizzle(db), {
    transaction: (work) => db.transaction(work),
    insert: (tx, note) => tx.insert(greetings).values({ note }),
  })
}
const start = useApplication(open)

describeAdapter('Drizzle', start)

describe('The adapter for Drizzle', () => {
  it('gives a handler the type of the transaction, with the schema of the application', async () => {
    const { terce, notes } = await start()
    terce.on('BIRTHDAY', async (event, { tx }) => {
      const found: { note: string }[] = await tx.query.greetings.findMany({ columns: { note: true } })
      // @ts-expect-error There is no such table.
      void tx.query.accounts
      await tx.insert(greetings).values({ note: `${event.type} after ${found.length}` })
    })
    await terce.start()
    await terce.users.create(born('ada'))
    await completed(terce)
    expect(await notes()).toEqual(['BIRTHDAY after 0'])
  })

  it('calls inside of a nested transaction', async () => {
    const { terce, transaction } = await start()
    await transaction(async (tx) => {
      await tx.transaction((nested) => terce.users.create(born('ada'), { tx: nested }))
      const failing = tx.transaction(async (nested) => {
        await terce.users.create(born('grace'), { tx: nested })
        nested.rollback()
      })
      await expect(failing).rejects.toThrow('Rollback')
    })
    const { value } = await terce.users.list().next()
    expect(value!.externalId).toBe('ada')
  })

  it('rejects a database on a single client for handlers, and another driver', async () => {
    const client = { query: async () => ({ rows: [], rowCount: 0 }) } as unknown as pg.Client
    const { run, clientOf } = drizzle(drizzleOn(client))
    await expect(run(async () => {})).rejects.toThrow('Handlers need a Drizzle database on a pool.')
    expect(() => clientOf({} as never)).toThrow('Terce needs a Drizzle database on pg.')
  })
})
