// The audit log. Plain statements: the database numbers the entries.
import { and, asc, desc, eq, gte, inArray, lt } from 'drizzle-orm'
import type { AuditStore } from '../../../ports/store.ts'
import type { Shared } from '../database.ts'

export function auditOperations({ reader, writer, tables }: Shared): AuditStore {
  const { auditEntries: entries } = tables
  return {
    async appendAuditEntry(entry) {
      const [written] = await writer.insert(entries).values(entry).returning()
      return written!
    },
    async listAuditEntries({ limit, before, action, actor, objectId, from, to }) {
      return reader
        .select()
        .from(entries)
        .where(
          and(
            before === null ? undefined : lt(entries.number, before),
            action === undefined ? undefined : eq(entries.action, action),
            actor === undefined ? undefined : eq(entries.actor, actor),
            objectId === undefined ? undefined : eq(entries.objectId, objectId),
            from === undefined ? undefined : gte(entries.at, from),
            to === undefined ? undefined : lt(entries.at, to),
          ),
        )
        .orderBy(desc(entries.number))
        .limit(limit + 1)
    },
    async removeAuditEntries(before, limit) {
      const some = reader
        .select({ number: entries.number })
        .from(entries)
        .where(lt(entries.at, before))
        .orderBy(asc(entries.number))
        .limit(limit)
      const removed = await writer
        .delete(entries)
        .where(inArray(entries.number, some))
        .returning({ number: entries.number })
      return removed.length
    },
  }
}
