// What happened, in order: the whole of what the invariants look at. Plain data, the same to the byte for the same seed.
import type { ChannelStatus } from '../../../src/domain/settings/channel.ts'
import type { Edit, Fate } from '../scenario.ts'

export type Row = Record<string, string | number | null>

/** `before` is null for a new row, `after` for one that was removed. */
export type RowChange = { table: string; before: Row | null; after: Row | null }

/** An event at the version at which a worker says it holds it. */
export type Ref = { eventId: string; version: number }

/** A channel as somebody read it. */
export type SeenChannel = { id: string; version: number; status: ChannelStatus; isDefault: boolean }

/** A message on its way: whose, which and where to. */
export type OnItsWay = { who: string; channel: string; eventId: string }

export type Life = 'starts' | 'crashes' | 'pauses' | 'is told to stop' | 'has stopped'

export type Entry = { at: number } /** A process asks the store for something. */ & (
  | { kind: 'asked'; who: string; op: string; refs: Ref[] }
  /** A worker hears what it claimed. */
  | { kind: 'claimed'; who: string; refs: Ref[] }
  /** A process reads channels, and they are not as it read them last. */
  | { kind: 'read'; who: string; channels: SeenChannel[] }
  /** The database took a transaction. */
  | { kind: 'commit'; who: string; op: string; rows: RowChange[] }
  /** A worker begins to send, at that time by its own clock. */
  | ({ kind: 'send'; clock: number } & OnItsWay)
  /** A message reached the far side, or got lost before. The sender learns of it after so long. */
  | ({ kind: 'arrival'; key: string; body: string; accepted: boolean } & Met)
  | ({ kind: 'lost' } & Met)
  /** A worker learns how a send ended, to that version of the channel. */
  | ({ kind: 'answer'; version: number; statusCode: number | null; error: string | null } & OnItsWay)
  | { kind: 'edit'; edit: Edit; result: string }
  | QueueEntry
  | { kind: 'life'; who: string; what: Life; forMs?: number }
  /** A process starts with that timezone table. */
  | { kind: 'table'; who: string; release: string }
  /** A process looks at the events of places that have other rules; `always`: however long ago these changed. */
  | { kind: 'replan'; who: string; what: 'begins' | 'ends'; always: boolean }
  /** A call was made to fail. */
  | { kind: 'failure'; who: string; op: string; stage: string }
  /** Something failed that nobody made fail. */
  | { kind: 'surprise'; who: string; during: string; error: string }
  /** A worker learned that events were not its own any more. */
  | { kind: 'stale'; who: string; count: number }
  /** The end, after a calm stretch, with all tables as they are. */
  | { kind: 'rest'; tables: Record<string, Row[]> }
)

/** What happens to messages between the scheduler and the consumers. */
export type QueueEntry =
  /** What the queue does with a message. */
  | { kind: 'posted'; fate: 'taken' | 'unheard' | 'dead letter' | Fate['kind']; ref: Ref }
  /** A consumer gets a batch, to be done with by that time of its own clock. */
  | { kind: 'handed'; who: string; dead: boolean; until: number; messages: Received[] }
  /** The database reads claims for whoever got a message of them. */
  | { kind: 'reread'; who: string; refs: Ref[] }
  /** A consumer has answered for its batch, at that time of its own clock. */
  | { kind: 'answered'; who: string; dead: boolean; clock: number; acked: Ref[]; again: Ref[] }
  /** A consumer dies of what it was about to send. */
  | { kind: 'killed'; who: string; eventId: string }

export type Received = Ref & { receives: number }

/** How the far side took a message. `well`: at once, and with a yes. */
type Met = OnItsWay & { reply: string; well: boolean; takesMs: number; retryAfterMs: number }
