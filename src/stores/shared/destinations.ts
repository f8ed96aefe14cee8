// The shared state of destinations. Few rows, plain statements.
import { and, asc, eq, isNull, type SQL } from 'drizzle-orm'
import type { DestinationState } from '../../domain/settings/destination.ts'
import type { DestinationStore } from '../../ports/store.ts'
import type { Shared } from './database.ts'

const UP = { downSince: null, lastError: null, nextProbeAt: null }
const NOT_HELD = { heldAt: null, heldUntil: null, heldBy: null }

export function destinationOperations({ reader, writer, tables }: Shared): DestinationStore {
  const { destinations } = tables
  const { channelId: key } = destinations

  const isNextProbe = (at: number | null) =>
    at === null ? isNull(destinations.nextProbeAt) : eq(destinations.nextProbeAt, at)

  async function save(channelId: string, set: Partial<DestinationState>, setWhere?: SQL): Promise<void> {
    await writer
      .insert(destinations)
      .values({ channelId, ...set })
      .onConflictDoUpdate({ target: key, set, ...(setWhere && { setWhere }) })
  }

  return {
    listDestinations: async () => reader.select().from(destinations).orderBy(asc(key)),

    markDown: ({ channelId, since: downSince, error: lastError, nextProbeAt, seen }) =>
      save(channelId, { downSince, lastError, nextProbeAt }, isNextProbe(seen)),

    markUp: (channelId, at) => save(channelId, { ...UP, recoveredAt: at }),

    holdDestination: ({ channelId, ...hold }) => save(channelId, hold),

    releaseDestination: (channelId, at) => save(channelId, { ...UP, ...NOT_HELD, recoveredAt: at }),

    async claimProbe({ channelId, seen, until }) {
      const claimed = await writer
        .update(destinations)
        .set({ nextProbeAt: until })
        .where(and(eq(key, channelId), isNextProbe(seen)))
        .returning({ channelId: key })
      return claimed.length === 1
    },
  }
}
