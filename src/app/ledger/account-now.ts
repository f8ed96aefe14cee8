// The account of a day that is not closed, computed when it is asked for and not stored.
import { ACCOUNTED, dayName } from '../../domain/ledger/day.ts'
import { countLine, noCounts, rankOf, type StoredLine } from '../../domain/ledger/line.ts'
import type { LedgerDay } from '../../ports/store.ts'
import type { AppDeps } from '../app-deps.ts'
import { type Cached, cached } from '../cached.ts'
import { accountPages } from './account-pages.ts'
import type { LedgerDeps } from './ledger-deps.ts'

/** `isComplete`: false if it ended before everyone was accounted for. `lines`: problems first. */
export type AccountNow = { day: LedgerDay; isComplete: boolean; lines: StoredLine[] }

type Options = {
  /** Called after each page with the people so far; false ends the account. */
  mayContinue: (people: number) => boolean
  /** Whether a line belongs to the account. */
  includes?: (line: StoredLine) => boolean
  pageSize?: number
}

export async function accountNow(
  deps: LedgerDeps,
  day: string,
  { mayContinue, includes = () => true, ...page }: Options,
): Promise<AccountNow> {
  const startedAt = deps.clock.now()
  const counts = noCounts()
  const lines: StoredLine[] = []
  let people = 0
  let isComplete = true
  for await (const { to, ...found } of accountPages(deps, {
    day,
    from: null,
    saved: 0,
    isStored: false,
    ...page,
  })) {
    people += found.people
    for (const line of found.lines.filter(includes)) {
      countLine(counts, line)
      lines.push(line)
    }
    isComplete = mayContinue(people) || to === ACCOUNTED
    if (!isComplete) break
  }
  const unset = {
    closedAt: null,
    cursor: null,
    tzVersion: null,
    hash: null,
    reportedAt: null,
    prunedAt: null,
  }
  lines.sort((a, b) => rankOf(a) - rankOf(b))
  return { day: { day, people, ...counts, startedAt, ...unset }, isComplete, lines }
}

/** A request waits for it, and it takes its CPU time from the process that sends messages. */
export const TODAY_LIMITS = { people: 50_000, ms: 2_000 }
const MIN_TTL_MS = 10_000

/**
 * Reads the account of the running day by UTC, as far as it is due. Up to the limits: people in order of their creation. Cached for
 * up to a minute, so that it uses at most a thirtieth of a thread however often it is read.
 */
export function createTodaysAccount(
  deps: LedgerDeps & Pick<AppDeps, 'onDemand'>,
  { pageSize, ...limits }: typeof TODAY_LIMITS & { pageSize?: number } = TODAY_LIMITS,
): () => Promise<Cached<AccountNow>> {
  const { clock } = deps
  return cached(deps, MIN_TTL_MS, () => {
    const now = clock.now()
    return accountNow(deps, dayName(now), {
      mayContinue: (people) => people < limits.people && clock.now() - now < limits.ms,
      includes: ({ reason }) => reason !== 'NOT_DUE',
      ...(pageSize !== undefined && { pageSize }),
    })
  })
}
