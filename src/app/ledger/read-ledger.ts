// Reads the ledger: the days, and the lines of a day with the journal entry that explains each.
import type { OccasionAccount } from '../../domain/ledger/account/input.ts'
import { timelineOf } from '../../domain/ledger/account/timeline.ts'
import { changeText } from '../../domain/ledger/change-text.ts'
import { dayName, endOfDay } from '../../domain/ledger/day.ts'
import type { JournalEntry } from '../../domain/ledger/journal.ts'
import type { StoredLine } from '../../domain/ledger/line.ts'
import type { Clock } from '../../ports/clock.ts'
import type { LedgerDay, LedgerStore } from '../../ports/ledger.ts'
import type { Page } from '../../ports/query.ts'
import { type NamedLine, type NamingDeps, withSubjects } from './line-subjects.ts'
import { closedDays } from './stored-day.ts'

export type ReadDeps = { store: LedgerStore; clock: Clock }
export type LineDeps = NamingDeps & { store: LedgerStore }

/** The newest first. A day that has not ended yet is left out, even if its account is prepared. */
export async function listDays(
  { store, clock }: ReadDeps,
  { limit, cursor, ...range }: { from?: string; to?: string; limit: number; cursor: string | null },
): Promise<Page<LedgerDay>> {
  const now = clock.now()
  // Two more: a day that has not ended, and the first one of the next page.
  const found = await store.listLedgerDays({ ...range, ...(cursor && { to: cursor }), limit: limit + 2 })
  const days = found.filter((day) => hasAccount(day, now))
  return { items: days.slice(0, limit), nextCursor: days[limit]?.day ?? null }
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
export type ExplainedLine = NamedLine & { evidence: Evidence | null }

/** Problems first. */
export async function readLines(
  deps: LineDeps,
  query: Parameters<LedgerStore['listLedgerLinesByRank']>[0],
): Promise<Page<ExplainedLine>> {
  const page = await deps.store.listLedgerLinesByRank(query)
  return { ...page, items: await explainLines(deps, page.items) }
}

export async function explainLines(deps: LineDeps, lines: readonly StoredLine[]): Promise<ExplainedLine[]> {
  return withSubjects(deps, await withEvidence(deps.store, lines))
}

/** An entry of a person or an occasion is among the changes of the occasion, which also give the state after it. */
async function withEvidence(
  store: LedgerStore,
  lines: readonly StoredLine[],
): Promise<(StoredLine & Pick<ExplainedLine, 'evidence'>)[]> {
  const named = lines.filter(({ entry }) => entry !== null)
  const accounts = await readAccounts(store, named)
  const ofOccasion = new Map(named.map((line) => [line, changeOf(accounts.get(line.occasionId), line)]))
  const others = await readOthers(
    store,
    named.filter((line) => ofOccasion.get(line) === null),
  )
  return lines.map((line) => {
    const other = others.find(({ number }) => number === line.entry)
    const evidence = ofOccasion.get(line) ?? (other && { entry: other, text: changeText(other, null) })
    return { ...line, evidence: evidence ?? null }
  })
}

/** The entry of an anonymous line is a deletion. That of another line is a change of the lateness limits, or it was pruned. */
async function readOthers(store: LedgerStore, lines: readonly StoredLine[]): Promise<JournalEntry[]> {
  const { erased = [], known = [] } = Object.groupBy(lines, ({ occasionId }) =>
    occasionId === null ? 'erased' : 'known',
  )
  const numbers = new Set(erased.map(({ entry }) => entry!))
  const deletions = await store.findDeletions([...numbers])
  if (known.length === 0) return deletions
  const limits = await store.readJournal({ kinds: ['limits-changed'], from: 0 })
  return [...deletions, ...limits.entries]
}

/** By occasion; the lines are of one day. The events that are read with them, here those since the day, are not needed. */
async function readAccounts(
  store: LedgerStore,
  lines: readonly StoredLine[],
): Promise<Map<string | null, OccasionAccount>> {
  const [first] = lines
  if (first === undefined) return new Map()
  const occasionIds = [...new Set(lines.flatMap(({ occasionId }) => occasionId ?? []))]
  const eventsFrom = Date.parse(first.day)
  const accounts = await store.findAccounts({ occasionIds, eventsFrom, carriedFrom: null })
  return new Map(accounts.map((account) => [account.occasion.id, account]))
}

function changeOf(account: OccasionAccount | undefined, { entry }: StoredLine): Evidence | null {
  const change = account?.changes.find(({ number }) => number === entry)
  if (account === undefined || change === undefined) return null
  const after = timelineOf(account).find((state) => state.entry === entry) ?? null
  return { entry: change, text: changeText(change, after) }
}

/** The line of the event on the last closed day that has one. Of a day with several lines of the event, the first one. */
export async function newestLine(
  store: Pick<LedgerStore, 'findLedgerLines' | 'listLedgerDays'>,
  eventId: string,
): Promise<StoredLine | null> {
  const lines = await store.findLedgerLines(eventId)
  for (const line of lines.sort((a, b) => b.day.localeCompare(a.day))) {
    const [day] = await store.listLedgerDays({ from: line.day, to: line.day, limit: 1 })
    if (day !== undefined && day.closedAt !== null) return line
  }
  return null
}
