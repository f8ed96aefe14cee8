// The pages of the account of a day, for every person. Writes nothing.
import { accountFor } from '../../domain/ledger/account/account.ts'
import { accountErased, vanishedLine } from '../../domain/ledger/account/erased.ts'
import type { Context, OccasionAccount } from '../../domain/ledger/account/input.ts'
import { ACCOUNTED, dayName, LAST_STAGE } from '../../domain/ledger/day.ts'
import { isAlarming, type LedgerLine, makeLine, type StoredLine } from '../../domain/ledger/line.ts'
import { DAY_MS } from '../../domain/time/calendar.ts'
import type { LedgerDay } from '../../ports/store.ts'
import { readContext } from './context.ts'
import type { LedgerDeps } from './ledger-deps.ts'

/** Events that fell due earlier were accounted for on their days. The store adds the last settled one where it can matter. */
export const EVENTS_BEFORE_MS = 9 * DAY_MS
/** Larger pages save little, and the engine waits while one is computed: 10 ms. */
const PAGE = 1_000
/** Nearly no row has vanished: many are looked at for each person of a page. */
const VANISHED_FOR_EACH = 10

/**
 * Computes a page when it is asked for. `from`: the cursor `to` of the last page that was stored; null to begin. `saved`: how many
 * lines the pages before it had. The lines of a day are numbered from 1.
 */
export async function* accountPages(
  deps: LedgerDeps,
  {
    day,
    from,
    saved,
    pageSize = PAGE,
  }: { day: string; from: string | null; saved: number; pageSize?: number },
): AsyncGenerator<Accounted & { from: string | null }> {
  if (from === ACCOUNTED) return
  const account = await openAccount(deps, day)
  let number = saved
  let reading: Promise<ReadPage> | null = null
  try {
    for (let at = from; at !== ACCOUNTED; ) {
      const page: ReadPage = await (reading ?? readPage(account, at, pageSize))
      reading = stageOf(at) === stageOf(page.to) ? readPage(account, page.to, pageSize) : null
      // The read may fail before it is awaited.
      reading?.catch(() => {})
      const { lines, newlySeen } = await page.account()
      const numbered = lines.map((line) => ({ ...line, day, number: ++number }))
      yield { from: at, to: page.to, people: page.people, lines: numbered, newlySeen }
      at = page.to
    }
  } finally {
    // The store may be closed after an account that is stopped.
    await reading?.catch(() => {})
  }
}

type Account = { deps: LedgerDeps; day: string; previous: LedgerDay | null; context: Context }

async function openAccount(deps: LedgerDeps, day: string): Promise<Account> {
  const { store, planner, clock } = deps
  const before = dayName(Date.parse(day) - DAY_MS)
  const [previous = null] = await store.listLedgerDays({ from: before, to: before, limit: 1 })
  return { deps, day, previous, context: await readContext(store, planner.table, clock.now()) }
}

type Accounted = { to: string; people: number; lines: StoredLine[]; newlySeen: string[] }

/** A page that was read. `account` computes its lines. */
type ReadPage = Pick<Accounted, 'to' | 'people'> & {
  account(): Promise<{ lines: readonly LedgerLine[]; newlySeen: string[] }>
}

/**
 * The stages of an account, each with a cursor of its own: people, then rows that vanished, then deletions. Those come last: the
 * store rejects their page if another person was deleted meanwhile, and keeps the lines as they are from then on. A page is read
 * while the one before it is saved, but not the first page of a stage: what the stage before has saved belongs to it.
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
      const to = nextCursor === null ? `${LAST_STAGE} 0` : `vanished ${nextCursor}`
      return linesOnly(to, items.map(vanishedLine))
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

function readRange({ day, previous }: Pick<Account, 'day' | 'previous'>) {
  return { eventsFrom: Date.parse(day) - EVENTS_BEFORE_MS, carriedFrom: previous?.day ?? null }
}

async function accountAll(account: Account, inputs: readonly OccasionAccount[]): Promise<LedgerLine[]> {
  const lines: LedgerLine[] = []
  for (const input of inputs) {
    const found = accountFor(input, dayNumber(account), account.context)
    lines.push(...(found.some(isAlarming) ? await accountAgain(account, input) : found))
  }
  return lines
}

function dayNumber({ day }: Pick<Account, 'day'>): number {
  return Date.parse(day) / DAY_MS
}

/** A page is read by several statements: the occasion may have changed between them. */
async function accountAgain(account: Account, { occasion }: OccasionAccount): Promise<LedgerLine[]> {
  const { store, planner, clock } = account.deps
  const [again] = await store.findAccounts({ occasionIds: [occasion.id], ...readRange(account) })
  // Deleted meanwhile: the journal has it.
  if (again === undefined) return []
  return accountFor(again, dayNumber(account), await readContext(store, planner.table, clock.now()))
}

async function erasedLines(account: Account): Promise<LedgerLine[]> {
  const { deps, day, previous } = account
  const from = Date.parse(day) - 2 * DAY_MS
  const deletions = await deps.store.readJournal({ kinds: ['person-deleted', 'occasion-deleted'], from })
  const shared = await deps.store.readJournal({ kinds: ['zone-changed', 'limits-changed'], from: 0 })
  const unreadable = [...deletions.unreadable, ...shared.unreadable]
  return [
    ...deletions.entries.flatMap((entry) =>
      accountErased(entry, dayNumber(account), previous?.closedAt ?? null),
    ),
    ...unreadable.map((entry) => makeLine('unexplained', 'UNREADABLE', { entry })),
  ]
}
