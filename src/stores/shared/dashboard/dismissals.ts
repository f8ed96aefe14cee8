// Groups of failures that an operator has dismissed. Few rows, plain statements.
import { and, eq } from 'drizzle-orm'
import type { DashboardStore } from '../../../ports/store.ts'
import type { Shared } from '../database.ts'

export function dismissalOperations({
  writer,
  tables: { dismissals },
}: Shared): Pick<DashboardStore, 'dismissFailures'> {
  return {
    async dismissFailures({ channelId, reason, failedBefore }) {
      const group = { channel: channelId ?? 'unknown', reason }
      const isGroup = and(eq(dismissals.channel, group.channel), eq(dismissals.reason, reason))
      const [before] = await writer.select().from(dismissals).where(isGroup)
      if (failedBefore === null) await writer.delete(dismissals).where(isGroup)
      else
        await writer
          .insert(dismissals)
          .values({ ...group, failedBefore })
          .onConflictDoUpdate({ target: [dismissals.channel, dismissals.reason], set: { failedBefore } })
      return before?.failedBefore ?? null
    },
  }
}
