// Adds to lines what people know them by: the person, the type of the occasion and the local time. None of it is stored in a line.
import type { StoredLine } from '../../domain/ledger/line.ts'
import { formatLocal } from '../../domain/time/timestamp.ts'
import type { TimezoneTable } from '../../domain/time/tzdb.ts'
import type { HistoryStore, LedgerStore, LineSubject } from '../../ports/store.ts'

/**
 * Null once the person or occasion was deleted. `localTime`: the local time at which the message was due, such as
 * `2027-03-12T09:00`, in the timezone that its event was planned for, or else that the person has now.
 */
export type NamedLine = StoredLine & { subject: LineSubject | null; localTime: string | null }

export type NamingDeps = {
  store: Pick<LedgerStore, 'findLineSubjects'> & Pick<HistoryStore, 'listEvents'>
  planner: { table: TimezoneTable }
}

/** Two reads for all lines. */
export async function withSubjects<T extends StoredLine>(
  { store, planner: { table } }: NamingDeps,
  lines: readonly T[],
): Promise<(T & NamedLine)[]> {
  const subjects = await store.findLineSubjects(idsOf(lines, 'occasionId'))
  const byOccasion = new Map(subjects.map((subject) => [subject.occasionId, subject]))
  const ids = idsOf(lines, 'eventId')
  const { items } =
    ids.length === 0 ? { items: [] } : await store.listEvents({ ids, limit: ids.length, cursor: null })
  const offsets = new Map(items.map(({ id, offsetSeconds }) => [id, offsetSeconds]))
  return lines.map((line) => {
    const { dueAt, eventId, occasionId } = line
    const subject = (occasionId !== null && byOccasion.get(occasionId)) || null
    if (subject === null || dueAt === null) return { ...line, subject, localTime: null }
    const offsetSeconds = offsets.get(eventId ?? '') ?? table.zone(subject.timezone).offsetMsAt(dueAt) / 1000
    return { ...line, subject, localTime: formatLocal(dueAt, offsetSeconds).slice(0, 16) }
  })
}

function idsOf(lines: readonly StoredLine[], field: 'occasionId' | 'eventId'): string[] {
  return [...new Set(lines.flatMap((line) => line[field] ?? []))]
}
