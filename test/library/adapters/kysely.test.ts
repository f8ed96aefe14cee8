// The adapter for Kysely with its dialect of PostgreSQL.

import type pg from 'pg'
import { CamelCasePlugin, type Generated, Kysely, ParseJSONResultsPlugin, PostgresDialect } from 'test-kysely'
import { describe, expect, it } from 'vitest'
import { kysely } from '../../../src/library/adapters/adapters.ts'
import { library } from './support/library.ts'
import { born, completed, describeAdapter, useApplication } from './support/scenario.ts'

type Database = { greetings: { id: Generated<number>; note: string } }

const open = (pool: pg.Pool) => {
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool }),
    // They change the rows of the application, and must not change those of Terce.
    plugins: [new CamelCasePlugin(), new ParseJSONResultsPlugin()],
  })
  return library(kysely(db), {
    transaction: (work) => db.transaction().execute(work),
    insert: (tx, note) => tx.insertInto('greetings').values({ note }).execute(),
  })
}
const start = useApplication(open)

describeAdapter('Kysely', start)

describe('The adapter for Kysely', () => {
  it('gives a handler the type of the transaction, with the tables of the application', async () => {
    const { terce, notes } = await start()
    terce.on('BIRTHDAY', async (event, { tx }) => {
      const found = await tx.selectFrom('greetings').select('note').execute()
      // @ts-expect-error There is no such table.
      void (() => tx.selectFrom('accounts'))
      await tx
        .insertInto('greetings')
        .values({ note: `${event.type} after ${found.length}` })
        .execute()
    })
    await terce.start()
    await terce.users.create(born('ada'))
    await completed(terce)
    expect(await notes()).toEqual(['BIRTHDAY after 0'])
  })
})
