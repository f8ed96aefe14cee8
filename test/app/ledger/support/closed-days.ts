// A store whose ledger has closed days with given lines.
import type { LedgerColumn, StoredLine } from '../../../../src/domain/ledger/line.ts'
import { openSharedSqliteStore } from '../../../../src/stores/sqlite/sqlite-store.ts'
import { makePerson } from '../../../support/fixtures.ts'
import { createKey, linesOf, type SealedDay, sealDay as sealOf } from './sealed-days.ts'

const COLUMNS = ['delivered', 'delivered', 'failed', 'excused', 'delivered'] as const

/** 2026-11-14 to 2026-11-16, with five lines each. Statements on `db` alter them without the store. */
export async function openClosedDays() {
  const { db, store } = openSharedSqliteStore(':memory:', '')
  const person = makePerson()
  await store.createUsers([person])
  const key = await createKey()
  await store.saveLedgerKey({ ...key, createdAt: 0 }, null)
  const sealed: SealedDay[] = []

  /** Begins the account of a day, and leaves it open. */
  async function saveLines(day: string, lines: readonly StoredLine[]): Promise<void> {
    await store.openLedgerDay({ day, startedAt: Date.parse(day) })
    await store.saveAccountPage({ day, from: null, to: 'done', people: 1, lines, newlySeen: [] })
  }

  async function closeDay(
    day: string,
    lines: StoredLine[],
    change: Partial<SealedDay['day']> = {},
  ): Promise<void> {
    const before = sealed.at(-1)
    const one = await sealOf(key, lines, { day, ...(before && { before }), change })
    await saveLines(day, lines)
    await store.closeLedgerDay({ ...one.day, signature: one.signature, publicKey: key.publicKey })
    sealed.push(one)
  }

  /** Lines of the person. */
  const linesFor = (day: string, columns: readonly LedgerColumn[]) =>
    linesOf(day, columns, person.occasions[0]!.id)
  for (const day of ['2026-11-14', '2026-11-15', '2026-11-16']) await closeDay(day, linesFor(day, COLUMNS))
  return { db, store, key, sealed, person, linesFor, saveLines, closeDay }
}
