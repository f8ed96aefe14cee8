// Adds to the accounts of people the journal of their changes and the lines that were open the day before.
import { and, asc, eq, gte } from 'drizzle-orm'
import { timeOfId } from '../../../domain/events/uuid.ts'
import type { OccasionAccount } from '../../../domain/ledger/account/input.ts'
import type { EntryOf } from '../../../domain/ledger/journal.ts'
import { DAY_MS } from '../../../domain/time/calendar.ts'
import type { LedgerStore } from '../../../ports/store.ts'
import type { Shared } from '../database.ts'
import { type Accounts, accountsFrom, byTarget, eventFrom } from './account-row.ts'
import { toEntry } from './journal.ts'
import { lineFields } from './line-row.ts'
import { type UnaccountedParameters, unaccountedPage, unaccountedParameters } from './unaccounted.ts'

type Rows = Promise<readonly (readonly unknown[])[]>

/** The rows of a dialect: see account-row.ts. */
export type ReadAccountRows = {
  page(of: { cursor: string | null; limit: number; eventsFrom: number }): Rows
  some(of: { occasionIds: readonly string[]; eventsFrom: number }): Rows
  /**
   * The events with these ids, and of the occasions the last event settled and due before `eventsFrom` and those due since that
   * the page may lack. The id of the occasion comes first.
   */
  events(of: { eventIds: string[]; occasionIds: string[]; eventsFrom: number }): Rows
  /** See unaccounted.ts. */
  unaccounted(parameters: UnaccountedParameters): Rows
}

type Operations = Pick<LedgerStore, 'readAccounts' | 'findAccounts' | 'listUnaccounted'>

export function accountOperations(shared: Shared, rows: ReadAccountRows): Operations {
  /** Reads the journal after the rows: a change in between has an entry whose state before it is that of the rows. */
  async function complete(accounts: Accounts, of: { eventsFrom: number; carriedFrom: string | null }) {
    const { items, changedUsers } = accounts
    const changed = items.filter(({ occasion }) => occasion.version > 1)
    await addChanges(shared, items, { users: [...changedUsers], occasions: changed.map(idOf) })
    await addMoves(shared, items, of.eventsFrom)
    if (of.carriedFrom !== null && items.length > 0) await addCarried(shared, items, of.carriedFrom)
    const occasionIds = items.filter((one) => needsLast(one, changedUsers, of.eventsFrom)).map(idOf)
    const eventIds = items.flatMap(({ carried }) => carried.flatMap(({ eventId }) => eventId ?? []))
    if (occasionIds.length + eventIds.length === 0) return
    addEvents(items, await rows.events({ eventIds, occasionIds, eventsFrom: of.eventsFrom }))
  }

  return {
    async readAccounts(of) {
      const accounts = accountsFrom(await rows.page(of))
      await complete(accounts, of)
      const { items, people, lastUserId } = accounts
      return { items, people, nextCursor: people < of.limit ? null : lastUserId }
    },
    async findAccounts(of) {
      if (of.occasionIds.length === 0) return []
      const accounts = accountsFrom(await rows.some(of))
      await complete(accounts, of)
      return accounts.items
    },
    listUnaccounted: async (of) =>
      unaccountedPage(await rows.unaccounted(unaccountedParameters(of)), of.limit),
  }
}

const idOf = ({ occasion }: OccasionAccount) => occasion.id

/**
 * Whether the last event before the range can explain an occurrence of it. A new occasion has none. A rule that was never changed
 * names no occurrence twice, and the event before the first one of the range was settled when that one was planned.
 */
function needsLast(
  { user, occasion, events }: OccasionAccount,
  changedUsers: ReadonlySet<string>,
  eventsFrom: number,
): boolean {
  if (timeOfId(occasion.id) >= eventsFrom + DAY_MS) return false
  if (occasion.version > 1 || changedUsers.has(user.id)) return true
  return events.every(({ wakeAt }) => wakeAt === null) || events[0]!.createdAt >= eventsFrom
}

function addEvents(accounts: readonly OccasionAccount[], rows: Awaited<Rows>): void {
  const byId = new Map(accounts.map((account) => [account.occasion.id, account]))
  for (const row of rows) {
    const event = eventFrom(row, 1)
    const { events } = byId.get(row[0] as string)!
    if (events.every(({ id }) => id !== event.id)) events.push(event)
    events.sort(byTarget)
  }
}

async function addChanges(
  { reader, tables: { journal }, dialect }: Shared,
  accounts: readonly OccasionAccount[],
  changed: { users: string[]; occasions: string[] },
): Promise<void> {
  const entriesOf = async (column: typeof journal.userId | typeof journal.occasionId, ids: string[]) =>
    ids.length === 0 ? [] : reader.select().from(journal).where(dialect.isOneOf(column, ids))
  const ofUsers = Map.groupBy(await entriesOf(journal.userId, changed.users), ({ userId }) => userId)
  const ofOccasions = Map.groupBy(
    await entriesOf(journal.occasionId, changed.occasions),
    ({ occasionId }) => occasionId,
  )
  for (const account of accounts) {
    const own = [...(ofUsers.get(account.user.id) ?? []), ...(ofOccasions.get(account.occasion.id) ?? [])]
    const entries = own.sort((a, b) => a.number - b.number).map(toEntry)
    account.isReadable = entries.every((entry) => entry !== null)
    if (account.isReadable) account.changes = entries as EntryOf<'person-changed' | 'occasion-changed'>[]
  }
}

/** Reads the moves after the journal: a change in between has a move that explains nothing, and no entry. */
async function addMoves(
  { reader, tables: { moves }, dialect }: Shared,
  accounts: readonly OccasionAccount[],
  from: number,
): Promise<void> {
  const changed = accounts.filter(({ changes }) => changes.some(({ at }) => at >= from))
  if (changed.length === 0) return
  const rows = await reader
    .select({
      occasionId: moves.occasionId,
      at: moves.movedAt,
      occurrence: moves.fromOccurrence,
      targetAt: moves.fromTargetAt,
    })
    .from(moves)
    .where(and(dialect.isOneOf(moves.occasionId, changed.map(idOf)), gte(moves.movedAt, from)))
  const byId = new Map(changed.map((account) => [account.occasion.id, account]))
  for (const { occasionId, at, occurrence, targetAt } of rows)
    if (occurrence !== null && targetAt !== null)
      byId.get(occasionId)!.moves.push({ at, occurrence, targetAt })
}

async function addCarried(
  { reader, tables: { ledgerLines }, dialect }: Shared,
  accounts: readonly OccasionAccount[],
  day: string,
): Promise<void> {
  const byId = new Map(accounts.map((account) => [account.occasion.id, account]))
  const lines = await reader
    .select(lineFields(ledgerLines))
    .from(ledgerLines)
    .where(
      and(
        dialect.isOneOf(ledgerLines.occasionId, [...byId.keys()]),
        eq(ledgerLines.day, day),
        eq(ledgerLines.column, 'open'),
      ),
    )
    .orderBy(asc(ledgerLines.number))
  for (const line of lines) byId.get(line.occasionId!)!.carried.push(line)
}
