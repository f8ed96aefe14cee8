// Reads the ledger: the days, and the lines of a day with the journal entry that explains each.
import { type State, timelineOf } from '../../domain/ledger/account/timeline.ts'
import { changeText } from '../../domain/ledger/change-text.ts'
import { dayName, endOfDay } from '../../domain/ledger/day.ts'
import type { JournalEntry } from '../../domain/ledger/journal.ts'
import type { LedgerColumn, StoredLine } from '../../domain/ledger/line.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Page } from '../../ports/query.ts'
import type { LedgerDay, LedgerStore } from '../../ports/store/ledger.ts'
import { closedDays } from './stored-day.ts'

export type ReadDeps = { store: LedgerStore; clock: Clock }

/** The newest first. A day that has not ended yet is left out, even if its account is prepared. */
export async function listDays(
  { store, clock }: ReadDeps,
  { limit, ...range }: { from?: string; to?: string; limit: number },
): Promise<LedgerDay[]> {
  const now = clock.now()
  const days = await store.listLedgerDays({ ...range, limit: limit + 1 })
  return days.filter((day) => hasAccount(day, now)).slice(0, limit)
}

/** Whether it is closed, or its account is being computed. */
function hasAccount({ day, closedAt }: LedgerDay, now: number): boolean {
  return closedAt !== null || endOfDay(day) <= now
}

export type DayResult =
  | { kind: 'found'; day: LedgerDay }
  /** It will be closed. `endsAt`: when it has ended in every timezone, which may be past. */
  | { kind: 'not-closed'; endsAt: number; closed: DayRange | null }
  | { kind: 'unknown'; closed: DayRange | null }

/** The first and the last closed day. */
export type DayRange = { first: string; last: string }

/** A closed day; with `orClosing` also one whose account is being computed. */
export async function findDay(
  { store, clock }: ReadDeps,
  day: string,
  { orClosing = false }: { orClosing?: boolean } = {},
): Promise<DayResult> {
  const now = clock.now()
  const [found] = await store.listLedgerDays({ from: day, to: day, limit: 1 })
  if (found !== undefined && (found.closedAt !== null || (orClosing && hasAccount(found, now))))
    return { kind: 'found', day: found }
  const closed = rangeOf(await closedDays(store))
  const isAhead = closed === null ? found !== undefined || day >= dayName(now) : day > closed.last
  return isAhead ? { kind: 'not-closed', endsAt: endOfDay(day), closed } : { kind: 'unknown', closed }
}

function rangeOf(newestFirst: readonly LedgerDay[]): DayRange | null {
  const [last, first] = [newestFirst[0], newestFirst.at(-1)]
  return first === undefined || last === undefined ? null : { first: first.day, last: last.day }
}

/** The journal entry that explains a line, and the change in words. */
export type Evidence = { entry: JournalEntry; text: string }

/** `evidence` is null if the line names no entry, or if the entry was erased. */
export type ExplainedLine = StoredLine & { evidence: Evidence | null }

export async function readLines(
  { store }: Pick<ReadDeps, 'store'>,
  { column, ...query }: { day: string; column?: LedgerColumn; limit: number; cursor: string | null },
): Promise<Page<ExplainedLine>> {
  const page = await store.listLedgerLines({ ...query, ...(column !== undefined && { columns: [column] }) })
  return { ...page, items: await withEvidence(store, page.items) }
}

/** The number of an entry is unique only for its person, so each occasion is asked for by itself. */
export async function withEvidence(
  store: LedgerStore,
  lines: readonly StoredLine[],
): Promise<ExplainedLine[]> {
  const named = Map.groupBy(
    lines.filter(({ entry }) => entry !== null),
    ({ occasionId }) => occasionId,
  )
  const found = new Map<StoredLine, Evidence>()
  await Promise.all(
    Array.from(named, async ([occasionId, ofOccasion]) => {
      const numbers = [...new Set(ofOccasion.map(({ entry }) => entry!))]
      const entries = await store.findJournalEntries(numbers, occasionId)
      const states = occasionId === null ? [] : await statesOf(store, occasionId, ofOccasion[0]!.day)
      for (const line of ofOccasion) {
        const entry = entries.find(({ number }) => number === line.entry)
        const after = states.find((state) => state.entry === line.entry) ?? null
        if (entry !== undefined) found.set(line, { entry, text: changeText(entry, after) })
      }
    }),
  )
  return lines.map((line) => ({ ...line, evidence: found.get(line) ?? null }))
}

/** The states of an occasion. The events that are read with them, here those since a day, are not needed. */
async function statesOf(store: LedgerStore, occasionId: string, day: string): Promise<State[]> {
  const account = await store.readAccount({ occasionId, eventsFrom: Date.parse(day), carriedFrom: null })
  return account === null ? [] : timelineOf(account)
}
