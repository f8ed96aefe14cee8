// What the engine reports, as data. Adapters turn it into log lines and metrics. Holds no name, date of birth or body.

export type Notice =
  | { kind: 'recovery'; missed: number; oldestAt: number | null; newestAt: number | null }
  | { kind: 'claimed'; count: number }
  /** Events claimed again after another worker's lease expired: that worker may have delivered them. */
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
  /** Claims that were lost before their settlement was written: one notice for a batch. */
  | { kind: 'stale'; eventIds: string[] }
  /** The circuit breaker of a destination changed its state. */
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
  /** The process starts while its database is unavailable. */
  | { kind: 'waiting'; database: string; attempt: number; retryInMs: number; error: unknown }
  | {
      kind: 'error'
      operation: Operation
      error: unknown
      /** Null if the operation is not retried. */
      retryInMs: number | null
      eventId?: string
      channelId?: string
      messageId?: string
    }

/** The operations whose failure is reported. A label of a metric, and so a fixed list. */
export type Operation =
  | 'request'
  | 'claim'
  | 'render'
  | 'send'
  | 'settle'
  | 'plan-successor'
  | 'extend-leases'
  | 'hand-over'
  | 'read-message'
  | 'read-claims'
  | 'load-templates'
  | 'open-channel'
  | 'suspend-channel'
  | 'record-key-use'
  | 'replan'
  | 'schedule'
  | 'recover'
  | 'prepare'

/** What became of the pending events of a timezone whose rules changed; `release` is the release of our table. */
export type TimezoneNotice = { kind: 'timezones'; release: string } & (
  | { state: 'moving'; zone: string; people: number; moved: number }
  | {
      state: 'moved'
      zone: string
      people: number
      moved: number
      restamped: number
      /** The most frequent shift; null if no event moved. */
      shiftMs: number | null
    }
  /** The database was planned by a newer release: no event is moved back. */
  | { state: 'older'; recorded: string }
  /** People live in a timezone that our table does not have. */
  | { state: 'gone'; zone: string }
)

export type Telemetry = (notice: Notice) => void
