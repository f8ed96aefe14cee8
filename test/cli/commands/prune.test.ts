// `terce prune`: --dry-run counts, and only without it are events and ended sessions deleted.
import { describe, expect, it } from 'vitest'
import { createAudit } from '../../../src/app/access/audit.ts'
import { addPrune } from '../../../src/cli/commands/prune.ts'
import { claimAt, create, delivered } from '../../contracts/store/steps.ts'
import { clockAt, DAY, HOUR, makePerson, newId, T0, YEAR } from '../../support/fixtures.ts'
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
