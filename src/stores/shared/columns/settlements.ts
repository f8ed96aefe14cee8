// The columns of a settlement. Each statement joins the ones that it needs.
import type { PlannedEvent } from '../../../domain/events/event.ts'
import type { ClaimRef, Settlement } from '../../../ports/claim.ts'
import type { Columns } from './columns.ts'

export const CLAIM_REF = {
  id: ['uuid', (ref) => ref.eventId],
  version: ['int', (ref) => ref.version],
  claimed_at: ['instant', (ref) => ref.claimedAt ?? null],
} satisfies Columns<ClaimRef>

export const SETTLEMENT = {
  ...CLAIM_REF,
  at: ['instant', (settlement) => settlement.at],
  kind: ['text', ({ kind }) => kind],
  channel_id: ['uuid', (settlement) => settlement.channelId ?? null],
  /** As JSON, which has no character that a text of PostgreSQL cannot have. */
  exchange: ['text', ({ exchange = null }) => (exchange === null ? null : JSON.stringify(exchange))],
  /** Of an event that stays open; null for a terminal settlement, and for one that keeps its place. */
  wake_at: ['instant', (settlement) => (settlement.kind === 'terminal' ? null : settlement.wakeAt)],
  /** Not null if the settlement records an attempt beside the event. */
  error: ['text', (settlement) => failedAttempt(settlement)?.error ?? null],
  status_code: [
    'int',
    (settlement) => (terminal(settlement) ?? failedAttempt(settlement))?.statusCode ?? null,
  ],
  status: ['text', (settlement) => terminal(settlement)?.status ?? 'PROCESSING'],
  plan_revision: ['int', (settlement) => terminal(settlement)?.planRevision ?? null],
  failure_code: ['text', (settlement) => terminal(settlement)?.failure?.code ?? null],
  last_error: ['text', (settlement) => terminal(settlement)?.failure?.lastError ?? null],
  task_id: ['uuid', (settlement) => terminal(settlement)?.reminded ?? null],
  successor_id: ['uuid', (settlement) => successorOf(settlement)?.id ?? null],
  occurrence: ['text', (settlement) => successorOf(settlement)?.occurrence ?? null],
  target_at: ['instant', (settlement) => successorOf(settlement)?.targetAt ?? null],
  offset_seconds: ['int', (settlement) => successorOf(settlement)?.offsetSeconds ?? null],
  timezone: ['text', (settlement) => successorOf(settlement)?.timezone ?? null],
  tz_version: ['text', (settlement) => successorOf(settlement)?.tzVersion ?? null],
} satisfies Columns<Settlement>

/** The columns of the successor. */
export const SUCCESSOR_NAMES = 'successor_id occurrence target_at offset_seconds timezone tz_version'

const terminal = (settlement: Settlement) => (settlement.kind === 'terminal' ? settlement : null)

export const successorOf = (settlement: Settlement): PlannedEvent | null =>
  terminal(settlement)?.successor ?? null

/** The attempt that is recorded beside the event. Null for a terminal settlement: its attempt is in the event's own row. */
export function failedAttempt(settlement: Settlement): { error: string; statusCode: number | null } | null {
  switch (settlement.kind) {
    case 'retry':
      return settlement
    case 'release':
      return settlement.attempt
    case 'terminal':
      return null
  }
}

/** The columns that the statements of both dialects insert, in this order. */
export const ATTEMPT_COLUMNS =
  'event_id, number, claimed_by, started_at, finished_at, status_code, error, outcome, channel_id, exchange'
