// Closes the days that have ended everywhere: accounts for every person, page by page, then stores the counts and the hash. An account
// that is stopped goes on from its last page, in any process.
import { accountPeople, countedSpan } from '../../domain/ledger/account/people.ts'
import { ACCOUNTED, dayName, endOfDay } from '../../domain/ledger/day.ts'
import { hashOfDay } from '../../domain/ledger/day-hash.ts'
import { DAY_MS } from '../../domain/time/calendar.ts'
import type { LedgerDay } from '../../ports/store.ts'
import { accountPages } from './account-pages.ts'
import { readLinesOf } from './day-hash.ts'
import type { LedgerDeps } from './ledger-deps.ts'

type PageOptions = {
  /** Asked before each page and before the day is closed; false ends the part. */
  mayContinue?: () => boolean | Promise<boolean>
  /** People in a page. */
  pageSize?: number
}

/**
 * 'stopped': the account is continued later. 'erased': somebody was deleted before the last page was saved, so it has to be read
 * again. 'lost': another process continues the account.
 */
type Unfinished = 'stopped' | 'erased' | 'lost'

/** Closes what `mayContinue` permits. Returns false if every day that has ended is closed, or another process closes it. */
export async function closeDays(deps: LedgerDeps, options: PageOptions = {}): Promise<boolean> {
  const { mayContinue = () => true } = options
  for (;;) {
    const day = await dayToClose(deps)
    if (day === null) return false
    if (!(await mayContinue())) return true
    const unfinished = await saveAccount(deps, day, options)
    if (unfinished === 'stopped') return true
    if (unfinished === 'lost') return false
    if (unfinished !== 'erased' && !(await closeDay(deps, day.day))) return false
  }
}

/** Every page is saved. False if another process has closed the day. */
async function closeDay(deps: LedgerDeps, day: string): Promise<boolean> {
  const { store, planner, telemetry, clock } = deps
  const people = await countEverybody(deps, day)
  const { counts, previous, lines } = await readLinesOf(store, day)
  const hash = hashOfDay(lines, { ...counts, day, people })
  const { version: tzVersion } = planner.table
  const closed = { ...counts, day, people, hash, tzVersion, closedAt: clock.now() }
  const isOurs = await store.closeLedgerDay(closed, ACCOUNTED)
  if (isOurs) telemetry({ kind: 'ledger', day, people, ...counts, hash, previous })
  return isOurs
}

/** The people of the account. Adds a line to it, as its last one, if somebody is missing. */
async function countEverybody({ store }: LedgerDeps, day: string): Promise<number> {
  const [account, before] = await store.listLedgerDays({ to: day, limit: 2 })
  const { people: accounted = 0 } = account ?? {}
  const counts = await store.countPeople(countedSpan(day, before ?? null))
  const [missing] = accountPeople({ accounted, previous: before?.people ?? null, ...counts })
  if (missing === undefined) return accounted
  const { last } = await readLinesOf(store, day)
  // A process that stopped here has added it before.
  if (last?.reason !== missing.reason) {
    const line = { ...missing, day, number: (last?.number ?? 0) + 1 }
    await store.saveAccountPage({
      ...{ day, from: ACCOUNTED, to: ACCOUNTED, people: 0 },
      ...{ lines: [line], newlySeen: [] },
    })
  }
  return accounted
}

/** Saves the pages of an account from its cursor on. Returns null when the last one is saved. */
async function saveAccount(
  deps: LedgerDeps,
  { day, cursor, owed, surplus }: LedgerDay,
  { mayContinue = () => true, ...rest }: PageOptions,
): Promise<Unfinished | null> {
  for await (const page of accountPages(deps, { day, from: cursor, saved: owed + surplus, ...rest })) {
    if (!(await deps.store.saveAccountPage({ day, ...page })))
      return page.to === ACCOUNTED ? 'erased' : 'lost'
    if (!(await mayContinue())) return 'stopped'
  }
  return null
}

/** The day whose account comes next; null if it has not ended. The ledger begins on the day of its first start. */
async function dayToClose({ store, clock }: LedgerDeps): Promise<LedgerDay | null> {
  const now = clock.now()
  // A row of a later day, written by hand or by a clock that was ahead, must not end the closing of all days before it.
  const [newest] = await store.listLedgerDays({ to: dayName(now), limit: 1 })
  // The clock was set back to before the first day.
  if (newest === undefined && (await store.listLedgerDays({ limit: 1 })).length > 0) return null
  const day = newest === undefined ? dayName(now) : nextToClose(newest)
  const isDue = endOfDay(day) <= now
  if (newest?.day === day) return isDue ? newest : null
  if (newest !== undefined && !isDue) return null
  await store.openLedgerDay({ day, startedAt: now })
  return isDue ? ((await store.listLedgerDays({ from: day, to: day, limit: 1 }))[0] ?? null) : null
}

/** The oldest day that is not closed, after the newest one that was begun: days are closed in order. */
export function nextToClose({ day, closedAt }: Pick<LedgerDay, 'day' | 'closedAt'>): string {
  return closedAt === null ? day : dayName(Date.parse(day) + DAY_MS)
}
