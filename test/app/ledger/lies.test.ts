// The ledger finds each lie: rows that were altered without the engine and without the store.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeDays } from '../../../src/app/ledger/close-days.ts'
import { linesOf } from '../../../src/app/ledger/stored-day.ts'
import { DAY, type Installation, openInstallation } from './support/installation.ts'
import { LIES_ABOUT_OUTCOMES } from './support/lies/outcomes.ts'
import { LIES_ABOUT_ROWS } from './support/lies/rows.ts'
import { LIES_ABOUT_STATES } from './support/lies/states.ts'

let installation: Installation
beforeAll(async () => {
  installation = await openInstallation()
})
afterAll(() => installation.stop())

/** Closes the day. Returns its unexplained and surplus lines: column and reason, in order. */
async function closeDay(): Promise<string[]> {
  const { store, deps } = installation
  await closeDays(deps)
  const found: string[] = []
  for await (const { column, reason } of linesOf(store, DAY))
    if (column === 'unexplained' || column === 'surplus') found.push(`${column} ${reason}`)
  return found.sort()
}

it('finds nothing where nobody lies', () =>
  installation.undone(async () => {
    expect(await closeDay()).toEqual([])
    const days = await installation.store.listLedgerDays({ limit: 10 })
    expect(days.map(({ day, unexplained, surplus }) => ({ day, unexplained, surplus }))).toEqual(
      ['12', '11', '10', '09', '08'].map((day) => ({ day: `2027-03-${day}`, unexplained: 0, surplus: 0 })),
    )
    expect(days[0]).toMatchObject({ owed: 12, delivered: 10, failed: 1, excused: 1, open: 0 })
  }))

describe.each([
  ['rows', LIES_ABOUT_ROWS],
  ['outcomes', LIES_ABOUT_OUTCOMES],
  ['states', LIES_ABOUT_STATES],
])('a lie about %s is found', (_, lies) => {
  it.each(lies)('$lie', ({ of, sql, found }) =>
    installation.undone(async () => {
      installation.alter(of, sql)
      expect(await closeDay()).toEqual(found)
      const [day] = await installation.store.listLedgerDays({ from: DAY, to: DAY, limit: 1 })
      expect(day!.unexplained + day!.surplus).toBe(found.length)
    }),
  )
})
