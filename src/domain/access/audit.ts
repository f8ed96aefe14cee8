// Entries of the audit log. An entry contains ids, never a name or an address of a person.

export const AUDIT_ACTIONS = [
  'key.created',
  'key.revoked',
  'session.created',
  'session.ended',
  'session.rejected',
  'request.rejected',
  'channel.created',
  'channel.changed',
  'channel.held',
  'channel.released',
  'channel.disabled',
  'channel.deleted',
  'channel.tested',
  'channel.probed',
  'secret.rotated',
  'secret.resealed',
  'template.changed',
  'template.deleted',
  'feed.created',
  'feed.deleted',
  'people.exported',
  'people.imported',
  'people.paused',
  'people.resumed',
  'people.rescheduled',
  'people.erased',
  'person.erased',
  'record.deleted',
  'event.replayed',
  'events.replayed',
  'events.pruned',
  'failures.dismissed',
  'ledger.repaired',
  'report.redirected',
  'timezones.replanned',
  'audit.pruned',
] as const

export type AuditAction = (typeof AUDIT_ACTIONS)[number]

/** What is recorded, before it has its number and time. */
export type AuditRecord = {
  /** `key:<id>`, `session:<id>`, `environment:<name>`, `cli`, or `sql` for an enqueued change; null for a caller without a key. */
  actor: string | null
  /** The network address of the caller; null where it is unknown. */
  address: string | null
  action: AuditAction
  /** Such as `channel` and its id; null for an action on no single object. */
  object: { kind: string; id: string } | null
  /** The HTTP status of a rejection; null for a successful action. */
  rejectedWith?: number | null
  /** How many rejections or reads the entry stands for. */
  count?: number
  details?: Readonly<Record<string, string | number>> | null
}

/** An entry as it is stored. */
export type AuditEntry = {
  /** Grows with each entry. */
  number: number
  at: number
  actor: string | null
  address: string | null
  action: AuditAction
  objectKind: string | null
  objectId: string | null
  rejectedWith: number | null
  count: number
  /** JSON. */
  details: string | null
}

/** The entry of a record, without the number that the database gives it. */
export function auditEntry(record: AuditRecord, at: number): Omit<AuditEntry, 'number'> {
  return {
    at,
    actor: record.actor,
    address: record.address,
    action: record.action,
    objectKind: record.object?.kind ?? null,
    objectId: record.object?.id ?? null,
    rejectedWith: record.rejectedWith ?? null,
    count: record.count ?? 1,
    details: record.details ? JSON.stringify(record.details) : null,
  }
}
