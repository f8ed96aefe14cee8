// The check of closed days. lies.test.ts has every single alteration that it finds.
import { expect, it } from 'vitest'
import { checkLedger } from '../../../src/app/ledger/check-ledger.ts'
import { webCryptoSigner } from '../../../src/runtimes/config/signer.ts'
import { openClosedDays } from './support/closed-days.ts'
import { createKey, sealDay } from './support/sealed-days.ts'

type Opened = Awaited<ReturnType<typeof openClosedDays>>

const check = ({ store }: Pick<Opened, 'store'>, days = 30) =>
  checkLedger({ store, signer: webCryptoSigner }, days)

it('finds nothing wrong with days as they were closed, nor with a day that is not closed', async () => {
  const opened = await openClosedDays()
  await opened.saveLines('2026-11-17', opened.linesFor('2026-11-17', ['open']))
  expect(await check(opened)).toEqual([])
  expect(await check(opened, 2)).toEqual([])
})

it('finds nothing wrong with an empty ledger', async () => {
  const { store, db } = await openClosedDays()
  db.exec('DELETE FROM ledger_days')
  expect(await check({ store })).toEqual([])
})

it('finds nothing wrong with lines of people who were erased, of which one was delivered late', async () => {
  const { store, db, closeDay, linesFor } = await openClosedDays()
  const lines = linesFor('2026-11-17', ['delivered', 'delivered', 'excused'])
  const late = lines.find(({ column }) => column === 'delivered')!
  await closeDay('2026-11-17', lines, { late: 1 })
  expect(await check({ store })).toEqual(['The account of 2026-11-17 says late 1, and its lines give 0.'])
  db.exec(`UPDATE ledger_lines SET occasion_id = NULL, event_id = NULL, occurrence = NULL, due_at = NULL,
    settled_at = NULL, attempt = NULL, entry = NULL, because = NULL, salt = NULL
    WHERE commitment = '${late.commitment}'`)
  expect(await check({ store })).toEqual([])
})

it('finds nothing wrong with days whose lines were pruned, also while some of them are left', async () => {
  const { store, db, closeDay, linesFor } = await openClosedDays()
  for (let day = 17; day <= 24; day++)
    await closeDay(`2026-11-${day}`, linesFor(`2026-11-${day}`, ['delivered']))
  const prune = { linesBefore: '2026-11-16', entriesBefore: 0, at: 1_000 }
  expect(await store.pruneLedger({ ...prune, limit: 7 })).toBe(7)
  expect(await check({ store })).toEqual([])
  expect(await store.pruneLedger({ ...prune, limit: 7 })).toBe(3)
  expect(await check({ store })).toEqual([])
  db.exec(`UPDATE ledger_days SET expected = 4 WHERE day = '2026-11-15'`)
  expect(await check({ store })).toEqual([
    '2026-11-16 does not continue 2026-11-15: one of them was altered or replaced.',
    'The signature of 2026-11-15 does not fit its header: a count, the root or a date was altered.',
  ])
})

it('finds a day that was replaced and signed with another key', async () => {
  const { store, db, sealed } = await openClosedDays()
  const [, before, last] = sealed
  const other = await createKey()
  const forged = await sealDay(other, last!.lines, {
    day: '2026-11-16',
    before: before!,
    change: { people: 7 },
  })
  db.exec(
    `UPDATE ledger_days SET people = 7, signature = '${forged.signature}', public_key = '${other.publicKey}'
     WHERE day = '2026-11-16'`,
  )
  expect(await check({ store })).toEqual([
    '2026-11-16 is signed with another key than those of the installation.',
  ])
})
