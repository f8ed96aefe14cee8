// Where events go: the channels that are set up, each with its open connection. Read anew every few seconds, so that a
// change made anywhere reaches every worker.
import {
  activeSecrets,
  type ChannelKind,
  type ChannelLimits,
  type ChannelRecord,
  type ChannelStatus,
  defaultChannel,
} from '../domain/channel.ts'
import type { Channel } from '../ports/channel.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import type { Telemetry } from '../ports/telemetry.ts'

export type Destination = {
  id: string
  name: string
  kind: ChannelKind
  status: ChannelStatus
  limits: ChannelLimits
  channel: Channel
}

export type Destinations = {
  /** To be called before events are taken: reads what is set up, unless that was done just now. */
  refresh(): Promise<void>
  /** Where an occasion's events go; null for those that name no channel. */
  of(channelId: string | null): Destination
  /** The far side refused us for good, or until somebody sees to it. */
  refuse(destination: Destination, status: 'PAUSED' | 'DISABLED', reason: string): void
  close(): Promise<void>
}

export type DestinationsDeps = {
  store: Store
  clock: Clock
  telemetry: Telemetry
  /** Opens a connection to a channel; throws if its settings or secrets cannot be used. */
  open: (record: ChannelRecord) => Channel
  /** Where events go while no channel is the default. */
  fallback: Destination
}

/** How long a change of a channel may take to reach a worker. */
const FRESH_MS = 2_000

/** `staleAt`: when one of its secrets ends, and it is to be opened without. */
type Opened = Destination & { version: number; staleAt: number }

export function createDestinations(deps: DestinationsDeps): Destinations {
  const { store, clock, telemetry, fallback } = deps
  const byId = new Map<string, Opened>()
  let byDefault: Destination = fallback
  let readAt = Number.NEGATIVE_INFINITY

  async function refresh(): Promise<void> {
    const now = clock.now()
    if (Math.abs(now - readAt) < FRESH_MS) return
    const records = await store.listChannels()
    readAt = now
    for (const record of records) {
      const known = byId.get(record.id)
      if (known?.version !== record.version || known.staleAt <= now) update(record)
    }
    const chosen = defaultChannel(records)
    byDefault = chosen === null ? fallback : byId.get(chosen.id)!
  }

  function update(record: ChannelRecord): void {
    const { id, name, status, statusReason, settings, version } = record
    const before = byId.get(id)
    const { perSecond, concurrency } = settings
    byId.set(id, {
      id,
      name,
      kind: settings.kind,
      status,
      limits: { perSecond, concurrency },
      version,
      staleAt: Math.min(...activeSecrets(record, clock.now()).map(({ expiresAt }) => expiresAt ?? Infinity)),
      channel: openSafely(record),
    })
    // Sends under way end on the connections they began on.
    void before?.channel.close()
    if (before !== undefined && before.status !== status) tell(id, name, status, statusReason)
  }

  /** A channel that cannot be opened keeps its events waiting: whoever repairs it loses nothing. */
  function openSafely(record: ChannelRecord): Channel {
    try {
      return deps.open(record)
    } catch (error) {
      telemetry({ kind: 'trouble', during: `opening channel ${record.id}`, error, retryInMs: null })
      const result = { kind: 'transient', error: 'CHANNEL_UNUSABLE: see the log', statusCode: null } as const
      return { deliver: async () => result, close: async () => {} }
    }
  }

  function refuse(destination: Destination, status: 'PAUSED' | 'DISABLED', reason: string): void {
    if (destination.status !== 'ACTIVE') return
    destination.status = status
    const { id, name } = destination
    tell(id, name, status, reason)
    if (destination === fallback) return
    store
      .setChannelStatus({ id, from: 'ACTIVE', to: status, reason, at: clock.now() })
      .catch((error) =>
        telemetry({ kind: 'trouble', during: `noting that channel ${id} refused`, error, retryInMs: null }),
      )
  }

  function tell(channelId: string, channelName: string, status: ChannelStatus, reason: string | null): void {
    telemetry({ kind: 'channel', channelId, channelName, status, reason })
  }

  return {
    refresh,
    of: (channelId) => (channelId === null ? byDefault : (byId.get(channelId) ?? byDefault)),
    refuse,
    close: async () => {
      await Promise.all([fallback, ...byId.values()].map(({ channel }) => channel.close()))
    },
  }
}

/** The one destination of whoever has no channels to manage. */
export function onlyDestination(channel: Channel): Destinations {
  const destination: Destination = {
    id: 'only',
    name: 'only',
    kind: 'webhook',
    status: 'ACTIVE',
    limits: { perSecond: null, concurrency: null },
    channel,
  }
  return {
    refresh: async () => {},
    of: () => destination,
    refuse: (_, status) => {
      destination.status = status
    },
    close: () => channel.close(),
  }
}
