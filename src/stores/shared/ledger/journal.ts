// The rows of the journal, and how they are read. Each dialect writes a row in the transaction of its change.
import { and, asc, desc, eq, gte, inArray, isNull } from 'drizzle-orm'
import { sha256Hex } from '../../../domain/formats/sha256.ts'
import { ACCOUNTED, LAST_STAGE } from '../../../domain/ledger/day.ts'
import {
  type EntryOf,
  type ErasedEvent,
  type JournalEntry,
  type JournalKind,
  type LatenessLimits,
  LIMITS_REPEATED_MS,
} from '../../../domain/ledger/journal.ts'
import { PLAIN_RANK } from '../../../domain/ledger/line.ts'
import type { Occasion } from '../../../domain/occasions/occasion.ts'
import type { Task } from '../../../domain/tasks/task.ts'
import type { User } from '../../../domain/users/user.ts'
import type { LedgerStore } from '../../../ports/store.ts'
import { fieldsOf, jsonFields, omit, pick } from '../columns/columns.ts'
import { OCCASION, TASK, USER } from '../columns/people.ts'
import type { Shared } from '../database.ts'

const PERSON = pick(USER, 'date_of_birth timezone')
const OCCASION_STATE = omit(OCCASION, 'id user_id type template data version')
const TASK_STATE = pick(TASK, 'due_at due_revision remind_before_ms quiet_hours completed_at')

/** How a dialect writes a JSON object, an instant in it, and an object inside of it. */
export type JsonSql = { object: string; instant(column: string): string; nested(json: string): string }

/** SQL: the state of the person in the row `u`, as JSON. */
export const personSql = ({ object, instant }: JsonSql) => `${object}(${jsonFields(PERSON, 'u.', instant)})`

/** SQL: the state of the occasion in the row `o` with its task in the row `t`, as JSON. */
export function occasionSql({ object, instant, nested }: JsonSql): string {
  const task = `CASE WHEN t.id IS NOT NULL THEN ${object}(${jsonFields(TASK_STATE, 't.', instant)}) END`
  return `${object}(${jsonFields(OCCASION_STATE, 'o.', instant)}, 'task', ${nested(task)})`
}

/** The text that `personSql` has for this state. */
export const personJson = (user: User) => JSON.stringify(fieldsOf(PERSON, user))

/** The text that `occasionSql` has for this state. */
export function occasionJson(occasion: Occasion, task: Task | null): string {
  const state = fieldsOf(OCCASION_STATE, occasion)
  return JSON.stringify({ ...state, task: task === null ? null : fieldsOf(TASK_STATE, task) })
}

export const JOURNAL_COLUMNS = 'at, kind, user_id, occasion_id, subject, details'

export const idHash = (id: string) => sha256Hex(id)

/** Of the settled events that are erased, the entry has those due within 40 days before the deletion. */
const ERASED_MS = 40 * 86_400_000
export const erasedFrom = (at: number) => at - ERASED_MS

/** The columns of an erased event, in the order of their fields in the entry. */
export const ERASED: Readonly<Record<keyof ErasedEvent, string>> = {
  targetAt: 'target_at',
  offsetSeconds: 'offset_seconds',
  status: 'status',
  executedAt: 'executed_at',
  failureCode: 'failure_code',
  createdAt: 'created_at',
}

/** The columns of a line that an erasure empties. */
const ANONYMOUS = [
  ...['occasion_id', 'event_id', 'occurrence', 'due_at', 'expected_at', 'settled_at'],
  ...['attempt', 'entry', 'because'],
]

/** A statement that goes before an erasure: an account that has read the deletions reads them again. */
export const rejectLastPage = (schema: '' | 'terce.') => `UPDATE ${schema}ledger_days
  SET cursor = '${LAST_STAGE} ' || (CAST(substr(cursor, ${LAST_STAGE.length + 2}) AS integer) + 1)
  WHERE closed_at IS NULL AND cursor LIKE '${LAST_STAGE} %'`

/**
 * Statements that erase a person or an occasion from the ledger. What the hash of a day is computed from stays from the end of its account on.
 * `entries`: true for their rows of the journal; `occasions`: the ids of their occasions.
 */
export function eraseLedger(schema: '' | 'terce.', entries: string, occasions: string): string[] {
  const those = `occasion_id IN (${occasions})`
  const open = `day IN (SELECT day FROM ${schema}ledger_days WHERE closed_at IS NULL AND coalesce(cursor, '') <> '${ACCOUNTED}')`
  // Without its instants, a late delivery is listed with the others.
  const rank = `rank = CASE WHEN place = 'delivered' AND reason IS NULL THEN ${PLAIN_RANK} ELSE rank END`
  const anonymous = [...ANONYMOUS.map((column) => `${column} = NULL`), rank].join(', ')
  return [
    `DELETE FROM ${schema}journal WHERE ${entries}`,
    `DELETE FROM ${schema}ledger_lines WHERE ${those} AND ${open}`,
    `UPDATE ${schema}ledger_lines SET ${anonymous} WHERE ${those}`,
    `DELETE FROM ${schema}ledger_occasions WHERE ${those}`,
  ]
}

const OF_PEOPLE: readonly JournalKind[] = ['person-changed', 'occasion-changed']
const DELETIONS = ['person-deleted', 'occasion-deleted'] as const

type Operations = Pick<LedgerStore, 'readJournal' | 'findDeletions' | 'recordLimits'>

export function journalOperations({ reader, writer, tables: { journal } }: Shared): Operations {
  // As the partial index has it.
  const ofNobody = and(isNull(journal.userId), isNull(journal.occasionId))
  return {
    async readJournal<K extends JournalKind>({ kinds, from }: { kinds: readonly K[]; from: number }) {
      const isIndexed = !kinds.some((kind) => OF_PEOPLE.includes(kind))
      const rows = await reader
        .select()
        .from(journal)
        .where(
          and(inArray(journal.kind, [...kinds]), gte(journal.at, from), isIndexed ? ofNobody : undefined),
        )
        .orderBy(asc(journal.at), asc(journal.number))
      const entries = rows.map(toEntry)
      const unreadable = rows.filter((_, i) => entries[i] === null).map(({ number }) => number)
      return { entries: entries.filter((entry) => entry !== null) as EntryOf<K>[], unreadable }
    },

    async findDeletions(numbers) {
      if (numbers.length === 0) return []
      const isDeletion = inArray(journal.kind, [...DELETIONS])
      const rows = await reader
        .select()
        .from(journal)
        .where(and(inArray(journal.number, [...numbers]), isDeletion))
      return rows.map(toEntry).filter((entry) => entry !== null) as EntryOf<(typeof DELETIONS)[number]>[]
    },

    async recordLimits(limits, at) {
      const details = limitsJson(limits)
      const ofLimits = and(eq(journal.kind, 'limits-changed'), ofNobody)
      const [last] = await reader
        .select({ details: journal.details })
        .from(journal)
        .where(ofLimits)
        .orderBy(desc(journal.at), desc(journal.number))
        .limit(1)
      if (last?.details === details) return
      const [recent] = await reader
        .select({ number: journal.number })
        .from(journal)
        .where(and(ofLimits, gte(journal.at, at - LIMITS_REPEATED_MS), eq(journal.details, details)))
        .limit(1)
      if (recent === undefined) await writer.insert(journal).values({ at, kind: 'limits-changed', details })
    },
  }
}

/** In order of type, so that equal limits have equal texts. */
function limitsJson(limits: LatenessLimits): string {
  return JSON.stringify(Object.fromEntries(Object.entries(limits).sort(([a], [b]) => (a < b ? -1 : 1))))
}

type JournalRow = Shared['tables']['journal']['$inferSelect']

/** Null if the details cannot be read. */
export function toEntry(row: JournalRow): JournalEntry | null {
  try {
    return entryOf(row, JSON.parse(row.details))
  } catch {
    return null
  }
}

function entryOf(row: JournalRow, json: unknown): JournalEntry {
  const { number, at, kind, userId, occasionId, subject } = row
  const entry = { number, at, kind }
  switch (kind) {
    case 'person-changed':
      return { ...entry, userId, before: json } as JournalEntry
    case 'occasion-changed':
      return { ...entry, occasionId, before: json } as JournalEntry
    case 'person-deleted':
    case 'occasion-deleted':
      return { ...entry, idHash: subject, erased: json } as JournalEntry
    case 'zone-changed':
      return { ...entry, zone: subject, ...(json as object) } as JournalEntry
    case 'limits-changed':
      return { ...entry, after: json } as JournalEntry
  }
}
