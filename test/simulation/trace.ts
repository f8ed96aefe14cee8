// What happened, in order: the whole of what the invariants look at. Plain data, the same to the byte for the same seed.
import type { Edit } from './scenario.ts'

export type Row = Record<string, string | number | null>

/** `before` is null for a new row, `after` for one that was removed. */
export type RowChange = { table: string; before: Row | null; after: Row | null }

/** An event at the version at which a worker says it holds it. */
export type Ref = { eventId: string; version: number }

export type Entry = { at: number } /** A process asks the store for something. */ & (
  | { kind: 'asked'; who: string; op: string; refs: Ref[] }
  /** A worker hears what it claimed. */
  | { kind: 'claimed'; who: string; refs: Ref[] }
  /** The database took a transaction. */
  | { kind: 'commit'; who: string; op: string; rows: RowChange[] }
  /** A message reached the receiver. */
  | {
      kind: 'arrival'
      who: string
      eventId: string
      key: string
      body: string
      accepted: boolean
      reply: string
      retryAfterMs: number
    }
  | { kind: 'edit'; edit: Edit; result: string }
  | { kind: 'life'; who: string; what: 'starts' | 'crashes' | 'pauses' | 'is told to stop' | 'has stopped' }
  /** A call was made to fail. */
  | { kind: 'failure'; who: string; op: string; stage: string }
  /** Something failed that nobody made fail. */
  | { kind: 'surprise'; who: string; during: string; error: string }
  /** A worker learned that events were not its own any more. */
  | { kind: 'stale'; who: string; count: number }
  /** The end, after a calm stretch, with all tables as they are. */
  | { kind: 'rest'; tables: Record<string, Row[]> }
)
