// Reads the ledger: the account of a day, with a line for each problem and each failure.
import { accountOf, type DayCounts, failedOutcome } from '../../domain/ledger/account.ts'
import { dayName, endOfDay, startOfDay } from '../../domain/ledger/day.ts'
import type { MissedReason } from '../../domain/ledger/problem.ts'
import type { ClosedDay, PlanProblem } from '../../ports/ledger.ts'
import type { NamedEvent } from '../../ports/store.ts'
import type { LedgerDeps } from './ledger-deps.ts'
import { countMissed, type Missed } from './missed.ts'

type ReadDeps = Pick<LedgerDeps, 'store' | 'clock'>

/** `reason`: of a problem, or the code of a failure. */
export type LedgerLine = Omit<PlanProblem, 'reason' | 'timezone' | 'foundAt'> & {
  kind: 'problem' | 'failure'
  reason: MissedReason | (string & {})
  /** When a check first found the problem; null for an event. */
  foundAt: number | null
}

export type DayAccount = DayCounts & { day: string; missed: number; closedAt: number | null }
export type DayWithLines = { day: DayAccount; lines: LedgerLine[] }

/** Lines of one kind. */
const MOST_LINES = 100
const PAGE = 200
const MOST_PAGES = 20

/** The running day by UTC, as far as messages are due, with the problems that are there. */
export async function readToday(deps: ReadDeps): Promise<DayWithLines & { missed: Missed }> {
  const { store, clock } = deps
  const now = clock.now()
  const day = dayName(now)
  const [groups, missed, problems, stuck, failures] = await Promise.all([
    store.countDay({ day, now }),
    countMissed(store, now),
    store.listPlanProblems({ limit: MOST_LINES }),
    store.listStuck({ now, limit: MOST_LINES }),
    readFailures(deps, day),
  ])
  const { items } =
    stuck.length === 0
      ? { items: [] }
      : await store.listEvents({ ids: stuck, limit: MOST_LINES, cursor: null })
  const sum = Object.values(missed).reduce((all, count) => all + count, 0)
  const lines = [
    ...problems.map(problemLine),
    ...items.map((event) => eventLine(event, 'STUCK')),
    ...failures,
  ]
  return { day: { day, ...accountOf(groups), missed: sum, closedAt: null }, lines, missed }
}

export type DayResult =
  | (DayWithLines & { kind: 'found' })
  /** It is counted so far, and closed when it has ended in every timezone. */
  | { kind: 'unknown'; closed: { first: string; last: string } | null }

/** A closed day, or one that has begun in the first timezone and is not closed yet. */
export async function readDay(deps: ReadDeps, day: string): Promise<DayResult> {
  const { store, clock } = deps
  const now = clock.now()
  const [[found], [last], first] = await Promise.all([
    store.listLedgerDays({ from: day, to: day, limit: 1 }),
    store.listLedgerDays({ limit: 1 }),
    store.firstLedgerDay(),
  ])
  const isRunning =
    startOfDay(day) <= now && (last === undefined ? first !== null && day >= first : day > last.day)
  if (found === undefined && !isRunning)
    return { kind: 'unknown', closed: first && last ? { first, last: last.day } : null }
  const [problems, failures] = await Promise.all([
    store.listPlanProblems({ day, limit: MOST_LINES }),
    readFailures(deps, day),
  ])
  const account = found ?? {
    ...accountOf(await store.countDay({ day, now })),
    ...{ day, missed: problems.length, closedAt: null },
  }
  return { kind: 'found', day: account, lines: [...problems.map(problemLine), ...failures] }
}

export async function listDays(
  { store }: ReadDeps,
  { limit, cursor, ...range }: { from?: string; to?: string; limit: number; cursor: string | null },
): Promise<{ items: ClosedDay[]; nextCursor: string | null }> {
  const found = await store.listLedgerDays({ ...range, ...(cursor && { to: cursor }), limit: limit + 1 })
  return { items: found.slice(0, limit), nextCursor: found[limit]?.day ?? null }
}

/** The failed messages of a local day that were not delivered since. */
export async function readFailures({ store }: ReadDeps, day: string): Promise<LedgerLine[]> {
  const query = { status: 'FAILED', unresolved: true, limit: PAGE } as const
  const [dueFrom, dueBefore] = [startOfDay(day), endOfDay(day)]
  const lines: LedgerLine[] = []
  let cursor: string | null = null
  for (let pages = 0; pages < MOST_PAGES && lines.length < MOST_LINES; pages++) {
    const page: { items: NamedEvent[]; nextCursor: string | null } = await store.listEvents({
      ...query,
      ...{ dueFrom, dueBefore, cursor },
    })
    const onDay = page.items.filter(
      ({ targetAt, offsetSeconds, failureCode }) =>
        dayName(targetAt + offsetSeconds * 1000) === day && failedOutcome(failureCode) === 'failed',
    )
    lines.push(...onDay.map((event) => eventLine(event, event.failureCode ?? 'UNACCOUNTED')))
    cursor = page.nextCursor
    if (cursor === null) break
  }
  return lines.slice(0, MOST_LINES)
}

function problemLine({ timezone: _, ...problem }: PlanProblem): LedgerLine {
  return { kind: 'problem', ...problem }
}

function eventLine(event: NamedEvent, reason: string): LedgerLine {
  const { id: eventId, occasionId, userId, externalId, firstName, lastName, eventType, targetAt } = event
  const person = { userId, externalId, firstName, lastName, occasionType: eventType }
  const kind = reason === 'STUCK' ? 'problem' : 'failure'
  return {
    ...{ kind, reason, occasionId, eventId, ...person },
    ...{ dueAt: targetAt, expectedAt: null, foundAt: null, goneAt: null },
  }
}
