// The pages of the account of a day, for every person. Writes nothing.
import { accountFor } from '../../domain/ledger/account/account.ts'
import { accountErased, READ_AGAIN_DAYS, vanishedLine } from '../../domain/ledger/account/erased.ts'
import type { Context, OccasionAccount } from '../../domain/ledger/account/input.ts'
import { accountSettled } from '../../domain/ledger/account/settled.ts'
import { ACCOUNTED, dayName, endOfDay, LAST_STAGE } from '../../domain/ledger/day.ts'
import { isAlarming, type LedgerLine, makeLine, type StoredLine } from '../../domain/ledger/line.ts'
import { DAY_MS } from '../../domain/time/calendar.ts'
import type { LedgerDay, UnaccountedEvent } from '../../ports/store.ts'
import { type ReadContext, readContext } from './context.ts'
import type { LedgerDeps } from './ledger-deps.ts'

/** Events that fell due earlier were accounted for on their days. The store adds the last settled one where it can matter. */
export const EVENTS_BEFORE_MS = 9 * DAY_MS
/** Larger pages save little, and the engine waits while one is computed: 10 ms. */
const PAGE = 1_000
/** Nearly no row has vanished: many are looked at for each person of a page. */
const VANISHED_FOR_EACH = 10

/**
 * Computes a page when it is asked for. `from`: the cursor `to` of the last page that was stored; null to begin. `saved`: how many
 * lines the pages before it had. The lines of a day are numbered from 1. `isStored`: whether the caller stores each page before it
 * asks for the next one.
 */
export async function* accountPages(
  deps: LedgerDeps,
  {
    day,
    from,
    saved,
    pageSize = PAGE,
    isStored = true,
  }: { day: string; from: string | null; saved: number; pageSize?: number; isStored?: boolean },
): AsyncGenerator<Accounted & { from: string | null }> {
  if (from === ACCOUNTED) return
  const account = await openAccount(deps, day)
  const { unstored } = account
  let number = saved
  let reading: Promise<ReadPage> | null = null
  try {
    for (let at = from; at !== ACCOUNTED; ) {
      const page: ReadPage = await (reading ?? readPage(account, at, pageSize))
      reading = stageOf(at) === stageOf(page.to) ? readPage(account, page.to, pageSize) : null
      // The read may fail before it is awaited.
      reading?.catch(() => {})
      const { lines, newlySeen } = await page.account()
      if (!isStored) for (const { eventId } of lines) if (eventId !== null) unstored.add(eventId)
      const numbered = lines.map((line) => ({ ...line, day, number: ++number }))
      yield { from: at, to: page.to, people: page.people, lines: numbered, newlySeen }
      at = page.to
    }
  } finally {
    // The store may be closed after an account that is stopped.
    await reading?.catch(() => {})
  }
}

/**
 * `before`: the closed days before it whose events the account reads, the newest first; none on the first day, and for a day that is
 * accounted for before its turn. `unstored`: the events of the lines so far, if the store does not have these lines.
 */
type Account = {
  deps: LedgerDeps
  day: string
  before: readonly LedgerDay[]
  context: ReadContext
  unstored: Set<string>
}

async function openAccount(deps: LedgerDeps, day: string): Promise<Account> {
  const { store, planner, clock } = deps
  const from = dayName(Date.parse(day) - EVENTS_BEFORE_MS)
  const days = await store.listLedgerDays({ from, to: day, limit: EVENTS_BEFORE_MS / DAY_MS + 1 })
  const [yesterday, ...earlier] = days.filter((one) => one.day < day)
  const isNext = yesterday?.day === dayName(Date.parse(day) - DAY_MS) && yesterday.closedAt !== null
  const before = isNext ? [yesterday, ...earlier] : []
  const context = await readContext(store, planner.table, clock.now())
  return { deps, day, before, context, unstored: new Set() }
}

/** When the account of the day before was closed; null for the first day. */
function previousAt({ before }: Account): number | null {
  return before[0]?.closedAt ?? null
}

type Accounted = { to: string; people: number; lines: StoredLine[]; newlySeen: string[] }

/** A page that was read. `account` computes its lines. */
type ReadPage = Pick<Accounted, 'to' | 'people'> & {
  account(): Promise<{ lines: readonly LedgerLine[]; newlySeen: string[] }>
}

/**
 * The stages of an account, each with a cursor of its own: people, then rows that vanished, then settled events that are on no
 * account, then deletions. Those come last: the store rejects their page if another person was deleted meanwhile, and keeps the
 * lines as they are from then on. A page is read while the one before it is saved, but not the first page of a stage: what the
 * stage before has saved belongs to it.
 */
async function readPage(account: Account, at: string | null, limit: number): Promise<ReadPage> {
  const { store } = account.deps
  const cursor = at?.split(/ (.*)/s)[1] ?? null
  switch (stageOf(at)) {
    case 'people': {
      const { items, people, nextCursor } = await store.readAccounts({ limit, cursor, ...readRange(account) })
      return {
        to: nextCursor === null ? 'vanished' : `people ${nextCursor}`,
        people,
        account: async () => ({
          lines: await accountAll(account, items),
          newlySeen: items.flatMap(({ seen, occasion }) => (seen ? [] : [occasion.id])),
        }),
      }
    }
    case 'vanished': {
      const { items, nextCursor } = await store.listVanished({ limit: limit * VANISHED_FOR_EACH, cursor })
      const to = nextCursor === null ? 'settled' : `vanished ${nextCursor}`
      return linesOnly(to, items.map(vanishedLine))
    }
    case 'settled': {
      const settledFrom = settledSince(account)
      if (settledFrom === null) return linesOnly(`${LAST_STAGE} 0`, [])
      const { day } = account
      const { items, nextCursor } = await store.listUnaccounted({ day, settledFrom, limit, cursor })
      const to = nextCursor === null ? `${LAST_STAGE} 0` : `settled ${nextCursor}`
      const missing = items.filter(({ id }) => !account.unstored.has(id))
      return linesOnly(to, await settledLines(account, missing))
    }
    default:
      return linesOnly(ACCOUNTED, await erasedLines(account))
  }
}

function stageOf(at: string | null): string {
  return at?.split(' ')[0] ?? 'people'
}

function linesOnly(to: string, lines: readonly LedgerLine[]): ReadPage {
  return { to, people: 0, account: async () => ({ lines, newlySeen: [] }) }
}

type Range = { eventsFrom: number; carriedFrom: string | null }

function readRange({ day, before }: Account): Range {
  const [yesterday] = before
  const carriedFrom = yesterday === undefined || yesterday.open === 0 ? null : yesterday.day
  return { eventsFrom: Date.parse(day) - EVENTS_BEFORE_MS, carriedFrom }
}

type Compute = (input: OccasionAccount, context: Context) => LedgerLine[]

async function accountAll(account: Account, inputs: readonly OccasionAccount[]): Promise<LedgerLine[]> {
  return computeAll(account, inputs, readRange(account), (input, context) =>
    accountFor(input, dayNumber(account), context),
  )
}

/** A page is read by several statements: an occasion that seems to be wrong may have changed between them, and is read again. */
async function computeAll(
  account: Account,
  inputs: readonly OccasionAccount[],
  range: Range,
  compute: Compute,
): Promise<LedgerLine[]> {
  const lines: LedgerLine[] = []
  const alarming: string[] = []
  for (const input of inputs) {
    const found = compute(input, account.context)
    if (found.some(isAlarming)) alarming.push(input.occasion.id)
    else lines.push(...found)
  }
  if (alarming.length === 0) return lines
  const { store, planner, clock } = account.deps
  // An occasion that is missing now was deleted meanwhile: the journal has it.
  const again = await store.findAccounts({ occasionIds: alarming, ...range })
  const context = await readContext(store, planner.table, clock.now())
  return [...lines, ...again.flatMap((input) => compute(input, context))]
}

function dayNumber({ day }: Pick<Account, 'day'>): number {
  return Date.parse(day) / DAY_MS
}

/** Of earlier days the lines may be pruned. */
const LATE_DAYS = 7
/** A local day begins up to 14 hours before it begins by UTC. */
const BEGINS_BEFORE_MS = 14 * 60 * 60 * 1000

/**
 * Events settled since then may be on no account; null on the first day. A clock that was up to a day ahead has closed yesterday
 * too early, and one that was further ahead has closed days long after their end by its own time, as a restart after a standstill does.
 */
function settledSince({ before }: Account): number | null {
  const [yesterday] = before
  if (yesterday === undefined) return null
  const closedLate = before
    .slice(0, LATE_DAYS)
    .findLast(({ day, closedAt }) => (closedAt ?? 0) - endOfDay(day) > DAY_MS)
  return Date.parse((closedLate ?? yesterday).day) - BEGINS_BEFORE_MS
}

async function settledLines(account: Account, events: readonly UnaccountedEvent[]): Promise<LedgerLine[]> {
  if (events.length === 0) return []
  const range = {
    eventsFrom: Math.min(...events.map(({ targetAt }) => targetAt)) - DAY_MS,
    carriedFrom: null,
  }
  const occasionIds = [...new Set(events.map(({ occasionId }) => occasionId))]
  const inputs = await account.deps.store.findAccounts({ occasionIds, ...range })
  const eventIds = new Set(events.map(({ id }) => id))
  const of = { eventIds, day: dayNumber(account), from: firstDay(account) }
  return computeAll(account, inputs, range, (input, context) => accountSettled(input, of, context))
}

/** The first day of the ledger, if the account has read so far back. */
function firstDay({ before }: Account): number {
  return before.length < EVENTS_BEFORE_MS / DAY_MS ? Date.parse(before.at(-1)!.day) / DAY_MS : 0
}

async function erasedLines(account: Account): Promise<LedgerLine[]> {
  const { deps, day } = account
  const from = Date.parse(day) - READ_AGAIN_DAYS * DAY_MS
  const deletions = await deps.store.readJournal({ kinds: ['person-deleted', 'occasion-deleted'], from })
  const unreadable = [...deletions.unreadable, ...account.context.unreadable]
  return [
    ...deletions.entries.flatMap((entry) => accountErased(entry, dayNumber(account), previousAt(account))),
    ...unreadable.map((entry) => makeLine('unexplained', 'UNREADABLE', { entry })),
  ]
}
