// A store whose ledger has closed days with given lines.
import type { LedgerColumn, StoredLine } from '../../../../src/domain/ledger/line.ts'
import type { ClosedDay } from '../../../../src/ports/store.ts'
import { openSharedSqliteStore } from '../../../../src/stores/sqlite/sqlite-store.ts'
import { makePerson } from '../../../support/fixtures.ts'
import { closedDay, linesOf } from './ledger-days.ts'

const COLUMNS = ['delivered', 'delivered', 'failed', 'excused', 'delivered'] as const

/** 2026-11-14 to 2026-11-16, with five lines each. Statements on `db` alter them without the store. */
export async function openClosedDays() {
  const { db, store } = openSharedSqliteStore(':memory:', '')
  const person = makePerson()
  await store.createUsers([person])
  const closed: { day: ClosedDay; lines: StoredLine[] }[] = []

  /** Begins the account of a day, and leaves it open. */
  async function saveLines(day: string, lines: readonly StoredLine[]): Promise<void> {
    await store.openLedgerDay({ day, startedAt: Date.parse(day) })
    await store.saveAccountPage({ day, from: null, to: 'done', people: 1, lines, newlySeen: [] })
  }

  async function closeDay(name: string, lines: StoredLine[]): Promise<void> {
    const day = closedDay(name, lines, closed.at(-1)?.day.hash)
    await saveLines(name, lines)
    await store.closeLedgerDay(day)
    closed.push({ day, lines })
  }

  /** Lines of the person. */
  const linesFor = (day: string, columns: readonly LedgerColumn[]) =>
    linesOf(day, columns, person.occasions[0]!.id)
  for (const day of ['2026-11-14', '2026-11-15', '2026-11-16']) await closeDay(day, linesFor(day, COLUMNS))
  return { db, store, closed, person, linesFor, saveLines, closeDay }
}
