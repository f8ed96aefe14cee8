// The adapter for Knex with the client `pg`.

import type pg from 'pg'
import knexOn from 'test-knex'
import { describe, expect, it } from 'vitest'
import { knex, type PgClient } from '../../../src/library/adapters/adapters.ts'
import { library } from './support/library.ts'
import { born, completed, describeAdapter, useApplication } from './support/scenario.ts'

const open = (_: pg.Pool, url: string) => {
  const db = knexOn({ client: 'pg', connection: url })
  return library(knex(db), {
    transaction: (work) => db.transaction(work),
    insert: (tx, note) => tx('greetings').insert({ note }),
    close: () => db.destroy(),
  })
}
const start = useApplication(open)

describeAdapter('Knex', start)

describe('The adapter for Knex', () => {
  it('gives a handler the type of the transaction', async () => {
    const { terce, notes } = await start()
    terce.on('BIRTHDAY', async (event, { tx }) => {
      const [found] = await tx('greetings').count<{ count: string }[]>()
      // @ts-expect-error There is no such method.
      void tx.insertInto
      await tx('greetings').insert({ note: `${event.type} after ${found!.count}` })
    })
    await terce.start()
    await terce.users.create(born('ada'))
    await completed(terce)
    expect(await notes()).toEqual(['BIRTHDAY after 0'])
  })

  it('rejects a call after the end of the transaction, whose connection may be in another one', async () => {
    const { terce, transaction, transactions } = await start()
    const ended = await transaction(async (tx) => ({ tx }))
    const late = (transactions.clientOf(ended.tx) as PgClient).query({ text: 'SELECT 1' })
    await expect(late).rejects.toThrow('The transaction has ended.')
    await expect(terce.users.create(born('ada'), ended)).rejects.toMatchObject({ code: 'INTERNAL' })
  })
})
