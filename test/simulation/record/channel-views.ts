// What each process knows of the channels: what it read last, and what the far side has told it since.
import type { ChannelStatus } from '../../../src/domain/settings/channel.ts'
import type { Entry } from './trace.ts'

export type Knowledge = {
  statusOf(who: string, channel: string): ChannelStatus
  /** Where a process sends what names no channel. */
  defaultOf(who: string): string | null
  take(entry: Entry): void
}

/** By these a far side says that it does not let us in. */
export const NOT_LET_IN: readonly (number | null)[] = [401, 403, 535]
export const GONE = 410

type Known = { channels: Map<string, { version: number; status: ChannelStatus }>; byDefault: string | null }

export function createKnowledge(): Knowledge {
  const known = new Map<string, Known>()

  function read({ who, channels }: Entry & { kind: 'read' }): void {
    const before = known.get(who)?.channels ?? new Map()
    // An answer that was overtaken by a later one.
    if (channels.some(({ id, version }) => version < (before.get(id)?.version ?? 0))) return
    const byDefault = channels.find(({ isDefault }) => isDefault)?.id ?? null
    // An old version is no news: what the far side has said since stands.
    const now = channels.map(({ id, version, status }) => {
      const last = before.get(id)
      return [id, last?.version === version ? last : { version, status }] as const
    })
    known.set(who, { channels: new Map(now), byDefault })
  }

  function hear({ who, channel, version, statusCode }: Entry & { kind: 'answer' }): void {
    const last = known.get(who)?.channels.get(channel)
    // Whoever changed the channel after the message left has seen to it.
    if (last?.status !== 'ACTIVE' || last.version !== version) return
    if (statusCode === GONE) last.status = 'DISABLED'
    if (NOT_LET_IN.includes(statusCode)) last.status = 'PAUSED'
  }

  return {
    statusOf: (who, channel) => known.get(who)?.channels.get(channel)?.status ?? 'ACTIVE',
    defaultOf: (who) => known.get(who)?.byDefault ?? null,
    take(entry) {
      if (entry.kind === 'read') read(entry)
      if (entry.kind === 'answer') hear(entry)
    },
  }
}
