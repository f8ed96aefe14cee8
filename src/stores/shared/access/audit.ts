// The audit log. Plain statements: the primary key decides which of two writers gets a number.
import { and, asc, desc, eq, gt, gte, inArray, lt, lte } from 'drizzle-orm'
import type { AuditStore } from '../../../ports/store.ts'
import type { Shared } from '../database.ts'

export function auditOperations({ reader, writer, tables }: Shared): AuditStore {
  const { auditEntries: entries } = tables
  const oldest = () => reader.select().from(entries).orderBy(asc(entries.number))
  const newest = () => reader.select().from(entries).orderBy(desc(entries.number))
  return {
    async lastAuditEntry() {
      const [last] = await newest().limit(1)
      return last ?? null
    },
    async appendAuditEntry(entry) {
      const written = await writer
        .insert(entries)
        .values(entry)
        .onConflictDoNothing()
        .returning({ number: entries.number })
      return written.length === 1
    },
    async listAuditEntries({ limit, before, action, actor, objectId, from, to }) {
      return newest()
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
        .limit(limit + 1)
    },
    readAuditEntries: async (after, limit) => oldest().where(gt(entries.number, after)).limit(limit),
    async lastAuditEntryBefore(at) {
      const [kept] = await oldest().where(gte(entries.at, at)).limit(1)
      const [last] = await newest()
        .where(kept === undefined ? undefined : lt(entries.number, kept.number))
        .limit(1)
      return last ?? null
    },
    async removeAuditEntries(upTo, limit) {
      const some = reader
        .select({ number: entries.number })
        .from(entries)
        .where(lte(entries.number, upTo))
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
