// The journal entry that explains a line.
import { expect, it } from 'vitest'
import { explainLines } from '../../../src/app/ledger/read-ledger.ts'
import { makeLine, type StoredLine } from '../../../src/domain/ledger/line.ts'
import type { Timezone } from '../../../src/domain/time/timezone.ts'
import { tzdb } from '../../../src/domain/time/tzdb.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { accountOf } from '../../contracts/store/steps.ts'
import { makePerson, T0 } from '../../support/fixtures.ts'

it('explains lines by a change, a limit, a deletion, and none by an entry that was pruned', async () => {
  const store = openSqliteStore(':memory:')
  const [moved, deleted] = [makePerson({ timezone: 'Europe/Berlin' }), makePerson()]
  await store.createUsers([moved, deleted])
  const user = { ...moved.user, timezone: 'Asia/Jakarta' as Timezone, updatedAt: T0, version: 2 }
  expect(await store.updateUser({ user, reschedules: null })).toBe('updated')
  await store.recordLimits({ '*': 3_600_000 }, T0)
  await store.deleteUser(deleted.user.id, T0)

  const occasionId = moved.occasions[0]!.id
  const account = await accountOf(store, { occasionId, eventsFrom: T0, carriedFrom: null })
  const [limits] = (await store.readJournal({ kinds: ['limits-changed'], from: 0 })).entries
  const [deletion] = (await store.readJournal({ kinds: ['person-deleted'], from: 0 })).entries
  const lineOf = (entry: number, of: string | null): StoredLine => ({
    ...makeLine('excused', 'CHANGED', { occasionId: of, entry }),
    ...{ day: '2020-06-01', number: 1 },
  })
  const lines = await explainLines({ store, planner: { table: tzdb } }, [
    lineOf(account!.changes[0]!.number, occasionId),
    lineOf(limits!.number, occasionId),
    lineOf(deletion!.number, null),
    lineOf(4_000, occasionId),
  ])
  expect(lines.map(({ evidence }) => evidence?.text ?? null)).toEqual([
    'Moved from Europe/Berlin to Asia/Jakarta.',
    'A worker was started with the limits of lateness all types PT1H.',
    'The person was deleted.',
    null,
  ])
  await store.close()
})
