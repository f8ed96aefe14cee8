// Appends to the journal, in the transaction of the change.
import type { ErasedEvent, JournalKind } from '../../../domain/ledger/journal.ts'
import { type Columns, nameList } from '../../shared/columns/columns.ts'
import {
  eraseLedger,
  idHash,
  type JsonSql,
  occasionSql,
  personSql,
  rejectLastPage,
} from '../../shared/ledger/journal.ts'
import { arrays, unnest, uuids } from '../arrays.ts'
import type { Run } from '../connection.ts'
import { inMs } from '../instant.ts'

const JSON_SQL: JsonSql = {
  object: 'json_build_object',
  instant: inMs,
  nested: (json) => json,
}

/** SQL: the state of the person in the row `u`. */
export const PERSON_STATE = personSql(JSON_SQL)
/** SQL: the state of the occasion in the row `o` with its task in the row `t`. */
export const OCCASION_STATE = occasionSql(JSON_SQL)

type Entry = {
  kind: JournalKind
  at: number
  userId?: string
  occasionId?: string
  subject?: string
  details: string
}

const ENTRY = {
  at: ['instant', ({ at }) => at],
  kind: ['text', ({ kind }) => kind],
  user_id: ['uuid', ({ userId }) => userId ?? null],
  occasion_id: ['uuid', ({ occasionId }) => occasionId ?? null],
  subject: ['text', ({ subject }) => subject ?? null],
  details: ['text', ({ details }) => details],
} satisfies Columns<Entry>

const APPEND = `INSERT INTO terce.journal (${nameList(ENTRY)}) SELECT ${nameList(ENTRY)} FROM ${unnest(ENTRY)}`

export async function append(run: Run, entries: readonly Entry[]): Promise<void> {
  if (entries.length > 0) await run({ text: APPEND, values: arrays(ENTRY, entries) })
}

const LEDGER = `'terce.ledger_days'::regclass::oid::bigint`

/**
 * The first statement of an erasure. The account of a day waits for it before it reads the deletions, and an erasure that comes
 * later finds the account in its last stage.
 */
export const LOCK_ERASURE = { text: `SELECT pg_advisory_xact_lock_shared(${LEDGER})`, values: [] }
/** Waits for the erasures in flight. */
export const AWAIT_ERASURES = { text: `SELECT pg_advisory_xact_lock(${LEDGER})`, values: [] }

/** Records that people or occasions are deleted, and erases them from the ledger. Their occasions exist. `erased` has their events by id. */
export async function eraseFromLedger(
  run: Run,
  { of, ids, at }: { of: 'person' | 'occasion'; ids: readonly string[]; at: number },
  erased: ReadonlyMap<string, readonly ErasedEvent[]>,
): Promise<void> {
  const kind = `${of}-deleted` as const
  const details = (id: string) => JSON.stringify(erased.get(id) ?? [])
  await append(
    run,
    ids.map((id) => ({ kind, at, subject: idHash(id), details: details(id) })),
  )
  await run({ text: rejectLastPage('terce.'), values: [] })
  const [entries, occasions] = of === 'person' ? OF_PEOPLE : OF_OCCASIONS
  for (const text of eraseLedger('terce.', entries, occasions)) await run({ text, values: [uuids(ids)] })
}

const OCCASIONS = 'SELECT id FROM terce.occasions WHERE user_id = ANY ($1::uuid[])'
const OF_PEOPLE = [`user_id = ANY ($1::uuid[]) OR occasion_id IN (${OCCASIONS})`, OCCASIONS] as const
const OF_OCCASIONS = ['occasion_id = ANY ($1::uuid[])', 'SELECT unnest($1::uuid[])'] as const
