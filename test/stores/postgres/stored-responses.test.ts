// Answers to requests with idempotency keys are kept, forgotten and erased at the same time: nobody stands in the way.
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { saveOf } from '../../contracts/store/occasion-fixtures.ts'
import { makeOccasion, makePerson } from '../../support/fixtures.ts'
import { until } from '../../support/until.ts'
import { useStage } from './support/postgres-suite.ts'

const stage = useStage()

const responseAt = (at: number, key: string, body: string) => {
  return { key, fingerprint: 'f', status: 201, body, createdAt: at, forgetBefore: at }
}

describe('a request with a key', () => {
  it('does not wait for an old response that another is about to erase, and leaves it', async () => {
    const store = await stage.open()
    const person = makePerson()
    await store.createUsers([person], responseAt(1, 'old', 'Ada'))
    const other = new pg.Client(stage.database())
    await other.connect()
    stage.atEnd(() => other.end())
    await other.query(`BEGIN; SELECT 1 FROM terce.responses WHERE key = 'old' FOR UPDATE`)
    const [one, two, three] = Array.from({ length: 3 }, () => makeOccasion(person.user))
    expect(await store.saveOccasion(saveOf(one!), responseAt(2, 'new', one!.id))).toBe('saved')
    const created = await store.createUsers([makePerson()], responseAt(2, 'newer', 'Grace'))
    expect(created).toEqual({ kind: 'created', created: 1 })
    expect(await store.findResponse('old', 0)).not.toBeNull()
    // Its own key is waited for: once the old response is gone for good, the key is free.
    const again = store.saveOccasion(saveOf(two!), responseAt(3, 'old', two!.id))
    await other.query('COMMIT')
    expect(await again).toBe('saved')
    expect(await store.findResponse('old', 0)).toMatchObject({ body: two!.id })
    await store.saveOccasion(saveOf(three!), responseAt(4, 'last', three!.id))
    const kept = await Promise.all(['new', 'newer', 'old', 'last'].map((key) => store.findResponse(key, 0)))
    expect(kept.map((response) => response?.body ?? null)).toEqual([null, null, null, three!.id])
  })

  it('has its response erased with a person in order of key, so that two deletions do not deadlock', async () => {
    const store = await stage.open()
    const person = makePerson()
    const keys = ['a', 'b', 'c', 'd', 'e']
    for (const key of keys.toReversed())
      await store.createUsers([person, makePerson()], responseAt(1, key, 'Ada'))
    const other = new pg.Client(stage.database())
    await other.connect()
    stage.atEnd(() => other.end())
    await other.query(`BEGIN; SELECT 1 FROM terce.responses WHERE key = 'a' FOR UPDATE`)
    const deleted = store.deleteUser(person.user.id, 2)
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
    const look = () => other.query(waiting)
    await until('the deletion waits for a response', look, ({ rowCount }) => rowCount! > 0)
    const free = await other.query('SELECT key FROM terce.responses ORDER BY key FOR UPDATE SKIP LOCKED')
    expect(free.rows.map(({ key }) => key)).toEqual(keys)
    await other.query('COMMIT')
    expect(await deleted).toBe(true)
  })
})
