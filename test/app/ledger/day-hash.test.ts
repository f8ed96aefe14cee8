// The hash of a closed day: recomputed from the rows, it shows what was altered. An erasure does not change it.
import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { recomputeHash } from '../../../src/app/ledger/day-hash.ts'
import { openClosedDays } from './support/closed-days.ts'

type Opened = Awaited<ReturnType<typeof openClosedDays>>

/** The days whose rows do not give their hash, the oldest first. */
async function altered({ store }: Pick<Opened, 'store'>): Promise<string[]> {
  const found: string[] = []
  for (const day of (await store.listLedgerDays({ limit: 100 })).reverse())
    if (day.closedAt !== null && (await recomputeHash(store, day)) !== day.hash) found.push(day.day)
  return found
}

const sha256 = (content: unknown[]) => createHash('sha256').update(JSON.stringify(content)).digest('hex')

it('is the SHA-256 of the day before, of each line and of the counts, as documented', async () => {
  const { store, closed } = await openClosedDays()
  const [first, second] = closed
  let hash = first!.day.hash
  for (const { number, column, reason } of second!.lines) hash = sha256([hash, number, column, reason])
  const { people, owed, delivered, late, early, failed, excused, open, unexplained, surplus, carried } =
    second!.day
  const counts = [people, owed, delivered, late, early, failed, excused, open, unexplained, surplus, carried]
  const [day] = await store.listLedgerDays({ from: '2026-11-15', to: '2026-11-15', limit: 1 })
  expect(day!.hash).toBe(sha256([hash, '2026-11-15', ...counts]))
})

it('fits days as they were closed, and an erasure does not change it', async () => {
  const opened = await openClosedDays()
  await opened.saveLines('2026-11-17', opened.linesFor('2026-11-17', ['open']))
  expect(await altered(opened)).toEqual([])
  await opened.store.deleteUser(opened.person.user.id, Date.parse('2026-11-18'))
  const { items } = await opened.store.listLedgerLines({ day: '2026-11-15', limit: 9, cursor: null })
  expect(items.map(({ occasionId }) => occasionId)).toEqual(Array(5).fill(null))
  expect(await altered(opened)).toEqual([])
})

it('cannot be recomputed once the lines were pruned, and the day after still fits', async () => {
  const { store, closeDay, linesFor } = await openClosedDays()
  for (const day of ['2026-11-17', '2026-11-18']) await closeDay(day, linesFor(day, ['delivered']))
  await store.pruneLedger({ linesBefore: '2026-11-15', entriesBefore: 0, at: 1_000, limit: 7 })
  const [pruned] = await store.listLedgerDays({ to: '2026-11-14', limit: 1 })
  expect(await recomputeHash(store, pruned!)).toBeNull()
  expect(await altered({ store })).toEqual(['2026-11-14'])
})

const DAY = `WHERE day = '2026-11-15'`

it.each([
  ['the column of a line is altered', `UPDATE ledger_lines SET place = 'failed' ${DAY} AND number = 2`, 15],
  ['a line is removed', `DELETE FROM ledger_lines ${DAY} AND number = 2`, 15],
  ['a count is altered', `UPDATE ledger_days SET late = 1 ${DAY}`, 15],
  ['the day before is removed', `DELETE FROM ledger_days ${DAY}`, 16],
])('does not fit once %s', async (_, sql, day) => {
  const opened = await openClosedDays()
  opened.db.exec(sql)
  expect(await altered(opened)).toEqual([`2026-11-${day}`])
})
