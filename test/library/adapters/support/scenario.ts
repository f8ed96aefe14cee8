// What every adapter promises, with the real library on a real PostgreSQL whose sessions are not in UTC.
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import type { Terce } from '../../../../src/library/library.ts'
import { createTerce } from '../../../../src/library/terce.ts'
import { useStage } from '../../../stores/postgres/support/postgres-suite.ts'
import { until } from '../../../support/until.ts'
import { CREATE_GREETINGS, type Library, type OpenLibrary } from './library.ts'

const SETTINGS = { RETRY: '100ms,100ms,100ms,100ms', DELIVER_AT: '00:00', LOG_LEVEL: 'fatal' }

/** A handler has time to write when the machine is busy. */
export const TIMEOUT_MS = 1_500

export type Application<Tx> = Library<Tx> & { terce: Terce<Tx>; notes(): Promise<string[]>; pool: pg.Pool }

export type Start<Tx> = (handlerTimeoutMs?: number) => Promise<Application<Tx>>

/** Returns a function that starts an application with Terce in it. */
export function useApplication<Tx>(open: OpenLibrary<Tx>): Start<Tx> {
  const stage = useStage()
  return async (handlerTimeoutMs) => {
    const url = stage.database()
    const pool = new pg.Pool({ connectionString: url, max: 8 })
    stage.atEnd(() => pool.end())
    await pool.query(CREATE_GREETINGS)
    await pool.query(`ALTER DATABASE "${new URL(url).pathname.slice(1)}" SET timezone = 'Asia/Jakarta'`)
    const inJakarta = new pg.Pool({ connectionString: url, max: 8 })
    stage.atEnd(() => inJakarta.end())
    const library = open(inJakarta, url)
    stage.atEnd(async () => library.close?.())
    const terce = createTerce({
      database: pool,
      transactions: library.transactions,
      settings: SETTINGS,
      ...(handlerTimeoutMs !== undefined && { handlerTimeoutMs }),
    })
    stage.atEnd(() => terce.stop())
    const notes = async () =>
      (await pool.query('SELECT note FROM greetings ORDER BY id')).rows.map(({ note }) => note)
    return { ...library, terce, notes, pool }
  }
}

export async function all<T>(items: AsyncGenerator<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

/** Somebody whose birthday is today, and is delivered at once. */
export const born = (externalId: string) => ({
  firstName: 'Ada',
  lastName: 'Lovelace',
  dateOfBirth: `1992-${new Date().toISOString().slice(5, 10)}`,
  timezone: 'UTC',
  externalId,
  sendTodayNow: true,
})

export const completed = <Tx>(terce: Terce<Tx>) =>
  until(
    'the event is COMPLETED',
    () => all(terce.events.list({ status: 'COMPLETED' })),
    (events) => events.length > 0,
  ).then(([event]) => event!)

export function describeAdapter<Tx>(name: string, start: Start<Tx>): void {
  describe(`A transaction of ${name}`, () => {
    it('commits a person, an occasion and a task together with the row of the application', async () => {
      const { terce, transaction, insert, notes } = await start()
      const { user, occasion, task } = await transaction(async (tx) => {
        await insert(tx, 'ada signed up')
        const { user } = await terce.users.create(born('ada'), { tx })
        const due = { date: '2030-02-28', localTime: '09:30', type: 'ANNIVERSARY' }
        const occasion = await terce.occasions.create(user.id, due, { tx })
        const reminder = { userId: user.id, title: 'Call the "bank"', dueAt: '2031-05-01T10:00:00Z' }
        const task = await terce.tasks.create(reminder, { tx })
        expect((await terce.users.get(user.id, { tx })).externalId).toBe('ada')
        expect((await terce.occasions.ofUser(user.id, { tx })).items).toHaveLength(2)
        return { user, occasion, task }
      })
      expect(await terce.users.get(user.id)).toEqual(user)
      expect(await terce.occasions.get(occasion.id)).toEqual(occasion)
      expect(await terce.tasks.get(task.id)).toEqual(task)
      expect(await all(terce.events.list({}))).toHaveLength(3)
      expect(await notes()).toEqual(['ada signed up'])
    })

    it('creates or changes, changes and deletes a person, and reads instants as a plain client does', async () => {
      const { terce, transaction, insert, notes } = await start()
      const { user } = await terce.users.create(born('ada'))
      const gone = await terce.users.create(born('grace'))
      const inside = await transaction(async (tx) => {
        expect(await terce.users.get(user.id, { tx })).toEqual(user)
        const { externalId, sendTodayNow: _, ...fields } = born('ada')
        const upserted = await terce.users.upsert(externalId, { ...fields, lastName: 'Byron' }, { tx })
        expect(upserted).toMatchObject({ created: false, user: { id: user.id, lastName: 'Byron' } })
        const { user: changed } = await terce.users.change(user.id, { timezone: 'Asia/Tokyo' }, { tx })
        await terce.users.delete(gone.user.id, { tx })
        await insert(tx, 'changed')
        return changed
      })
      expect(await all(terce.users.list())).toMatchObject([inside])
      expect(inside.timezone).toBe('Asia/Tokyo')
      expect(await notes()).toEqual(['changed'])
    })

    it('leaves nothing of a person if it rolls back', async () => {
      const { terce, transaction, insert, notes } = await start()
      const failing = transaction(async (tx) => {
        await insert(tx, 'ada signed up')
        await terce.users.create(born('ada'), { tx })
        throw new Error('the application changed its mind')
      })
      await expect(failing).rejects.toThrow('changed its mind')
      expect(await all(terce.users.list())).toEqual([])
      expect(await all(terce.events.list({}))).toEqual([])
      expect(await notes()).toEqual([])
    })

    it('is usable after a conflict', async () => {
      const { terce, transaction, insert, notes } = await start()
      await transaction(async (tx) => {
        await terce.users.create(born('ada'), { tx })
        const { user: grace } = await terce.users.create(born('grace'), { tx })
        const taken = { code: 'EXTERNAL_ID_TAKEN' }
        await expect(terce.users.create(born('ada'), { tx })).rejects.toMatchObject(taken)
        const renamed = terce.users.change(grace.id, { externalId: 'ada' }, { tx })
        await expect(renamed).rejects.toMatchObject(taken)
        await insert(tx, 'done')
      })
      expect(await all(terce.users.list())).toHaveLength(2)
      expect(await notes()).toEqual(['done'])
    })

    it('rejects with a conflict, and its cause, if PostgreSQL cannot serialize it', async () => {
      const { terce, transaction, pool } = await start()
      const { user } = await terce.users.create(born('ada'))
      await pool.query(`CREATE FUNCTION conflict() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE 'could not serialize' USING ERRCODE = '40001'; END $$;
        CREATE TRIGGER conflict BEFORE UPDATE ON terce.users FOR EACH ROW EXECUTE FUNCTION conflict()`)
      const failing = transaction((tx) => terce.users.change(user.id, { lastName: 'Byron' }, { tx }))
      await expect(failing).rejects.toMatchObject({ code: 'TRANSACTION_CONFLICT', cause: { code: '40001' } })
    })

    it('keeps the writes of calls that are made at once, beside one that conflicts', async () => {
      const { terce, transaction } = await start()
      await terce.users.create(born('ada'))
      await transaction(async (tx) => {
        const names = ['grace', 'ada', 'edsger', 'ada', 'barbara']
        const results = await Promise.allSettled(names.map((name) => terce.users.create(born(name), { tx })))
        expect(results.map(({ status }) => status === 'fulfilled')).toEqual([true, false, true, false, true])
      })
      expect(await all(terce.users.list())).toHaveLength(4)
    })

    it('notifies the workers when it commits, and not before', async () => {
      const { terce, transaction, pool } = await start()
      const listener = await pool.connect()
      const heard: string[] = []
      listener.on('notification', ({ payload }) => heard.push(payload!))
      await listener.query('LISTEN terce_wake')
      try {
        await terce.users.list().next()
        await transaction(async (tx) => {
          await terce.users.create(born('ada'), { tx })
          await listener.query('SELECT 1')
          expect(heard).toEqual([])
        })
        await until(
          'the notification',
          () => heard.length,
          (count) => count > 0,
        )
      } finally {
        listener.release(true)
      }
    })
  })

  describe(`A handler with a transaction of ${name}`, () => {
    it('commits its writes together with the settlement', async () => {
      const { terce, insert, notes } = await start()
      terce.on('BIRTHDAY', async (event, { tx, attempt }) => insert(tx, `${event.type} ${attempt}`))
      await terce.start()
      await terce.users.create(born('ada'))
      expect((await completed(terce)).retryCount).toBe(0)
      expect(await notes()).toEqual(['BIRTHDAY 1'])
    })

    it('calls Terce in its transaction', async () => {
      const { terce } = await start()
      terce.on('BIRTHDAY', (event, { tx }) => terce.users.change(event.userId, { lastName: 'Byron' }, { tx }))
      await terce.start()
      const { user } = await terce.users.create(born('ada'))
      expect((await completed(terce)).retryCount).toBe(0)
      expect((await terce.users.get(user.id)).lastName).toBe('Byron')
    })

    it('leaves no write of an attempt that throws, and tries again', async () => {
      const { terce, insert, notes } = await start()
      terce.on('*', async (_, { tx, attempt }) => {
        await insert(tx, `attempt ${attempt}`)
        if (attempt < 3) throw new Error('not yet')
      })
      await terce.start()
      await terce.users.create(born('ada'))
      expect((await completed(terce)).retryCount).toBe(2)
      expect(await notes()).toEqual(['attempt 3'])
    })

    it('cannot write after its time is up', async () => {
      const { terce, insert, notes } = await start(TIMEOUT_MS)
      const late = Promise.withResolvers<unknown[]>()
      terce.on('BIRTHDAY', async (_, { tx, signal, attempt }) => {
        await insert(tx, `attempt ${attempt}`)
        if (attempt > 1) return
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        await setTimeout(100)
        const writes = [insert(tx, 'late'), terce.users.create(born('late'), { tx })]
        late.resolve(await Promise.allSettled(writes))
      })
      await terce.start()
      await terce.users.create(born('ada'))
      expect(await late.promise).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }])
      const { retryCount } = await completed(terce)
      expect(await notes()).toEqual([`attempt ${retryCount + 1}`])
      expect(await all(terce.users.list())).toHaveLength(1)
    })

    it('leaves nothing if it writes without a pause while its time runs out', async () => {
      const { terce, insert, notes } = await start(TIMEOUT_MS)
      const ended = Promise.withResolvers<void>()
      terce.on('BIRTHDAY', async (_, { tx, attempt }) => {
        if (attempt > 1) return insert(tx, `attempt ${attempt}`)
        try {
          for (;;) await insert(tx, 'late')
        } finally {
          ended.resolve()
        }
      })
      await terce.start()
      await terce.users.create(born('ada'))
      await ended.promise
      const { retryCount } = await completed(terce)
      expect(await notes()).toEqual([`attempt ${retryCount + 1}`])
    })
  })
}
