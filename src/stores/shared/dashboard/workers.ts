// The heartbeats of workers: a row for each process, written every few seconds.
import { asc, eq, gte, lt } from 'drizzle-orm'
import type { WorkerStore } from '../../../ports/store.ts'
import type { Shared } from '../database.ts'

export function workerOperations({ reader, writer, tables: { workers } }: Shared): WorkerStore {
  return {
    async recordWorker({ id, seenAt }, expiredBefore) {
      await writer
        .insert(workers)
        .values({ id, seenAt })
        .onConflictDoUpdate({ target: workers.id, set: { seenAt } })
      await writer.delete(workers).where(lt(workers.seenAt, expiredBefore))
    },
    async removeWorker(id) {
      await writer.delete(workers).where(eq(workers.id, id))
    },
    listWorkers: async (since) =>
      reader.select().from(workers).where(gte(workers.seenAt, since)).orderBy(asc(workers.id)),
  }
}
