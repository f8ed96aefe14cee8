// The adapter for Prisma 7 with `@prisma/adapter-pg`.
import { PrismaPg } from '@prisma/adapter-pg'
import type pg from 'pg'
import { describe, expect, it } from 'vitest'
import { prisma } from '../../../src/library/adapters/adapters.ts'
import { library } from './support/library.ts'
import { PrismaClient } from './support/prisma/client.ts'
import { born, completed, describeAdapter, TIMEOUT_MS, useApplication } from './support/scenario.ts'
import { describeStoreInTransactions } from './support/store-contract.ts'

const open = (pool: pg.Pool) => {
  const client = new PrismaClient({ adapter: new PrismaPg(pool) })
  return library(prisma(client), {
    transaction: (work) => client.$transaction(work, { maxWait: 60_000, timeout: 60_000 }),
    insert: (tx, note) => tx.greeting.create({ data: { note } }),
    close: () => client.$disconnect(),
  })
}
const start = useApplication(open)

describeAdapter('Prisma', start)
describeStoreInTransactions('Prisma', open)

describe('The adapter for Prisma', () => {
  it('gives a handler the type of the transaction, with the models of the application', async () => {
    const { terce, notes } = await start()
    terce.on('BIRTHDAY', async (event, { tx }) => {
      const count: number = await tx.greeting.count()
      // @ts-expect-error There is no such model.
      void tx.account
      await tx.greeting.create({ data: { note: `${event.type} after ${count}` } })
    })
    await terce.start()
    await terce.users.create(born('ada'))
    await completed(terce)
    expect(await notes()).toEqual(['BIRTHDAY after 0'])
  })

  it('leaves nothing of an operation with several statements that its time interrupts', async () => {
    const { terce, notes } = await start(TIMEOUT_MS)
    const ended = Promise.withResolvers<void>()
    terce.on('BIRTHDAY', async (_, { tx, attempt }) => {
      const upsert = (note: string) =>
        tx.greeting.upsert({ where: { id: 0 }, create: { note }, update: { note } })
      if (attempt > 1) return upsert(`attempt ${attempt}`)
      const write = async () => {
        for (;;) await upsert('late')
      }
      await Promise.allSettled([write(), write(), write(), write()])
      ended.resolve()
    })
    await terce.start()
    await terce.users.create(born('ada'))
    await ended.promise
    const { retryCount } = await completed(terce)
    expect(await notes()).toEqual([`attempt ${retryCount + 1}`])
  })
})
