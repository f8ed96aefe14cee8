// The closed days, and the lines of one.
import type { StoredLine } from '../../domain/ledger/line.ts'
import type { LedgerDay, LedgerStore } from '../../ports/ledger.ts'

const PAGE = 10_000
/** More days than any ledger has: 27 years. */
export const ALL_DAYS = 10_000

/** The newest first. */
export async function closedDays(store: Pick<LedgerStore, 'listLedgerDays'>): Promise<LedgerDay[]> {
  const days = await store.listLedgerDays({ limit: ALL_DAYS })
  return days.filter(({ closedAt }) => closedAt !== null)
}

/** The lines of a day in order of their number. */
export async function* linesOf(
  store: Pick<LedgerStore, 'listLedgerLines'>,
  day: string,
): AsyncGenerator<StoredLine> {
  let cursor: string | null = null
  do {
    const page = await store.listLedgerLines({ day, limit: PAGE, cursor })
    yield* page.items
    cursor = page.nextCursor
  } while (cursor !== null)
}
