// The closed days, and the header and the lines of one.
import type { StoredLine } from '../../domain/ledger/line.ts'
import type { DayHeader } from '../../domain/ledger/seal.ts'
import type { LedgerDay, LedgerStore } from '../../ports/store/ledger.ts'

const PAGE = 10_000
/** More days than any ledger has: 27 years. */
export const ALL_DAYS = 10_000

type ReadLines = Pick<LedgerStore, 'listLedgerLines'>

/** The newest first. */
export async function closedDays(store: Pick<LedgerStore, 'listLedgerDays'>): Promise<LedgerDay[]> {
  const days = await store.listLedgerDays({ limit: ALL_DAYS })
  return days.filter(({ closedAt }) => closedAt !== null)
}

/** The signed content of a closed day; null if it is not closed. */
export function headerOf(day: LedgerDay): DayHeader | null {
  const { closedAt, root, previous, tzVersion } = day
  if (closedAt === null || root === null || previous === null || tzVersion === null) return null
  return { ...day, closedAt, root, previous, tzVersion }
}

/** The lines of a day in the order of the tree, a page at a time. */
export async function* pagesOf(store: ReadLines, day: string): AsyncGenerator<StoredLine[]> {
  let cursor: string | null = null
  do {
    const page = await store.listLedgerLines({ day, limit: PAGE, cursor })
    yield page.items
    cursor = page.nextCursor
  } while (cursor !== null)
}

/** The lines of a day in the order of the tree. */
export async function* linesOf(store: ReadLines, day: string): AsyncGenerator<StoredLine> {
  for await (const page of pagesOf(store, day)) yield* page
}
