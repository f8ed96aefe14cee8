// The days of the ledger and their lines: plain statements of both dialects.
import {
  and,
  asc,
  desc,
  eq,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import { PLAIN_RANK, ranksOf } from '../../../domain/ledger/line.ts'
import type { LedgerStore, LineSubject } from '../../../ports/store.ts'
import type { Shared } from '../database.ts'
import { lineFields } from './line-row.ts'

type Operations = Pick<
  LedgerStore,
  | ('openLedgerDay' | 'closeLedgerDay' | 'listLedgerDays')
  | ('markLedgerReported' | 'markLedgerAlarm')
  | ('listLedgerLines' | 'listLedgerLinesByRank' | 'findLineSubjects' | 'listOccasionLines')
  | ('findLedgerLines' | 'listVanished' | 'countPeople')
>

/** `slow` runs reads over everybody. */
export function ledgerOperations(quick: Shared, slow: Shared): Operations {
  const { reader, writer, tables } = quick
  const { ledgerDays: days, ledgerLines: lines } = tables
  return {
    async openLedgerDay({ day, startedAt }) {
      const opened = await writer
        .insert(days)
        .values({ day, startedAt })
        .onConflictDoNothing()
        .returning({ day: days.day })
      return opened.length === 1
    },
    async closeLedgerDay({ day, ...closed }, cursor) {
      const isAt = cursor === undefined ? undefined : eq(days.cursor, cursor)
      const updated = await writer
        .update(days)
        .set({ ...closed, cursor: null, reportedAt: null })
        .where(and(eq(days.day, day), isNull(days.closedAt), isAt))
        .returning({ day: days.day })
      return updated.length === 1
    },
    listLedgerDays: async ({ from, to, only, limit }) =>
      reader
        .select()
        .from(days)
        .where(
          and(
            from === undefined ? undefined : gte(days.day, from),
            to === undefined ? undefined : lte(days.day, to),
            only && isNotNull(days.closedAt),
            only === 'unsound' ? or(gt(days.unexplained, 0), gt(days.surplus, 0)) : undefined,
            only === 'unreported' ? isNull(days.reportedAt) : undefined,
          ),
        )
        .orderBy(desc(days.day))
        .limit(limit),
    async markLedgerReported(day, at) {
      await writer.update(days).set({ reportedAt: at }).where(eq(days.day, day))
    },
    async markLedgerAlarm(day, { at, unlessSince }) {
      const isDue = or(isNull(days.reportedAt), lt(days.reportedAt, unlessSince))
      const marked = await writer
        .update(days)
        .set({ reportedAt: at })
        .where(and(eq(days.day, day), isNull(days.closedAt), isDue))
        .returning({ day: days.day })
      return marked.length === 1
    },
    async listLedgerLines({ day, limit, cursor }) {
      const rows = await slow.reader
        .select(lineFields(lines))
        .from(lines)
        .where(and(eq(lines.day, day), cursor === null ? undefined : gt(lines.number, Number(cursor))))
        .orderBy(asc(lines.number))
        .limit(limit + 1)
      const items = rows.slice(0, limit)
      return { items, nextCursor: rows.length > limit ? String(items.at(-1)!.number) : null }
    },
    listLedgerLinesByRank: (query) => listByRank(slow, query),
    findLineSubjects: (occasionIds) => findSubjects(quick, occasionIds),
    listOccasionLines: async (occasionId, limit) =>
      reader
        .select(lineFields(lines))
        .from(lines)
        .where(eq(lines.occasionId, occasionId))
        .orderBy(desc(lines.day), asc(lines.number))
        .limit(limit),
    findLedgerLines: async (eventId) =>
      reader.select(lineFields(lines)).from(lines).where(eq(lines.eventId, eventId)).orderBy(asc(lines.day)),
    listVanished: (of) => listVanished(slow, of),
    countPeople: (of) => countPeople(slow, of),
  }
}

/** Everybody is counted by any index, and only the newest by the one of their creation. */
async function countPeople(
  { reader, tables: { users, journal } }: Shared,
  { createdBefore, createdFrom, deletedFrom }: Parameters<LedgerStore['countPeople']>[0],
): ReturnType<LedgerStore['countPeople']> {
  const count = sql<number>`count(*)`.mapWith(Number)
  const people = async (from: number | null) => {
    const isNewer = from === null ? undefined : gte(users.createdAt, from)
    return (await reader.select({ count }).from(users).where(isNewer))[0]!.count
  }
  const later = await people(createdBefore)
  const [deletions] = await reader
    .select({ count })
    .from(journal)
    .where(
      and(
        eq(journal.kind, 'person-deleted'),
        gte(journal.at, deletedFrom),
        isNull(journal.userId),
        isNull(journal.occasionId),
      ),
    )
  return {
    existing: (await people(null)) - later,
    created: createdFrom < createdBefore ? (await people(createdFrom)) - later : 0,
    deleted: deletions!.count,
  }
}

async function findSubjects(
  { reader, tables: { occasions, users }, dialect }: Shared,
  occasionIds: readonly string[],
): Promise<LineSubject[]> {
  if (occasionIds.length === 0) return []
  const rows = await reader
    .select({
      occasionId: occasions.id,
      userId: users.id,
      occasionType: occasions.type,
      externalId: users.externalId,
      firstName: users.firstName,
      lastName: users.lastName,
      timezone: users.timezone,
    })
    .from(occasions)
    .innerJoin(users, eq(users.id, occasions.userId))
    .where(dialect.isOneOf(occasions.id, occasionIds))
  return rows as LineSubject[]
}

/** Two reads: the first has the condition of the index of ranks, and the second follows the key. */
async function listByRank(
  { reader, tables: { ledgerLines: lines } }: Shared,
  { day, column, limit, cursor }: Parameters<LedgerStore['listLedgerLinesByRank']>[0],
): ReturnType<LedgerStore['listLedgerLinesByRank']> {
  const [rank, number] = (cursor ?? '0-0').split('-').map(Number) as [number, number]
  const ranks = ranksOf(column ?? null)
  const read = async (limit: number, ...conditions: (SQL | undefined)[]) =>
    reader
      .select({ rank: lines.rank, line: lineFields(lines) })
      .from(lines)
      .where(and(eq(lines.day, day), ...conditions))
      .orderBy(asc(lines.rank), asc(lines.number))
      .limit(limit)
  const isLater = or(gt(lines.rank, rank), and(eq(lines.rank, rank), gt(lines.number, number)))
  const isIndexed = sql.raw(`rank < ${PLAIN_RANK}`)
  const rows = rank < PLAIN_RANK ? await read(limit + 1, isIndexed, inArray(lines.rank, ranks), isLater) : []
  if (rows.length <= limit && ranks.includes(PLAIN_RANK)) {
    const after = gt(lines.number, rank === PLAIN_RANK ? number : 0)
    rows.push(...(await read(limit + 1 - rows.length, eq(lines.rank, PLAIN_RANK), after)))
  }
  const last = rows[limit - 1]
  return {
    items: rows.slice(0, limit).map(({ line }) => line),
    nextCursor: rows.length > limit ? `${last!.rank}-${last!.line.number}` : null,
  }
}

/** Sorts before every id. */
export const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/**
 * First the occasions that were seen, then those of events. `limit` is the number of rows that are looked at: nearly all of
 * them have their occasion.
 */
async function listVanished(
  shared: Shared,
  { limit, cursor }: Parameters<LedgerStore['listVanished']>[0],
): ReturnType<LedgerStore['listVanished']> {
  const { ledgerOccasions: seen, events } = shared.tables
  const [of, after] = (cursor ?? `seen ${BEFORE_ALL}`).split(' ') as ['seen' | 'events', string]
  const id = of === 'seen' ? seen.occasionId : events.occasionId
  const { occasionIds, last } = await withoutOccasion(shared, id, after, limit)
  const open = await openEventsOf(shared, occasionIds)
  const next = of === 'seen' ? `events ${BEFORE_ALL}` : null
  return {
    // An occasion with an open event is listed with the event.
    items: of === 'seen' ? withoutEvent(occasionIds, open) : open,
    nextCursor: last === null ? next : `${of} ${last}`,
  }
}

type Ids = Shared['tables']['ledgerOccasions']['occasionId'] | Shared['tables']['events']['occasionId']

/** Reads the index alone: the rows of events are in another order. `last`: of those looked at; null if there are no more. */
async function withoutOccasion(
  { reader, tables: { occasions } }: Shared,
  id: Ids,
  after: string,
  limit: number,
): Promise<{ occasionIds: string[]; last: string | null }> {
  const [end] = await reader
    .select({ id })
    .from(id.table)
    .where(gt(id, after))
    .orderBy(asc(id))
    .limit(1)
    .offset(limit - 1)
  // A scalar subquery is one index search for each row. With NOT EXISTS, PostgreSQL compares every row with every occasion of the
  // range while its statistics are old: 50 million comparisons for a page of 10,000 new people.
  const hasNoOccasion = sql`(SELECT 1 FROM ${occasions} WHERE ${occasions.id} = ${id}) IS NULL`
  const isWithin = end === undefined ? undefined : lte(id, end.id)
  const rows = await reader
    .select({ id })
    .from(id.table)
    .where(and(gt(id, after), isWithin, hasNoOccasion))
  return { occasionIds: [...new Set(rows.map((row) => row.id))], last: end?.id ?? null }
}

async function openEventsOf(
  { reader, tables: { events }, dialect }: Shared,
  occasionIds: string[],
): Promise<{ occasionId: string; eventId: string }[]> {
  if (occasionIds.length === 0) return []
  return reader
    .select({ occasionId: events.occasionId, eventId: events.id })
    .from(events)
    .where(and(dialect.isOneOf(events.occasionId, occasionIds), isNotNull(events.wakeAt)))
}

function withoutEvent(occasionIds: readonly string[], open: readonly { occasionId: string }[]) {
  const having = new Set(open.map(({ occasionId }) => occasionId))
  return occasionIds.filter((id) => !having.has(id)).map((occasionId) => ({ occasionId, eventId: null }))
}
