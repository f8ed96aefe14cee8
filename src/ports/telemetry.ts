// What the engine reports, as data. Adapters turn it into log lines and metrics. Holds no name, date of birth or body.

import type { AuditEntry } from '../domain/access/audit.ts'
import type { MissedReason } from '../domain/ledger/problem.ts'
import type { ClaimRef } from './claim.ts'
import type { ClosedDay } from './ledger.ts'

/**
 * Settled events by outcome. `released`: free to be claimed again, without a retry: not sent, aborted, or sent while the destination was
 * not up.
 */
export type SettledCounts = {
  delivered: number
  retried: number
  failed: number
  released: number
}

/** The event of an attempt. */
export type AttemptOf = {
  eventId: string
  userId: string
  /** Null unless the event is the reminder of a task. */
  taskId: string | null
  eventType: string
  targetAt: number
  /** The name of the channel. */
  channel: string
  idempotencyKey: string
  /** The number of the attempt, from 1, as it is listed with the event. */
  attempt: number
  /** The retries that were used before this attempt. */
  retryCount: number
}

export type Notice =
  /** A worker, or one run of a scheduler, begins or ends. */
  | { kind: 'run'; of: 'worker' | 'scheduler' | 'recovery'; state: 'started'; runId: string }
  | {
      kind: 'run'
      of: 'worker' | 'scheduler' | 'recovery'
      state: 'ended'
      runId: string
      durationMs: number
      /** Events handed to the queue, where there is one. */
      handedOver?: number
      /** The run ended with an error. */
      failed?: boolean
    }
  /** Events that are due and not claimed at the end of a run of the scheduler, and how long the oldest has been due. */
  | { kind: 'backlog'; count: number; oldestMs: number }
  /** The size of a database that cannot grow beyond `limitBytes`. */
  | { kind: 'database-size'; bytes: number; limitBytes: number }
  /** Events that failed because their queue messages were received too often. */
  | { kind: 'dead-letters'; count: number }
  | { kind: 'recovery-started' }
  /** Types of stored occasions that no handler of this process takes. */
  | { kind: 'unhandled'; types: string[] }
  | { kind: 'recovery'; missed: number; oldestAt: number | null; newestAt: number | null }
  | { kind: 'claimed'; count: number }
  /** Events claimed again after another worker's lease expired: that worker may have delivered them. */
  | { kind: 'unknown'; eventIds: string[] }
  | ({ kind: 'attempt-started' } & AttemptOf)
  | ({
      kind: 'attempt'
      /** `released`: aborted, because the process stops. */
      outcome: 'delivered' | 'retry' | 'failed' | 'released'
      statusCode: number | null
      error: string | null
      durationMs: number
      lateMs: number
    } & AttemptOf)
  | ({ kind: 'settled'; byType: Record<string, SettledCounts> } & SettledCounts)
  /** Claims that were lost before their settlement was written, with the version that the settlement expected. */
  | { kind: 'stale'; claims: ClaimRef[] }
  /**
   * A destination went down, is still down (once a minute), or is up again. `untried`: no message waits for it, and nothing was sent for ten
   * minutes. `since`: when it went down.
   */
  | {
      kind: 'destination'
      channelId: string
      channelName: string
      state: 'down' | 'up' | 'untried'
      since: number
      error: string | null
    }
  | {
      kind: 'channel'
      channelId: string
      channelName: string
      status: 'ACTIVE' | 'HELD' | 'DISABLED'
      reason: string | null
    }
  /**
   * Two processes have another WEBHOOK_URL or WEBHOOK_SECRET. `replaced`: this process started last, and its values count.
   * `differs`: another process has replaced the values of this one. The URLs are without their query; null for none.
   */
  | {
      kind: 'environment'
      state: 'replaced' | 'differs'
      what: 'url' | 'secret'
      from: string | null
      to: string | null
    }
  /** Changes enqueued by SQL that were applied, and the ids of those that were rejected. */
  | { kind: 'enqueued'; applied: number; rejected: number[] }
  /** A day of the ledger was closed. */
  | ({ kind: 'ledger' } & Omit<ClosedDay, 'reportedAt'>)
  /** What can miss a person now, by reason. */
  | { kind: 'missed'; counts: Readonly<Record<MissedReason, number>> }
  /** A request has `X-Forwarded-For`, and TRUSTED_PROXIES is empty. Reported once by a process. */
  | { kind: 'untrusted-proxy' }
  /** An entry of the audit log was written. */
  | ({ kind: 'audit' } & AuditEntry)
  | { kind: 'rescheduled'; userId: string; rescheduled: number; skipped: number }
  /** Only an event in flight is skipped. */
  | { kind: 'reschedule-skipped'; userId: string; eventId: string; currentStatus: 'PROCESSING' }
  | TimezoneNotice
  /** The process cannot listen for events that other processes plan; with null, it listens again. */
  | { kind: 'listening'; error: unknown }
  /** The process starts while its database is unavailable. */
  | { kind: 'waiting'; database: string; attempt: number; retryInMs: number; error: unknown }
  | {
      kind: 'error'
      operation: TelemetryOperation
      error: unknown
      /** Null if the operation is not retried. */
      retryInMs: number | null
      eventId?: string
      /** Null unless the event is the reminder of a task. */
      taskId?: string | null
      channelId?: string
      messageId?: string
    }

/** The operations whose failure is reported. A label of a metric, and so a fixed list. */
export type TelemetryOperation =
  | 'request'
  | 'claim'
  | 'render'
  | 'send'
  | 'settle'
  | 'plan-successor'
  | 'extend-leases'
  | 'confirm-claims'
  | 'heartbeat'
  | 'hand-over'
  | 'read-message'
  | 'read-claims'
  | 'load-templates'
  | 'load-channels'
  | 'mark-destination'
  | 'claim-probe'
  | 'lease-limits'
  | 'open-channel'
  | 'suspend-channel'
  | 'record-key-use'
  | 'record-session-use'
  | 'record-audit'
  | 'remove-expired'
  | 'close-day'
  | 'drain-enqueued'
  | 'apply-enqueued'
  | 'replan'
  | 'schedule'
  | 'recover'
  | 'consume'
  | 'prepare'
  | 'ping'
  | 'ledger-report'
  | 'count-missed'
  | 'count-overdue'

/** What became of the pending events of a timezone whose rules changed; `release` is the release of our table. */
export type TimezoneNotice = { kind: 'timezones'; release: string } & (
  | { state: 'moving'; zone: string; people: number; moved: number }
  | {
      state: 'moved'
      zone: string
      people: number
      moved: number
      unmoved: number
      /** The most frequent shift; null if no event moved. */
      shiftMs: number | null
    }
  /** The database was planned by a newer release: no event is moved back. */
  | { state: 'older'; recorded: string }
  /** People live in a timezone that our table does not have. */
  | { state: 'gone'; zone: string }
)

export type Telemetry = (notice: Notice) => void
