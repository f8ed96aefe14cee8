// What the flow reports, as data. One adapter turns it into log lines: no names, dates of birth or bodies pass here.

export type Notice =
  | { kind: 'recovery'; missed: number; oldestAt: number | null; newestAt: number | null }
  | { kind: 'claimed'; count: number }
  /** Events whose worker was not heard of again: the attempt before may have been delivered. */
  | { kind: 'unknown'; eventIds: string[] }
  | {
      kind: 'attempt'
      eventId: string
      /** The name of the channel. */
      channel: string
      idempotencyKey: string
      attempt: number
      outcome: 'delivered' | 'retry' | 'parked' | 'failed'
      statusCode: number | null
      error: string | null
      durationMs: number
      lateMs: number
    }
  | { kind: 'settled'; delivered: number; retried: number; failed: number; released: number }
  /** Claims that were not ours any more when we came to write: one notice for a batch. */
  | { kind: 'stale'; eventIds: string[] }
  /** A destination is left alone, tried with few at a time, or as good as new. */
  | { kind: 'breaker'; channelId: string; channelName: string; state: 'closed' | 'open' | 'half-open' }
  | {
      kind: 'channel'
      channelId: string
      channelName: string
      status: 'ACTIVE' | 'PAUSED' | 'DISABLED'
      reason: string | null
    }
  | { kind: 'rescheduled'; userId: string; rescheduled: number; skipped: number }
  | { kind: 'reschedule-skipped'; userId: string; eventId: string }
  | TimezoneNotice
  | { kind: 'trouble'; during: string; error: unknown; retryInMs: number | null }

/** What became of the pending events of a zone whose rules are other ones now; the release is the one of our table. */
export type TimezoneNotice = { kind: 'timezones'; release: string } /** Still at it. */ & (
  | { state: 'moving'; zone: string; people: number; moved: number }
  | {
      state: 'moved'
      zone: string
      people: number
      moved: number
      restamped: number
      /** By how much most of them moved; null if none did. */
      shiftMs: number | null
    }
  /** The database was planned by a later release: nothing is moved back. */
  | { state: 'older'; recorded: string }
  /** People live where our table knows no clock. */
  | { state: 'gone'; zone: string }
)

export type Telemetry = (notice: Notice) => void
