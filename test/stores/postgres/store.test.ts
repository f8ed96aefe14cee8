// What many processes and a clock of its own add to the PostgreSQL store.
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { openOnPool } from '../../../src/stores/postgres/postgres-store.ts'
import { HOUR, MINUTE, makePerson, SECOND, T0, YEAR } from '../../support/fixtures.ts'
import { query } from './support/audit.ts'
import { useStage } from './support/postgres-suite.ts'

const stage = useStage({ database: 'empty' })
const OPEN_STORES = fileURLToPath(new URL('./support/open-stores.ts', import.meta.url))
const MIGRATIONS = new URL('../../../migrations/postgres/', import.meta.url)

describe('an empty database', () => {
  it('is migrated once by twenty that start at the same time in four processes, and all of them start', async () => {
    const run = () => promisify(execFile)(process.execPath, [OPEN_STORES, stage.database(), '5'])
    const started = await Promise.all(Array.from({ length: 4 }, run))
    expect(started.map(({ stdout }) => stdout)).toEqual(['5', '5', '5', '5'])
    const migrations = await query<{ name: string }>(
      stage.database(),
      'SELECT name FROM terce.schema_migrations',
    )
    expect(migrations.map(({ name }) => name).sort()).toEqual(
      readdirSync(MIGRATIONS).filter((name) => name.endsWith('.sql')),
    )
  })
})

describe('a worker whose clock runs an hour ahead', () => {
  const claim = { limit: 10, leaseMs: MINUTE, claimedBy: 'early' }

  it('claims nothing early', async () => {
    const store = await stage.open()
    const now = await store.readClock()
    const soon = makePerson({ targetAt: Math.round(now) + 30 * MINUTE })
    const due = makePerson({ targetAt: Math.round(now) - MINUTE })
    await store.createUsers([soon, due])
    const claims = await store.claimDue({ ...claim, now: now + HOUR, render: ({ id }) => `body of ${id}` })
    expect(claims.map(({ id }) => id)).toEqual([due.events[0]!.id])
    expect(await store.claimDue({ ...claim, now: now + HOUR, render: ({ id }) => `body of ${id}` })).toEqual(
      [],
    )
  })

  it('holds what it claims for no longer than the lease by the clock of the database', async () => {
    const store = await stage.open()
    const before = await store.readClock()
    const due = makePerson({ targetAt: Math.round(before) - MINUTE })
    await store.createUsers([due])
    const [taken] = await store.claimDue({
      ...claim,
      now: before + HOUR,
      render: ({ id }) => `body of ${id}`,
    })
    const after = await store.readClock()
    expect(taken!.claimedAt).toBeGreaterThanOrEqual(before - 1)
    expect(taken!.claimedAt).toBeLessThanOrEqual(after + 1)
    const { event } = (await store.findEvent(taken!.id))!
    expect(event.wakeAt).toBeLessThanOrEqual(after + MINUTE + 1)
    expect(event.wakeAt).toBeGreaterThan(after + MINUTE - 10 * SECOND)
    const ref = { eventId: taken!.id, version: taken!.version }
    await store.extendLeases([ref], { now: before + 2 * HOUR, leaseMs: MINUTE })
    const extended = (await store.findEvent(taken!.id))!.event
    expect(extended.wakeAt).toBeLessThanOrEqual((await store.readClock()) + MINUTE + 1)
  })
})

describe('a store that goes by the clock of its caller', () => {
  it('claims an event that is due in ten years by the clock of the database, under a lease that holds', async () => {
    const pool = new pg.Pool({ connectionString: stage.database(), max: 2 })
    stage.atEnd(() => pool.end())
    const store = await openOnPool(pool, 'terce', 'caller')
    const targetAt = Math.round(await store.readClock()) + 10 * YEAR
    await store.createUsers([makePerson({ targetAt })])
    const claim = { limit: 10, leaseMs: MINUTE, claimedBy: 'test', render: () => 'body' }
    const claimAt = async (now: number) => (await store.claimDue({ ...claim, now })).length
    expect([await claimAt(targetAt - 1), await claimAt(targetAt), await claimAt(targetAt + SECOND)]).toEqual([
      0, 1, 0,
    ])
    const { items } = await store.listEvents({ limit: 1, cursor: null })
    const { id: eventId, version } = items[0]!
    await store.extendLeases([{ eventId, version }], { now: targetAt + SECOND, leaseMs: HOUR })
    expect([await claimAt(targetAt + HOUR), await claimAt(targetAt + SECOND + HOUR)]).toEqual([0, 1])
  })
})

describe('a lease that was granted before the clock of the database was set back', () => {
  it('is void', async () => {
    const store = await stage.open()
    const person = makePerson({ targetAt: T0 })
    await store.createUsers([person])
    const claim = { now: T0, limit: 10, leaseMs: MINUTE, claimedBy: 'worker', render: () => 'body' }
    const [claimed] = await store.claimDue(claim)
    const setBack = (column: string) =>
      query(stage.database(), `UPDATE terce.events SET ${column} = now() + interval '1 hour'`)
    await setBack('lease_until')
    expect(await store.claimDue({ ...claim, now: Date.now() })).toEqual([])
    await setBack('claimed_at')
    expect(await store.claimDue({ ...claim, now: Date.now() })).toMatchObject([
      { id: claimed!.id, version: claimed!.version + 1, reclaimed: true },
    ])
    const past = await query<{ attempts: number }>(
      stage.database(),
      'SELECT count(*)::int AS attempts FROM terce.attempts WHERE finished_at <= now() AND started_at <= now()',
    )
    expect(past).toEqual([{ attempts: 1 }])
  })
})
