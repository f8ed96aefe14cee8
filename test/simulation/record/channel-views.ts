// What each process knows of the channels: the rows it read last, and the responses of receivers since.
import { type ChannelStatus, HANDLER_CHANNEL } from '../../../src/domain/settings/channel.ts'
import type { Entry } from './trace.ts'

export type ChannelViews = {
  statusOf(who: string, channel: string): ChannelStatus
  /** The channel to which a process sends events that name none. */
  defaultOf(who: string): string | null
  apply(entry: Entry): void
}

/** Statuses by which a receiver rejects our credentials. */
export const UNAUTHORIZED: readonly (number | null)[] = [401, 403, 535]
export const GONE = 410

type Known = { channels: Map<string, { version: number; status: ChannelStatus }>; byDefault: string | null }

/** `hasHandlers`: handlers precede the default channel. */
export function createChannelViews(hasHandlers: boolean): ChannelViews {
  const known = new Map<string, Known>()

  function read({ who, channels }: Entry & { kind: 'read' }): void {
    const before = known.get(who)?.channels ?? new Map()
    // A list that is older than the last one read.
    if (channels.some(({ id, version }) => version < (before.get(id)?.version ?? 0))) return
    const byDefault = channels.find(({ isDefault }) => isDefault)?.id ?? null
    // The version is unchanged: what the receiver answered since still counts.
    const now = channels.map(({ id, version, status }) => {
      const last = before.get(id)
      return [id, last?.version === version ? last : { version, status }] as const
    })
    known.set(who, { channels: new Map(now), byDefault })
  }

  function applyResult({ who, channel, version, statusCode }: Entry & { kind: 'result' }): void {
    const last = known.get(who)?.channels.get(channel)
    // The channel was changed after the message was sent: the response is outdated.
    if (last?.status !== 'ACTIVE' || last.version !== version) return
    if (statusCode === GONE) last.status = 'DISABLED'
    if (UNAUTHORIZED.includes(statusCode)) last.status = 'HELD'
  }

  return {
    statusOf: (who, channel) => known.get(who)?.channels.get(channel)?.status ?? 'ACTIVE',
    defaultOf: (who) => (hasHandlers ? HANDLER_CHANNEL : (known.get(who)?.byDefault ?? null)),
    apply(entry) {
      if (entry.kind === 'read') read(entry)
      if (entry.kind === 'result') applyResult(entry)
    },
  }
}
