// `terce prune`: --dry-run counts, and only without it are events and ended sessions deleted.
import { describe, expect, it } from 'vitest'
import { createAudit } from '../../../src/app/access/audit.ts'
import { addPrune } from '../../../src/cli/commands/prune.ts'
import { ACCOUNTED } from '../../../src/domain/ledger/day.ts'
import { closedDay, linesOf } from '../../app/ledger/support/ledger-days.ts'
import { claimAt, create, delivered } from '../../contracts/store/steps.ts'
import { DAY, HOUR, makePerson, newId, T0, YEAR } from '../../support/fixtures.ts'
import { statuses } from '../support/deliveries.ts'
import { useDatabase } from '../support/in-process.ts'

const database = useDatabase(addPrune)
const prune = (...args: string[]) => database.terce(['prune', '--older-than', '30d', ...args])

/** One person whose messages of three years were delivered. */
async function deliverThreeYears(): Promise<void> {
  const store = database.open()
  await create(store, makePerson({ targetAt: T0 - 2 * YEAR }))
  for (const at of [T0 - 2 * YEAR, T0 - YEAR, T0])
    await store.settle((await claimAt(store, at)).map((claim) => delivered(claim)))
}

describe('terce prune', () => {
  it('counts with --dry-run, then deletes as many and keeps the latest settled event', async () => {
    await deliverThreeYears()
    expect(await prune('--dry-run')).toEqual({
      code: 0,
      stdout: '',
      stderr: '2 settled events would be deleted.\n',
    })
    expect(JSON.parse((await prune('--dry-run', '--json')).stdout)).toEqual({
      found: 2,
      removed: 0,
      dryRun: true,
    })
    expect(await prune('--json')).toMatchObject({ code: 0, stderr: '' })
    expect(await prune()).toEqual({ code: 0, stdout: '', stderr: '0 settled events deleted.\n' })
  })

  it('deletes no event that is younger than --older-than', async () => {
    await deliverThreeYears()
    await database.terce(['prune', '--older-than', '36500d'])
    const store = database.open()
    expect((await store.listEvents({ limit: 10, cursor: null })).items).toHaveLength(4)
  })

  it('keeps events that the account of a day which is not closed needs, and says so', async () => {
    await deliverThreeYears()
    const store = database.open()
    const day = (at: number) => new Date(at).toISOString().slice(0, 10)
    await store.openLedgerDay({ day: day(T0 - YEAR), startedAt: T0 - YEAR })
    const keptSince = `${day(T0 - YEAR - 9 * DAY)}T00:00:00.000Z`
    expect(JSON.parse((await prune('--dry-run', '--json')).stdout)).toMatchObject({ found: 1, keptSince })
    expect(await prune()).toEqual({
      code: 0,
      stdout: '',
      stderr: `1 settled event deleted.\nEvents settled since ${keptSince} stay until the ledger has closed more days.\n`,
    })
  })

  it('removes the lines of old days of the ledger and keeps the days, not with --dry-run', async () => {
    const store = database.open()
    const [day, today] = ['2026-01-01', new Date().toISOString().slice(0, 10)]
    const person = makePerson()
    await create(store, person)
    const lines = linesOf(day, ['delivered', 'failed'], person.occasions[0]!.id)
    for (const one of [day, today]) await store.openLedgerDay({ day: one, startedAt: 0 })
    await store.saveAccountPage({ day, from: null, to: ACCOUNTED, people: 1, lines, newlySeen: [] })
    await store.closeLedgerDay(closedDay(day, lines))
    const left = async () => (await store.listLedgerLines({ day, limit: 9, cursor: null })).items.length
    const prunedAt = async () => (await store.listLedgerDays({ to: day, limit: 1 }))[0]!.prunedAt
    await prune('--dry-run')
    expect([await left(), await prunedAt()]).toEqual([2, null])
    await prune()
    expect([await left(), await prunedAt()]).toEqual([0, expect.any(Number)])
  })

  it('deletes sessions that ended, and no other', async () => {
    const store = database.open()
    const session = (id: string, lastUsedAt: number) =>
      store.createSession({ id, hash: id, keyId: 'k', createdAt: lastUsedAt, lastUsedAt })
    const now = Date.now()
    await session(newId(T0), now - 13 * HOUR)
    const live = newId(T0)
    await session(live, now - HOUR)
    await prune('--dry-run')
    expect(await store.listSessions()).toHaveLength(2)
    await prune()
    expect((await store.listSessions()).map(({ id }) => id)).toEqual([live])
  })

  it('deletes entries of the audit log that are older than AUDIT_RETENTION, and records how many', async () => {
    const store = database.open()
    const clockAt = (at: number) => ({ now: () => at, after: () => ({ cancel() {} }) })
    for (const age of [500, 450, 300]) {
      const clock = clockAt(Date.now() - age * DAY)
      const object = { kind: 'key', id: `${age}` }
      await createAudit({ store, clock, telemetry() {} }).record({
        ...{ actor: 'cli', address: null, action: 'key.created', object },
      })
    }
    const left = async () =>
      (await store.listAuditEntries({ limit: 10, before: null }))
        .reverse()
        .map(({ action, objectId }) => [action, objectId])
    await prune('--dry-run')
    expect(await left()).toHaveLength(3)
    await prune()
    expect(await left()).toEqual([
      ['key.created', '300'],
      ['audit.pruned', null],
    ])
    await database.terce(['prune', '--older-than', '30d'], {
      DATABASE_URL: `sqlite:${database.path}`,
      AUDIT_RETENTION: '30d',
    })
    expect((await left()).map(([action]) => action)).not.toContain('key.created')
  })

  it('exits with 2 if --older-than is not a duration', async () => {
    const { code, stderr } = await database.terce(['prune', '--older-than', 'ever'])
    expect([code, stderr]).toEqual([
      2,
      'terce: --older-than ever is not usable. Use a duration such as 90d.\n',
    ])
    await expect(statuses(database.path)).resolves.toEqual({})
  })
})
