// Changes enqueued by SQL: each is applied once, in the order of its person, by the rules of the API.
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { applyEnqueued } from '../../../src/api/enqueue.ts'
import { deleteUser } from '../../../src/app/users/bulk.ts'
import { query } from '../../stores/postgres/support/audit.ts'
import { useStage } from '../../stores/postgres/support/postgres-suite.ts'
import {
  drain,
  drainDeps,
  enqueueDeletion,
  enqueued,
  enqueueTask,
  enqueueUser,
  errors,
  person,
  task,
} from './support/draining.ts'

const stage = useStage()
const url = () => stage.database()
const sql = (...statements: string[]) => query(url(), statements.join(';'))

async function opened() {
  const store = await stage.open()
  return { store, deps: drainDeps(store) }
}

describe('an enqueued person', () => {
  it('is created with the first event of the birthday, and removed from the queue', async () => {
    const { store, deps } = await opened()
    await sql(enqueueUser(person('42', { email: 'ada@example.com' })))
    await drain(deps)
    const [user] = await store.findUsersByExternalId(['42'])
    expect(user).toMatchObject({ firstName: 'Ada', email: 'ada@example.com', timezone: 'Europe/London' })
    expect((await store.readPerson(user!.id))!.plans).toMatchObject([{ open: { status: 'PENDING' } }])
    expect(deps.planned).toHaveLength(1)
    expect(await enqueued(url())).toEqual([])
    expect(deps.notices).toContainEqual({ kind: 'enqueued', applied: 1, rejected: [] })
  })

  it('is changed if they exist, and their event moves with them', async () => {
    const { store, deps } = await opened()
    await sql(enqueueUser(person('42')))
    await drain(deps)
    const [before] = await store.findUsersByExternalId(['42'])
    const was = (await store.readPerson(before!.id))!.plans[0]!.open!
    await sql(enqueueUser(person('42', { timezone: 'Asia/Tokyo' })))
    await drain(deps)
    const after = (await store.readPerson(before!.id))!
    expect(after.user).toMatchObject({ timezone: 'Asia/Tokyo', version: 2 })
    expect(after.plans[0]!.open).toMatchObject({ id: was.id, timezone: 'Asia/Tokyo' })
  })

  it('has the last of several changes, whether they are drained together or apart', async () => {
    const { store, deps } = await opened()
    const change = (name: string) => enqueueUser(person('42', { firstName: name }))
    await sql(change('Ann'), change('Bea'), change('Cleo'))
    await drain(deps)
    await sql(change('Dora'), change('Eve'))
    await drain(deps)
    expect(await store.findUsersByExternalId(['42'])).toMatchObject([{ firstName: 'Eve', version: 5 }])
  })

  it.each([1, 200])(
    'who is deleted is erased, is in the audit log, and can be created again, in batches of %i',
    async (limit) => {
      const { store, deps } = await opened()
      deps.enqueued = {
        ...store,
        applyEnqueued: (claim, apply) => store.applyEnqueued({ ...claim, limit }, apply),
      }
      await sql(enqueueUser(person('42')), enqueueTask(task('42')))
      await drain(deps)
      const [first] = await store.findUsersByExternalId(['42'])
      await sql(
        enqueueUser(person('42', { lastName: 'King' })),
        enqueueDeletion('42'),
        enqueueUser(person('42')),
      )
      await drain(deps)
      const [second] = await store.findUsersByExternalId(['42'])
      expect(second).toMatchObject({ lastName: 'Lovelace', version: 1 })
      expect(second!.id).not.toBe(first!.id)
      expect(deps.audited).toMatchObject([
        { actor: 'sql', action: 'person.erased', object: { kind: 'user', id: first!.id } },
      ])
    },
  )

  it('who does not exist is deleted without a problem', async () => {
    const { deps } = await opened()
    await sql(enqueueDeletion('nobody'))
    await drain(deps)
    expect(await enqueued(url())).toEqual([])
    expect(deps.audited).toEqual([])
  })

  it('is created with the tasks that are enqueued in the same transaction', async () => {
    const { store, deps } = await opened()
    const people = ['a', 'b', 'c']
    await sql(
      ...people.flatMap((id) => [enqueueUser(person(id)), enqueueTask(task(id, { quietHours: null }))]),
    )
    await drain(deps)
    const { items } = await store.listTasks({ limit: 9, cursor: null })
    expect(items.map(({ externalId }) => externalId).sort()).toEqual(people)
    expect(await enqueued(url())).toEqual([])
  })
})

describe('an invalid change', () => {
  it('of a person keeps every problem of its fields, in the words of the API', async () => {
    const { store, deps } = await opened()
    await sql(
      enqueueUser(person('42', { location: 'Jakarta', timezone: undefined, dateOfBirth: 'soon', note: 1 })),
    )
    await drain(deps)
    expect(await errors(url())).toMatchObject([
      {
        external_id: '42',
        operation: 'upsertUser',
        code: 'INVALID_INPUT',
        detail: 'See "problems" for each invalid field.',
        problems: expect.arrayContaining([
          expect.objectContaining({ field: 'location', code: 'UNKNOWN_TIMEZONE' }),
          expect.objectContaining({ field: 'dateOfBirth', code: 'INVALID_DATE' }),
          expect.objectContaining({ field: 'note', code: 'UNKNOWN_FIELD' }),
        ]),
        rejected_at: expect.any(Date),
      },
    ])
    expect(await store.findUsersByExternalId(['42'])).toEqual([])
    expect(deps.notices).toContainEqual({ kind: 'enqueued', applied: 0, rejected: [expect.any(Number)] })
  })

  it.each([
    [task('nobody'), 'USER_NOT_FOUND', null],
    [task('42', { dueAt: 'tomorrow' }), 'INVALID_INPUT', 'INVALID_INSTANT'],
    [task('42', { title: 7 }), 'INVALID_INPUT', 'WRONG_TYPE'],
    [task('42', { userId: 'x' }), 'INVALID_INPUT', 'UNKNOWN_FIELD'],
  ])('of a task keeps its problem: %j', async (body, code, field) => {
    const { store, deps } = await opened()
    await sql(enqueueUser(person('42')), enqueueTask(body))
    await drain(deps)
    expect(await errors(url())).toMatchObject([{ code, problems: field && [{ code: field }] }])
    expect((await store.listTasks({ limit: 9, cursor: null })).items).toEqual([])
  })

  it('is not tried again, and delays no other change of its person', async () => {
    const { store, deps } = await opened()
    await sql(
      enqueueUser(person('42', { timezone: 'Nowhere' })),
      enqueueDeletion('7'),
      enqueueUser(person('7')),
    )
    await drain(deps)
    await drain(deps)
    expect(deps.notices.filter(({ kind }) => kind === 'enqueued')).toHaveLength(1)
    expect(await store.findUsersByExternalId(['7'])).toHaveLength(1)
  })

  it('disappears when a corrected one is applied, and the problems of others stay', async () => {
    const { store, deps } = await opened()
    const bad = { timezone: 'Nowhere' }
    await sql(enqueueUser(person('42', bad)), enqueueUser(person('7', bad)))
    await drain(deps)
    await sql(`WITH bad AS (DELETE FROM terce.enqueued_changes WHERE external_id = '42' RETURNING body)
      SELECT terce.enqueue_user(body || '{"timezone": "Asia/Jakarta"}') FROM bad`)
    await sql(enqueueUser(person('7', bad)), enqueueUser(person('7')))
    await drain(deps)
    expect(await errors(url())).toEqual([])
    expect(await store.findUsersByExternalId(['7', '42'])).toHaveLength(2)
  })

  it('is erased with its person, by SQL and by the API', async () => {
    const { store, deps } = await opened()
    await sql(
      ...['sql', 'api'].flatMap((id) => [enqueueUser(person(id)), enqueueTask(task(id, { dueAt: '?' }))]),
    )
    await sql(enqueueUser(person('rejected', { dateOfBirth: '?' })))
    await drain(deps)
    expect(await errors(url())).toHaveLength(3)
    await sql(enqueueDeletion('sql'), enqueueDeletion('rejected'))
    await drain(deps)
    expect((await errors(url())).map(({ external_id }) => external_id)).toEqual(['api'])
    await sql(
      enqueueUser(person('api', { lastName: 'King' })),
      enqueueUser(person('\u00a0api', { dateOfBirth: '?' })),
    )
    const [user] = await store.findUsersByExternalId(['api'])
    await deleteUser({ store, clock: { now: Date.now } }, user!.id)
    expect(await enqueued(url())).toEqual([])
  })

  it('is pruned like old events', async () => {
    const { store, deps } = await opened()
    await sql(enqueueDeletion('7'), enqueueUser(person('42', { dateOfBirth: '?' })))
    await drain(deps)
    await sql(enqueueUser(person('43')))
    await store.prune({ before: Date.now() - 60_000, limit: 9 })
    expect(await enqueued(url())).toHaveLength(2)
    await store.prune({ before: Date.now() + 60_000, limit: 9 })
    expect((await enqueued(url())).map(({ external_id }) => external_id)).toEqual(['43'])
  })
})

describe('a change that fails with an unexpected error', () => {
  const poison = `CREATE FUNCTION poison() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN IF NEW.external_id = 'poison' THEN RAISE 'Ada'; END IF; RETURN NEW; END $$;
    CREATE TRIGGER poison BEFORE INSERT ON terce.users FOR EACH ROW EXECUTE FUNCTION poison()`

  it('delays only the later changes of its person, and is tried again after a while', async () => {
    const { store, deps } = await opened()
    await sql(poison)
    const ids = Array.from({ length: 20 }, (_, i) => `${i}`)
    await sql(...ids.slice(0, 10).map((id) => enqueueUser(person(id))), enqueueUser(person('poison')))
    await sql(enqueueTask(task('poison')), ...ids.slice(10).map((id) => enqueueUser(person(id))))
    await drain(deps)
    expect(await store.findUsersByExternalId(ids)).toHaveLength(20)
    expect(await enqueued(url())).toMatchObject([
      { external_id: 'poison', operation: 'upsertUser', problem: { code: 'INTERNAL' }, rejected_at: null },
      { external_id: 'poison', operation: 'createTask', failures: 0, problem: null },
    ])
    expect(await errors(url())).toMatchObject([
      {
        code: 'INTERNAL',
        detail: 'Applying the change failed: P0001.',
        retry_at: expect.any(Date),
      },
    ])
    const retryAt = (await store.enqueuedState()).retryAt!
    expect(retryAt).toBeGreaterThan(Date.now() - 60_000)
    await sql(
      'DROP TRIGGER poison ON terce.users',
      `UPDATE terce.enqueued_changes SET retry_at = now() WHERE failures > 0`,
    )
    await drain(deps)
    expect(await enqueued(url())).toEqual([])
    expect((await store.listTasks({ limit: 9, cursor: null })).items).toHaveLength(1)
  })

  it('is rejected after twenty failures, and the later changes of its person go on', async () => {
    const { store, deps } = await opened()
    await sql(poison, enqueueUser(person('poison')), enqueueDeletion('other'), enqueueTask(task('poison')))
    await drain(deps)
    await sql('UPDATE terce.enqueued_changes SET failures = 19, retry_at = now() WHERE failures > 0')
    await drain(deps)
    expect((await errors(url())).map(({ code }) => code)).toEqual(['INTERNAL', 'USER_NOT_FOUND'])
    expect(await store.enqueuedState()).toEqual({ isPending: false, retryAt: null })
  })

  it('waits for a person that a long transaction of the application holds, and delays no other', async () => {
    const { store, deps } = await opened()
    await sql(enqueueUser(person('held')))
    await drain(deps)
    const client = new pg.Client(url())
    await client.connect()
    stage.atEnd(() => client.end())
    await client.query(`BEGIN; SELECT id FROM terce.users WHERE external_id = 'held' FOR UPDATE`)
    await sql(enqueueUser(person('held', { firstName: 'Bea' })), enqueueUser(person('free')))
    await drain(deps)
    expect(await store.findUsersByExternalId(['free'])).toHaveLength(1)
    await sql('UPDATE terce.enqueued_changes SET failures = 99, retry_at = now()')
    await drain(deps)
    expect(await errors(url())).toMatchObject([
      {
        detail: 'Another transaction holds the rows (55P03).',
        rejected_at: null,
        retry_at: expect.any(Date),
      },
    ])
    await client.query('COMMIT')
    await sql('UPDATE terce.enqueued_changes SET retry_at = now()')
    await drain(deps)
    expect(await store.findUsersByExternalId(['held'])).toMatchObject([{ firstName: 'Bea' }])
  })
})

describe('two workers at once', () => {
  it('apply each change once, and those of one person in order', async () => {
    const stores = [await stage.open(), await stage.open()]
    const seen: string[] = []
    const workers = stores.map((store) =>
      drainDeps(store, async (app, changes) => {
        const outcomes = await applyEnqueued(app, changes)
        seen.push(...changes.map(({ id }) => String(id)))
        return outcomes
      }),
    )
    const total = 120
    const people = 10
    for (let i = 0; i < total; i += 30) {
      const some = Array.from({ length: 30 }, (_, j) =>
        enqueueUser(person(`${(i + j) % people}`, { firstName: `N${String(i + j).padStart(3, '0')}` })),
      )
      await Promise.all([sql(...some), ...workers.map(drain)])
    }
    await Promise.all(workers.map(drain))
    expect(workers.flatMap(({ notices }) => notices).filter(({ kind }) => kind === 'error')).toEqual([])
    expect(seen.length).toBe(total)
    expect(new Set(seen).size).toBe(total)
    const users = await stores[0]!.findUsersByExternalId(Array.from({ length: people }, (_, i) => `${i}`))
    const last = users.map(({ externalId, firstName, version }) => [Number(externalId), firstName, version])
    const expected = Array.from({ length: people }, (_, i) => [i, `N${total - people + i}`, total / people])
    expect(last.sort((a, b) => Number(a[0]) - Number(b[0]))).toEqual(expected)
  })

  it('leave the later changes of a person alone while the first is being applied', async () => {
    const [first, second] = [await stage.open(), await stage.open()]
    await sql(enqueueUser(person('42')), enqueueUser(person('7')))
    const other = drainDeps(second)
    await first.applyEnqueued({ limit: 1, failed: false }, async (changes) => {
      expect(changes).toHaveLength(1)
      await sql(enqueueUser(person('42', { firstName: 'Bea' })))
      await drain(other)
      return [{ kind: 'applied' }]
    })
    expect(await second.findUsersByExternalId(['7', '42'])).toMatchObject([{ externalId: '7' }])
    await drain(other)
    expect(await second.findUsersByExternalId(['42'])).toMatchObject([{ firstName: 'Bea' }])
  })
})
