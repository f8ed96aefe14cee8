// The terms of the Messages page as requests to the API: which page of events to list, and which failed events to replay.
// Pure. Every list has a bound of time unless it is of one person or one event, so that the server never reads all events.
import type { EventsRequest, ReplayFilter } from '../../api/types.ts'
import { STATUS_CODES, statusWordsOf, type Terms } from './query.ts'
import { type Reader, readSpan, type Span } from './span.ts'

/** Messages older than this are listed on request only, as on the Failures page. */
const DEFAULT_SPAN_MS = 30 * 86_400_000

/** What the names in the terms stand for. Null: nothing has that name. */
export type Names = { channel: string | null; userId: string | null }

export function listRequest(terms: Terms, names: Names, reader: Reader): EventsRequest {
  const { type, reason, id } = terms
  const due = dueSpan(terms, reader)
  const settled = spanOf(terms.settled, reader)
  const unknown = spanOf(terms.duplicates, reader)
  const words = statusWordsOf(terms)
  const codes = [...new Set(words.map((word) => STATUS_CODES[word]))]
  return {
    userId: names.userId,
    filter: {
      ...(isAhead(terms, due, reader) ? {} : { order: 'newest' as const }),
      ...(codes.length > 0 && { status: codes.join(',') }),
      ...(words.includes('unresolved') && { unresolved: 'true' as const }),
      ...(type !== undefined && { type }),
      ...(names.channel !== null && { channel: names.channel }),
      ...(reason !== undefined && { exactReason: reason }),
      ...(id !== undefined && (id.startsWith('event-') ? { idempotencyKey: id } : { id })),
      ...instants({ dueFrom: due.from, dueBefore: due.before }),
      ...instants({ settledFrom: settled?.from, settledBefore: settled?.before }),
      ...(unknown !== null && instants({ unknownFrom: unknown.from ?? 0 })),
    },
  }
}

/** Null if the terms select other messages than failed ones: only failed ones can be replayed. */
export function replayRequest(terms: Terms, names: Names, reader: Reader): ReplayFilter | null {
  const words = statusWordsOf(terms)
  const isFailed = words.length > 0 && words.every((word) => STATUS_CODES[word] === 'FAILED')
  if (!isFailed || terms.id !== undefined || terms.duplicates !== undefined) return null
  const due = dueSpan(terms, reader)
  const settled = spanOf(terms.settled, reader)
  return {
    ...(terms.type !== undefined && { type: terms.type }),
    ...(names.channel !== null && { channel: names.channel }),
    ...(names.userId !== null && { userId: names.userId }),
    ...(terms.reason !== undefined && { exactReason: terms.reason }),
    ...instants({ dueFrom: due.from, dueBefore: due.before }),
    // Up to now: a replay that fails meanwhile is not replayed again.
    ...instants({ failedFrom: settled?.from, failedBefore: settled?.before ?? reader.now }),
  }
}

function spanOf(text: string | undefined, reader: Reader): Span | null {
  return text === undefined ? null : readSpan(text, reader)
}

function dueSpan(terms: Terms, reader: Reader): Span {
  const given = spanOf(terms.due, reader)
  if (given !== null) return given
  if (terms.person !== undefined || terms.id !== undefined) return {}
  const settledFrom = spanOf(terms.settled, reader)?.from ?? reader.now
  const from = Math.min(reader.now, settledFrom) - DEFAULT_SPAN_MS
  return isScheduledOnly(terms) ? { from } : { from, before: reader.now }
}

/** Messages that are still to come are listed with the next one first. */
function isAhead(terms: Terms, due: Span, { now }: Reader): boolean {
  return isScheduledOnly(terms) || (due.from !== undefined && due.from >= now)
}

function isScheduledOnly(terms: Terms): boolean {
  return terms.status === 'scheduled'
}

function instants<K extends string>(given: Record<K, number | undefined>): Partial<Record<K, string>> {
  const set = Object.entries<number | undefined>(given).filter(
    (entry): entry is [string, number] => entry[1] !== undefined,
  )
  return Object.fromEntries(set.map(([name, at]) => [name, new Date(at).toISOString()])) as Partial<
    Record<K, string>
  >
}
