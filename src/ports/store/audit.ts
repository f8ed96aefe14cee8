// The audit log: entries are appended and pruned, never changed.
import type { AuditAction, AuditEntry } from '../../domain/settings/audit.ts'

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
  /** Null if there is none. */
  lastAuditEntry(): Promise<AuditEntry | null>

  /** False, and nothing is written, if another entry has this number: read the last one again. */
  appendAuditEntry(entry: AuditEntry): Promise<boolean>

  /** The newest first; one entry more than `limit` if there is a further page. */
  listAuditEntries(query: AuditQuery): Promise<AuditEntry[]>

  /** In order of number, after the given one. */
  readAuditEntries(after: number, limit: number): Promise<AuditEntry[]>

  /** The last of the oldest entries that are all from before the instant; null if the first is newer. */
  lastAuditEntryBefore(at: number): Promise<AuditEntry | null>

  /** Removes at most `limit` entries up to and including the number, the oldest first. Returns how many. */
  removeAuditEntries(upTo: number, limit: number): Promise<number>
}
