// Claims enqueued changes, and removes or keeps them in the transaction that applies them.
import { RowsLockedError } from '../../../domain/errors.ts'
import type {
  EnqueuedChange,
  EnqueuedOperation,
  EnqueuedOutcome,
  EnqueueStore,
} from '../../../ports/enqueue.ts'
import type { Store } from '../../../ports/store.ts'
import type { Columns } from '../../shared/columns/columns.ts'
import { arrays, unnest } from '../arrays.ts'
import { type Client, naming } from '../clients/naming.ts'
import { type PooledConnection, type Query, type Run, run } from '../connection.ts'
import { inMs } from '../instant.ts'

// A queue grows and shrinks faster than it is analyzed. Comparing rows, (… IS NULL) IS TRUE and id + 0 leave the planner only the
// index of external ids: by the index of pending changes, a claim of 500 among 20,000 took 12 s instead of 10 ms.
const ofKey = (change: string, compared: '<' | '>=') => `${change}.external_id = first.external_id
    AND (${change}.external_id, ${change}.id) ${compared} (first.external_id, first.id)
    AND (${change}.rejected_at IS NULL) IS TRUE`

// A change waits for the earlier ones of its external id: only the first can be claimed by itself.
const FIRST = `first.rejected_at IS NULL AND NOT EXISTS (SELECT 1 FROM terce.enqueued_changes AS earlier
  WHERE ${ofKey('earlier', '<')})`

const FRESH = 'failures = 0'
const DUE_AGAIN = 'failures > 0 AND retry_at <= clock_timestamp()'

// The lock on the first change of an external id protects the later ones, which are claimed with it.
const claimSql = (which: string) => `WITH first AS MATERIALIZED (
    SELECT id, external_id FROM terce.enqueued_changes AS first WHERE ${which} AND ${FIRST}
    ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED)
  SELECT change.id::float8, operation, change.external_id, body::text, failures
  FROM first JOIN terce.enqueued_changes AS change ON ${ofKey('change', '>=')}
  ORDER BY change.id + 0 LIMIT $1 FOR UPDATE OF change`

const CLAIM_FRESH = claimSql(FRESH)
const CLAIM_DUE_AGAIN = claimSql(DUE_AGAIN)

/** A transaction of the application may hold a person for long. Their change is then tried again later. */
const BEGIN = 'SET LOCAL lock_timeout = 500; SET LOCAL enable_bitmapscan = off; SET LOCAL enable_sort = off'

const REJECTED: Columns<{ id: number; problem: unknown }> = {
  id: ['bigint', ({ id }) => id],
  problem: ['text', ({ problem }) => JSON.stringify(problem)],
}
const REJECT = `UPDATE terce.enqueued_changes SET problem = ref.problem::jsonb, rejected_at = clock_timestamp(), retry_at = NULL
  FROM ${unnest(REJECTED)} WHERE enqueued_changes.id = ref.id`

const APPLIED: Columns<EnqueuedChange> = {
  id: ['bigint', (change) => change.id],
  external_id: ['text', (change) => change.externalId],
  operation: ['text', (change) => change.operation],
}
// With the problems that the change makes obsolete: those of the person that it writes, and everything about one that it deletes.
const REMOVE = `DELETE FROM terce.enqueued_changes AS change USING ${unnest(APPLIED)}
  WHERE change.external_id = ref.external_id AND (change.id = ref.id OR (change.id < ref.id AND change.rejected_at IS NOT NULL
    AND (ref.operation = 'deleteUser' OR (ref.operation = 'upsertUser' AND change.operation = 'upsertUser'))))`

const FAIL = `UPDATE terce.enqueued_changes SET failures = failures + 1, problem = $2::jsonb,
    retry_at = clock_timestamp() + $3::float8 * interval '1 ms', rejected_at = CASE WHEN $3::float8 IS NULL THEN clock_timestamp() END
  WHERE id = $1 AND rejected_at IS NULL`

const STATE = `SELECT EXISTS (SELECT 1 FROM terce.enqueued_changes AS first WHERE ${FRESH} AND ${FIRST}),
  (SELECT ${inMs('min(retry_at)')} FROM terce.enqueued_changes WHERE failures > 0 AND rejected_at IS NULL)`

const COUNT = `SELECT count(*) FILTER (WHERE rejected_at IS NULL)::int, count(rejected_at)::int,
  ${inMs('min(enqueued_at) FILTER (WHERE rejected_at IS NULL)')} FROM terce.enqueued_changes`

/** `join`: the store inside the transaction of a client. */
export function enqueueOperations(
  connection: PooledConnection,
  join: (client: Client) => Store,
): EnqueueStore {
  return {
    applyEnqueued: ({ limit, failed }, apply) => {
      const done = connection.withClient(async (client) => {
        const named = naming(client, connection.schema)
        const inTransaction = (query: Query) => run(named, query)
        await inTransaction({ text: BEGIN, values: [] })
        const text = failed ? CLAIM_DUE_AGAIN : CLAIM_FRESH
        const changes = (await inTransaction({ text, values: [limit] })).map(toChange)
        if (changes.length === 0) return
        const outcomes = await apply(changes, join(client))
        await settle(inTransaction, changes, outcomes)
      })
      return done.catch(rethrowLocked)
    },
    failEnqueued: async (id, { problem, retryInMs }) => {
      await connection.query({ text: FAIL, values: [id, JSON.stringify(problem), retryInMs] })
    },
    enqueuedState: async () => {
      const [row] = await connection.batch({ text: STATE, values: [] })
      return { isPending: row![0] as boolean, retryAt: row![1] as number | null }
    },
    countEnqueued: async () => {
      const [row] = await connection.query({ text: COUNT, values: [] })
      const [pending, rejected, oldestAt] = row as [number, number, number | null]
      return { pending, rejected, oldestAt }
    },
  }
}

/** A lock that is not free in time, and a deadlock. */
const LOCKED = ['55P03', '40P01']

function rethrowLocked(error: unknown): never {
  // Drizzle wraps the errors of the driver.
  const { code, cause } = error as { code?: string; cause?: { code?: string } }
  const found = LOCKED.find((one) => one === (code ?? cause?.code))
  throw found === undefined ? error : new RowsLockedError(found, error)
}

function toChange([id, operation, externalId, body, failures]: unknown[]): EnqueuedChange {
  return {
    id: id as number,
    operation: operation as EnqueuedOperation,
    externalId: externalId as string,
    body: body as string | null,
    failures: failures as number,
  }
}

/** Rejections first: a later deletion of the person in the batch removes them again. */
async function settle(
  run: Run,
  changes: readonly EnqueuedChange[],
  outcomes: readonly EnqueuedOutcome[],
): Promise<void> {
  const rejected = changes.flatMap(({ id }, i) => {
    const outcome = outcomes[i]!
    return outcome.kind === 'rejected' ? [{ id, problem: outcome.problem }] : []
  })
  const applied = changes.filter((_, i) => outcomes[i]!.kind === 'applied')
  if (rejected.length > 0) await run({ text: REJECT, values: arrays(REJECTED, rejected) })
  if (applied.length > 0) await run({ text: REMOVE, values: arrays(APPLIED, applied) })
}

/** Runs before the people are locked: a worker locks the change first, and then its person. */
export const ERASE_ENQUEUED = `DELETE FROM terce.enqueued_changes
  WHERE external_id IN (SELECT external_id FROM terce.users WHERE id = ANY ($1::uuid[]))`
