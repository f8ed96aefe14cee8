// Promises about `terce prune`: --dry-run counts what would go, and only without it does anything go.
import { describe, expect, it } from 'vitest'
import { addPrune } from '../../../src/cli/commands/prune.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { claimAt, create, delivered } from '../../contracts/store/steps.ts'
import { makePerson, T0, YEAR } from '../../support/fixtures.ts'
import { statuses } from '../support/deliveries.ts'
import { useDatabase } from '../support/in-process.ts'

const database = useDatabase(addPrune)
const prune = (...args: string[]) => database.terce(['prune', '--older-than', '30d', ...args])

/** Somebody greeted in three years. */
async function greetThrice(): Promise<void> {
  const store = openSqliteStore(database.path)
  await create(store, makePerson({ targetAt: T0 - 2 * YEAR }))
  for (const at of [T0 - 2 * YEAR, T0 - YEAR, T0])
    await store.settle((await claimAt(store, at)).map((claim) => delivered(claim)))
  await store.close()
}

describe('terce prune', () => {
  it('counts with --dry-run, then removes as many, and keeps the latest', async () => {
    await greetThrice()
    expect(await prune('--dry-run')).toEqual({
      code: 0,
      stdout: '',
      stderr: '2 settled events would be removed.\n',
    })
    expect(JSON.parse((await prune('--dry-run', '--json')).stdout)).toEqual({
      found: 2,
      removed: 0,
      dryRun: true,
    })
    expect(await prune('--json')).toMatchObject({ code: 0, stderr: '' })
    expect(await prune()).toEqual({ code: 0, stdout: '', stderr: '0 settled events removed.\n' })
  })

  it('removes nothing that was settled since', async () => {
    await greetThrice()
    await database.terce(['prune', '--older-than', '36500d'])
    const store = openSqliteStore(database.path)
    expect((await store.listEvents({ limit: 10, cursor: null })).items).toHaveLength(4)
    await store.close()
  })

  it('refuses what is no length of time, with exit code 2', async () => {
    const { code, stderr } = await database.terce(['prune', '--older-than', 'ever'])
    expect([code, stderr]).toEqual([2, 'terce: --older-than ever is not usable. Give a time such as 90d.\n'])
    await expect(statuses(database.path)).resolves.toEqual({})
  })
})
