// The operations of the ledger: the statements of a dialect, and the rows of days and problems.
import { and, desc, eq, gte, isNotNull, isNull, lt, lte, min, or, sql } from 'drizzle-orm'
import { firstIdAt } from '../../domain/events/uuid.ts'
import type { DayGroup } from '../../domain/ledger/account.ts'
import { dayAfter, endOfDay, startOfDay } from '../../domain/ledger/day.ts'
import { DAY_MS } from '../../domain/time/calendar.ts'
import type { CheckedPage, ClosedDay, LedgerStore, PlanProblem } from '../../ports/ledger.ts'
import type { Shared } from './database.ts'

export { DAY_MS }
/** An event that could have been claimed for so long, and was not, is stuck. */
export const LONG_MS = 600_000

/** Parameters: `listOddEvents` ids and now; `listStuck` now and limit; `countDay` ids, instants, local instants, now. */
export type LedgerStatements = Readonly<Record<'listOddEvents' | 'listStuck' | 'countDay', string>>

type Read = (statement: string, values: (string | number)[]) => Promise<(readonly unknown[])[]>

/** Problems that ended are kept for so long. */
const KEPT_MS = 90 * DAY_MS
/** Rows of one insert: D1 takes 100 parameters. */
const ROWS = 12

export function ledgerOperations(
  shared: Shared,
  read: Read,
  statements: LedgerStatements,
  idList: (ids: readonly string[]) => string = JSON.stringify,
): LedgerStore {
  return {
    ...questions(read, statements, idList),
    ...checkOperations(shared),
    ...problemOperations(shared),
    ...dayOperations(shared),
    ...reportOperations(shared),
  }
}

function questions(
  read: Read,
  { listOddEvents, listStuck, countDay }: LedgerStatements,
  idList: (ids: readonly string[]) => string,
) {
  return {
    async listOddEvents({ occasionIds, now }) {
      const rows = await read(listOddEvents, [idList(occasionIds), now])
      return rows.map(([occasionId, eventId, version, targetAt, open]) => ({
        occasionId: occasionId as string,
        eventId: eventId as string,
        version: version as number,
        targetAt: Number(targetAt),
        isExtra: Number(open) > 1,
      }))
    },
    listStuck: async ({ now, limit }) => (await read(listStuck, [now, limit])).map(([id]) => id as string),
    async countDay({ day, now }) {
      const [from, before] = [startOfDay(day), Math.min(endOfDay(day), now + 1)]
      const local = [Date.parse(day), Date.parse(dayAfter(day))]
      const rows = await read(countDay, [firstIdAt(from), firstIdAt(before), from, before, ...local, now])
      return rows.map(([fate, code, count]) => ({ fate, code, count: Number(count) }) as DayGroup)
    },
  } satisfies Partial<LedgerStore>
}

function checkOperations(shared: Shared) {
  const { reader, writer, tables } = shared
  const { ledgerDays: days, ledgerProblems: problems } = tables
  return {
    async findLedgerCheck() {
      const [newest] = await reader
        .select({ day: days.day, startedAt: days.startedAt, cursor: days.cursor })
        .from(days)
        .where(isNotNull(days.startedAt))
        .orderBy(desc(days.day))
        .limit(1)
      if (newest === undefined) return null
      const [last] = await reader
        .select({ checkedAt: days.checkedAt })
        .from(days)
        .where(isNotNull(days.checkedAt))
        .orderBy(desc(days.checkedAt))
        .limit(1)
      return { ...newest, startedAt: newest.startedAt!, checkedAt: last?.checkedAt ?? null }
    },
    async beginLedgerCheck({ day, startedAt, replaces }) {
      const isReplaced = replaces === null ? sql`false` : eq(days.startedAt, replaces)
      const begun = await writer
        .insert(days)
        .values({ day, startedAt })
        .onConflictDoUpdate({
          target: days.day,
          set: { startedAt, cursor: null },
          setWhere: or(isNull(days.startedAt), isReplaced)!,
        })
        .returning({ day: days.day })
      return begun.length === 1
    },
    async saveLedgerCheck(page) {
      const { day, startedAt, from, to, at } = page
      await saveFaults(shared, page)
      const moved = await writer
        .update(days)
        .set({ cursor: to, ...(to === null && { checkedAt: at }) })
        .where(
          and(
            eq(days.day, day),
            eq(days.startedAt, startedAt),
            from === null ? isNull(days.cursor) : eq(days.cursor, from),
          ),
        )
        .returning({ day: days.day })
      if (moved.length === 1 && to === null)
        await writer
          .update(problems)
          .set({ goneAt: at })
          .where(and(isNull(problems.goneAt), lt(problems.seenAt, startedAt)))
      return moved.length === 1
    },
  } satisfies Partial<LedgerStore>
}

async function saveFaults({ writer, tables }: Shared, { faults, at }: CheckedPage): Promise<void> {
  const problems = tables.ledgerProblems
  const again = { eventId: sql`excluded.event_id`, dueAt: sql`excluded.due_at` }
  const set = { ...again, expectedAt: sql`excluded.expected_at`, seenAt: at, goneAt: null }
  for (let i = 0; i < faults.length; i += ROWS)
    await writer
      .insert(problems)
      .values(faults.slice(i, i + ROWS).map((fault) => ({ ...fault, foundAt: at, seenAt: at })))
      .onConflictDoUpdate({ target: [problems.occasionId, problems.reason], set })
}

function problemOperations({ reader, writer, tables }: Shared) {
  const { ledgerProblems: problems, occasions, users } = tables
  return {
    async listPlanProblems({ day, occasionId, limit }) {
      const [from, to] = day === undefined ? [0, 0] : [Date.parse(day), Date.parse(dayAfter(day))]
      const isThere = isNull(problems.goneAt)
      const isOf = occasionId === undefined ? undefined : eq(problems.occasionId, occasionId)
      const wasThere = and(lt(problems.foundAt, to), or(isThere, gte(problems.goneAt, from)))
      const rows = await reader
        .select({
          ...{ reason: problems.reason, occasionId: problems.occasionId, eventId: problems.eventId },
          ...{ dueAt: problems.dueAt, expectedAt: problems.expectedAt, foundAt: problems.foundAt },
          ...{ goneAt: problems.goneAt, userId: users.id, occasionType: occasions.type },
          ...{ externalId: users.externalId, firstName: users.firstName, lastName: users.lastName },
          timezone: users.timezone,
        })
        .from(problems)
        .innerJoin(occasions, eq(occasions.id, problems.occasionId))
        .innerJoin(users, eq(users.id, occasions.userId))
        .where(and(isOf, day === undefined ? isThere : wasThere))
        .orderBy(desc(problems.foundAt), problems.occasionId)
        .limit(limit)
      return rows as PlanProblem[]
    },
    async countPlanProblems() {
      const count = sql<number>`count(*)`.mapWith(Number)
      return reader
        .select({ reason: problems.reason, count })
        .from(problems)
        .where(isNull(problems.goneAt))
        .groupBy(problems.reason)
    },
    async endPlanProblems(occasionId, at) {
      const isThere = and(eq(problems.occasionId, occasionId), isNull(problems.goneAt))
      await writer.update(problems).set({ goneAt: at }).where(isThere)
    },
  } satisfies Partial<LedgerStore>
}

/** One row, with this id. */
const REPORT_ID = 1

function reportOperations({ reader, writer, tables }: Shared) {
  const { ledgerReport: report } = tables
  return {
    async findReportTarget() {
      const [row] = await reader.select().from(report)
      return row?.target ?? null
    },
    async saveReportTarget(target) {
      const values = { id: REPORT_ID, target }
      await writer.insert(report).values(values).onConflictDoUpdate({ target: report.id, set: { target } })
    },
    async reserveReports({ now, until: sendingUntil }) {
      // A reservation from the future was made before the clock was set back.
      const isOver = or(lte(report.sendingUntil, now), gte(report.sendingUntil, now + DAY_MS))
      const isFree = or(isNull(report.sendingUntil), isOver)!
      const reserved = await writer
        .insert(report)
        .values({ id: REPORT_ID, sendingUntil })
        .onConflictDoUpdate({ target: report.id, set: { sendingUntil }, setWhere: isFree })
        .returning({ id: report.id })
      return reserved.length === 1
    },
    async releaseReports(until) {
      await writer.update(report).set({ sendingUntil: null }).where(eq(report.sendingUntil, until))
    },
  } satisfies Partial<LedgerStore>
}

function dayOperations({ reader, writer, tables }: Shared) {
  const { ledgerDays: days, ledgerProblems: problems } = tables
  return {
    async listLedgerDays({ from, to, limit }) {
      const isWithin = [from && gte(days.day, from), to && lte(days.day, to)].map((one) => one || undefined)
      const rows = await reader
        .select()
        .from(days)
        .where(and(isNotNull(days.closedAt), ...isWithin))
        .orderBy(desc(days.day))
        .limit(limit)
      return rows.map(({ startedAt: _, cursor: __, checkedAt: ___, closedAt, codes, ...day }): ClosedDay => {
        return { ...day, closedAt: closedAt!, codes: JSON.parse(codes ?? '{}') }
      })
    },
    async firstLedgerDay() {
      const [row] = await reader.select({ first: min(days.day) }).from(days)
      return row?.first ?? null
    },
    async closeLedgerDay({ codes, ...day }) {
      const values = { ...day, codes: JSON.stringify(codes) }
      const closed = await writer
        .insert(days)
        .values(values)
        .onConflictDoUpdate({ target: days.day, set: values, setWhere: isNull(days.closedAt) })
        .returning({ day: days.day })
      await writer.delete(problems).where(lt(problems.goneAt, day.closedAt - KEPT_MS))
      return closed.length === 1
    },
    async markLedgerReported(day, at) {
      await writer.update(days).set({ reportedAt: at }).where(eq(days.day, day))
    },
  } satisfies Partial<LedgerStore>
}
