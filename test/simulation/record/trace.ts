// The trace of a run, in order: the only input of the invariants. Plain data, byte for byte equal for equal seeds.

import type { ChannelStatus } from '../../../src/domain/settings/channel.ts'
import type { Edit, MessageEffect } from '../scenario.ts'

export type Row = Record<string, string | number | null>

/** `before` is null for an inserted row, `after` for a deleted row. */
export type RowChange = { table: string; before: Row | null; after: Row | null }

/** An event and the version at which a worker claimed it. */
export type Ref = { eventId: string; version: number }

/** A channel as a process read it. */
export type SeenChannel = { id: string; version: number; status: ChannelStatus; isDefault: boolean }

/** A message in flight: the sender, the channel and the event. */
export type Sending = { who: string; channel: string; eventId: string }

export type LifecycleStep = 'starts' | 'crashes' | 'pauses' | 'receives SIGTERM' | 'has stopped'

export type Entry = { at: number } /** A process calls the store about events. */ & (
  | { kind: 'requested'; who: string; op: string; refs: Ref[] }
  /** A process gets the response to a call that extends or reads claims. */
  | { kind: 'responded'; who: string; op: string; refs: Ref[] }
  /** A worker gets its claims. */
  | { kind: 'claimed'; who: string; refs: Ref[] }
  /** A process reads the channels, and they have changed since it last read them. */
  | { kind: 'read'; who: string; channels: SeenChannel[] }
  /** The database committed a transaction. */
  | { kind: 'commit'; who: string; op: string; rows: RowChange[] }
  /** A worker begins to send; `clock` is its own time. */
  | ({ kind: 'send'; clock: number } & Sending)
  /** A message reached the receiver, or was lost before. The sender gets the result after `takesMs`. */
  | ({ kind: 'arrival'; key: string; body: string; accepted: boolean } & SendingOutcome)
  | ({ kind: 'lost' } & SendingOutcome)
  /** A worker gets the result of a send to that version of the channel. */
  | ({
      kind: 'result'
      version: number
      statusCode: number | null
      error: string | null
      /** The text of the response. */
      response: string | null
    } & Sending)
  | { kind: 'edit'; edit: Edit; result: string }
  | QueueEntry
  | { kind: 'lifecycle'; who: string; what: LifecycleStep; forMs?: number }
  /** A process starts with that timezone table. */
  | { kind: 'table'; who: string; release: string }
  /** A process replans the zones that changed; `always`: however long ago they changed. */
  | { kind: 'replan'; who: string; what: 'begins' | 'ends'; always: boolean }
  /** A call fails by a fault of the scenario. */
  | { kind: 'failure'; who: string; op: string; stage: string }
  /** A call failed without a fault of the scenario. */
  | { kind: 'unexpected'; who: string; during: string; error: string }
  /** A worker learned that it had lost claims. */
  | { kind: 'stale'; who: string; count: number }
  /** The ledger checks all plans and counts all days at the end of the run; `problems` is what it finds, as sentences. */
  | { kind: 'account'; problems: string[] }
  /** The end of the run, a day after the last fault, with all tables. */
  | { kind: 'end'; tables: Record<string, Row[]> }
)

/** Messages between the scheduler and the consumers. */
export type QueueEntry =
  /** The queue gets a message, or changes it. */
  | { kind: 'queued'; effect: 'stored' | 'ack lost' | 'dead letter' | MessageEffect['kind']; ref: Ref }
  /** A consumer receives a batch; `until` is its deadline by its own clock. */
  | { kind: 'received'; who: string; dead: boolean; until: number; messages: Received[] }
  /** A consumer reads the claims of its messages. */
  | { kind: 'reread'; who: string; refs: Ref[] }
  /** A consumer acknowledges its batch or asks for retries; `clock` is its own time. */
  | { kind: 'acknowledged'; who: string; dead: boolean; clock: number; acked: Ref[]; again: Ref[] }
  /** A poison message crashes its consumer. */
  | { kind: 'killed'; who: string; eventId: string }

export type Received = Ref & { receives: number }

/** How the receiver answered. `well`: accepted without delay. */
type SendingOutcome = Sending & { reply: string; well: boolean; takesMs: number; retryAfterMs: number }
