// The recorded moves of events: what a row contains, and how it is read. Each dialect writes it with the move itself.
import { and, asc, eq, isNull, or, sql } from 'drizzle-orm'
import type { EventMove, EventSlot, MoveCause } from '../../../domain/events/move.ts'
import type { HistoryStore, OccasionSave } from '../../../ports/store.ts'
import type { Shared } from '../database.ts'

const SLOT = ['occurrence', 'target_at', 'offset_seconds', 'timezone'] as const

export const MOVE_COLUMNS = `occasion_id, event_id, version, cause, moved_at, ${SLOT.map((name) => `from_${name}`).join(', ')},
  ${SLOT.map((name) => `to_${name}`).join(', ')}`

/** The columns of a slot: `e.occurrence, e.target_at, …` for the prefix `e.`. With `as`, each gets a name with that prefix. */
export function slotOf(prefix: string, as: string | null = null): string {
  return SLOT.map((name) => (as === null ? `${prefix}${name}` : `${prefix}${name} AS ${as}${name}`)).join(
    ', ',
  )
}

export const NO_SLOT = SLOT.map(() => 'NULL').join(', ')

/** True if the slots with these prefixes differ. */
export function isOtherSlot(from: string, to: string): string {
  return `(${SLOT.map((name) => `${from}${name} <> ${to}${name}`).join(' OR ')})`
}

/** Why a change of a user moves an event: as planned, or else because their timezone changed, or else their date of birth. */
export function userCause(planned: string, fromTimezone: string, toTimezone: string): string {
  return `CASE WHEN ${planned} IS NULL AND ${fromTimezone} <> ${toTimezone} THEN 'TIMEZONE_CHANGED' ELSE 'BIRTH_DATE_CHANGED' END`
}

export function saveCause({ cause, task }: OccasionSave): MoveCause {
  return cause ?? (task === null ? 'OCCASION_CHANGED' : 'TASK_CHANGED')
}

export async function listMoves(
  { reader, tables: { moves } }: Shared,
  of: Parameters<HistoryStore['listMoves']>[0],
): Promise<EventMove[]> {
  const ofRemoved = and(isNull(moves.toTargetAt), eq(moves.fromOccurrence, of.occurrence))
  const rows = await reader
    .select()
    .from(moves)
    .where(and(eq(moves.occasionId, of.occasionId), or(eq(moves.eventId, of.id), ofRemoved)))
    // Removed events first: one may have been removed in the millisecond in which this one was inserted.
    .orderBy(asc(moves.movedAt), sql`${moves.eventId} = ${of.id}`, asc(moves.version))
  return rows.map((row) => ({
    eventId: row.eventId,
    version: row.version,
    cause: row.cause as MoveCause,
    at: row.movedAt,
    from: slot(row.fromOccurrence, row.fromTargetAt, row.fromOffsetSeconds, row.fromTimezone),
    to: slot(row.toOccurrence, row.toTargetAt, row.toOffsetSeconds, row.toTimezone),
  }))
}

function slot(
  occurrence: string | null,
  targetAt: number | null,
  offsetSeconds: number | null,
  timezone: string | null,
): EventSlot | null {
  if (occurrence === null || targetAt === null || offsetSeconds === null || timezone === null) return null
  return { occurrence, targetAt, offsetSeconds, timezone }
}
