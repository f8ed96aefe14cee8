// Deletes the events of users or of occasions, open and settled, with their bodies, attempts and moves.
import { originalOf } from '../../../domain/events/idempotency-key.ts'
import type { ErasedEvent } from '../../../domain/ledger/journal.ts'
import { erasedFrom } from '../../shared/ledger/journal.ts'
import { uuids } from '../arrays.ts'
import type { Query, Run } from '../connection.ts'
import { ids } from '../events/claim.ts'
import { inMs } from '../instant.ts'

/**
 * Runs inside a transaction, and returns the events that the journal names, by the user or occasion. The occasions stay locked to its end,
 * so that no replay and no save inserts an event.
 */
export async function eraseEvents(
  run: Run,
  by: 'id' | 'user_id',
  keys: readonly string[],
  at: number,
): Promise<Map<string, ErasedEvent[]>> {
  const values = [uuids(keys)]
  const occasions = `terce.occasions WHERE ${by} = ANY ($1::uuid[])`
  const locked = await run({ text: `SELECT id, ${by} FROM ${occasions} ORDER BY id FOR UPDATE`, values })
  const keyOf = new Map(locked as [string, string][])
  const those = `occasion_id IN (SELECT id FROM ${occasions})`
  // A settlement in flight removes its event before the first deletion sees it and inserts a successor: delete again.
  const erased: Erased[] = []
  let open: unknown[]
  do {
    erased.push(...(await erase(run, 'terce.events', those, values)))
    open = await run({ text: `SELECT id FROM terce.events WHERE ${those}`, values })
  } while (open.length > 0)
  const settled = await erase(run, 'terce.settled_events', those, values)
  erased.push(...settled.filter(({ targetAt }) => targetAt >= erasedFrom(at)))
  await run({ text: `DELETE FROM terce.moves WHERE ${those}`, values })
  const byKey = Map.groupBy(erased, ({ occasionId }) => keyOf.get(occasionId)!)
  return new Map(
    Array.from(byKey, ([key, events]) => [
      key,
      withoutReplayed(events).sort((a, b) => a.targetAt - b.targetAt),
    ]),
  )
}

type Erased = ErasedEvent & { occasionId: string; occurrence: string }

/** Of an event and its replays the last one. */
function withoutReplayed(events: readonly Erased[]): ErasedEvent[] {
  const last = new Map<string, Erased>()
  for (const event of events) {
    const name = `${event.occasionId} ${originalOf(event.occurrence)}`
    const other = last.get(name)
    if (other === undefined || numberOf(event) > numberOf(other)) last.set(name, event)
  }
  return Array.from(last.values(), ({ occasionId: _, occurrence: __, ...event }) => event)
}

/** 2 of `2026~2`, 0 of the original. */
function numberOf({ occurrence }: Erased): number {
  return Number(occurrence.slice(originalOf(occurrence).length + 1))
}

/**
 * Locks in order of id to avoid deadlocks, deletes the events, then their bodies and attempts. These are separate statements,
 * because only a new statement sees a body or an attempt that was committed while the lock was awaited.
 */
async function erase(
  run: Run,
  table: 'terce.events' | 'terce.settled_events',
  those: string,
  of: Query['values'],
): Promise<Erased[]> {
  const lockEvents = `SELECT id, ${inMs('target_at')}, offset_seconds, ${OUTCOME[table]}, ${inMs('created_at')}, occasion_id, occurrence
    FROM ${table} WHERE ${those} ORDER BY id FOR UPDATE`
  const found = await run({ text: lockEvents, values: of })
  const values = [uuids(ids(found))]
  await run({ text: `DELETE FROM ${table} WHERE id = ANY ($1::uuid[])`, values })
  await run({ text: 'DELETE FROM terce.payloads WHERE event_id = ANY ($1::uuid[])', values })
  await run({ text: 'DELETE FROM terce.attempts WHERE event_id = ANY ($1::uuid[])', values })
  return found.map(([, targetAt, offsetSeconds, status, executedAt, failureCode, createdAt, ...of]) => {
    const [occasionId, occurrence] = of
    const event = { targetAt, offsetSeconds, status, executedAt, failureCode, createdAt }
    return { ...event, occasionId, occurrence } as Erased
  })
}

/** SQL: status, instant of execution and failure code. */
const OUTCOME = {
  'terce.events': `CASE WHEN claimed_at IS NULL THEN 'PENDING' ELSE 'PROCESSING' END, NULL, NULL`,
  'terce.settled_events': `status, ${inMs('executed_at')}, failure_code`,
}
