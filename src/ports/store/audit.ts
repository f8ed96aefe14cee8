// The audit log: entries are appended and pruned, never changed.
import type { AuditAction, AuditEntry } from '../../domain/access/audit.ts'

type AuditQuery = {
  limit: number
  /** The number of the last entry of the page before; null for the newest entries. */
  before: number | null
  action?: AuditAction
  actor?: string
  objectId?: string
  from?: number
  to?: number
}

export type AuditStore = {
  /** Returns the entry with its number, which is above those of all earlier ones. */
  appendAuditEntry(entry: Omit<AuditEntry, 'number'>): Promise<AuditEntry>

  /** The newest first; one entry more than `limit` if there is a further page. */
  listAuditEntries(query: AuditQuery): Promise<AuditEntry[]>

  /** Removes at most `limit` entries from before the instant, the oldest first. Returns how many. */
  removeAuditEntries(before: number, limit: number): Promise<number>
}
