// Sessions of browsers. Few rows, plain statements.
import { and, asc, eq, lt, or } from 'drizzle-orm'
import type { AccessStore } from '../../../ports/store.ts'
import type { Shared } from '../database.ts'

export function sessionOperations({ reader, writer, tables }: Shared) {
  const { sessions } = tables
  return {
    listSessions: async () => reader.select().from(sessions).orderBy(asc(sessions.id)),
    async createSession(session) {
      await writer.insert(sessions).values(session)
    },
    async removeSession(id) {
      const removed = await writer.delete(sessions).where(eq(sessions.id, id)).returning({ id: sessions.id })
      return removed.length === 1
    },
    async touchSessions(used) {
      for (const { id, at } of used)
        await writer
          .update(sessions)
          .set({ lastUsedAt: at })
          .where(and(eq(sessions.id, id), lt(sessions.lastUsedAt, at)))
    },
    async removeOldSessions({ lastUsed, created }) {
      const removed = await writer
        .delete(sessions)
        .where(or(lt(sessions.lastUsedAt, lastUsed), lt(sessions.createdAt, created)))
        .returning({ id: sessions.id })
      return removed.length
    },
  } satisfies Partial<AccessStore>
}
