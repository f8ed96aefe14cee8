// Appends to the journal, in the transaction of the change.
import type { ErasedEvent, JournalKind } from '../../../domain/ledger/journal.ts'
import {
  eraseLedger,
  idHash,
  JOURNAL_COLUMNS,
  type JsonSql,
  occasionSql,
  personSql,
  rejectLastPage,
} from '../../shared/ledger/journal.ts'
import type { Run } from '../connection.ts'
import { atMs, inMs } from '../instant.ts'

const JSON_SQL: JsonSql = {
  object: 'json_build_object',
  instant: inMs,
  nested: (json) => json,
}

/** SQL: the state of the person in the row `u`. */
export const PERSON_STATE = personSql(JSON_SQL)
/** SQL: the state of the occasion in the row `o` with its task in the row `t`. */
export const OCCASION_STATE = occasionSql(JSON_SQL)

type Row = { kind: JournalKind; at: number; userId?: string; occasionId?: string; subject?: string }

const APPEND = `INSERT INTO terce.journal (${JOURNAL_COLUMNS}) VALUES (${atMs('$1')}, $2, $3, $4, $5, $6)`

export async function append(run: Run, row: Row, details: string): Promise<void> {
  const { kind, at, userId = null, occasionId = null, subject = null } = row
  await run({ text: APPEND, values: [at, kind, userId, occasionId, subject, details] })
}

const LEDGER = `'terce.ledger_days'::regclass::oid::bigint`

/**
 * The first statement of an erasure. The account of a day waits for it before it reads the deletions, and an erasure that comes
 * later finds the account in its last stage.
 */
export const LOCK_ERASURE = { text: `SELECT pg_advisory_xact_lock_shared(${LEDGER})`, values: [] }
/** Waits for the erasures in flight. */
export const AWAIT_ERASURES = { text: `SELECT pg_advisory_xact_lock(${LEDGER})`, values: [] }

/** Records that a person or an occasion is deleted, and erases them from the ledger. Their occasions exist. */
export async function eraseFromLedger(
  run: Run,
  { of, id, at }: { of: 'person' | 'occasion'; id: string; at: number },
  erased: readonly ErasedEvent[],
): Promise<void> {
  await append(run, { kind: `${of}-deleted`, at, subject: idHash(id) }, JSON.stringify(erased))
  await run({ text: rejectLastPage('terce.'), values: [] })
  const [entries, occasions] = of === 'person' ? OF_PERSON : OF_OCCASION
  for (const text of eraseLedger('terce.', entries, occasions)) await run({ text, values: [id] })
}

const OCCASIONS = 'SELECT id FROM terce.occasions WHERE user_id = $1'
const OF_PERSON = [`user_id = $1 OR occasion_id IN (${OCCASIONS})`, OCCASIONS] as const
const OF_OCCASION = ['occasion_id = $1', '$1'] as const
