// The leases of the limits of destinations: one row for each, replaced only as it was read.
import { and, eq, sql } from 'drizzle-orm'
import { type LimitLeases, NO_LEASES } from '../../domain/settings/limit-leases.ts'
import type { LimitStore } from '../../ports/store.ts'
import type { Shared } from './database.ts'

export function limitOperations({ writer, tables, dialect }: Shared): LimitStore {
  const { limitLeases } = tables
  const { channelId: key, leases: seen } = limitLeases
  const databaseMs = dialect.clockMs ?? sql<null>`NULL`

  return {
    async readLeases(channelId) {
      const read = () => writer.select({ seen, databaseMs }).from(limitLeases).where(eq(key, channelId))
      let [row] = await read()
      if (row === undefined) {
        const leases = JSON.stringify(NO_LEASES)
        await writer.insert(limitLeases).values({ channelId, leases }).onConflictDoNothing()
        ;[row] = await read()
      }
      return { ...row!, leases: parse(row!.seen) }
    },

    async writeLeases({ channelId, seen: before, leases }) {
      const written = await writer
        .update(limitLeases)
        .set({ leases: JSON.stringify(leases) })
        .where(and(eq(key, channelId), eq(seen, before)))
        .returning({ channelId: key })
      return written.length === 1
    },
  }
}

/** A damaged row must not stop its destination for ever: the next write replaces it. */
function parse(text: string): LimitLeases {
  try {
    const { turnsUntil, slots } = JSON.parse(text) as LimitLeases
    return typeof turnsUntil === 'number' && typeof slots === 'object' ? { turnsUntil, slots } : NO_LEASES
  } catch {
    return NO_LEASES
  }
}
