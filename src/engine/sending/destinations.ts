// Where events go: the channels that are set up, each with its open connection. Read anew every few seconds, so that a
// change made anywhere reaches every worker.
import {
  activeSecrets,
  type ChannelKind,
  type ChannelLimits,
  type ChannelRecord,
  type ChannelStatus,
  defaultChannel,
} from '../../domain/settings/channel.ts'
import type { Channel } from '../../ports/channel.ts'
import type { Clock } from '../../ports/clock.ts'
import type { SettingsStore } from '../../ports/store.ts'
import type { Telemetry } from '../../ports/telemetry.ts'

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
  /** False for a channel that was not there when they were last read: the next refresh looks for it. */
  knows(channelId: string | null): boolean
  /** Where an occasion's events go; null for those that name no channel. */
  of(channelId: string | null): Destination
  /** The far side refused us for good, or until somebody sees to it. */
  refuse(destination: Destination, status: 'PAUSED' | 'DISABLED', reason: string): void
  close(): Promise<void>
}

export type DestinationsDeps = {
  store: SettingsStore
  clock: Clock
  telemetry: Telemetry
  /** Opens a connection to a channel; throws if its settings or secrets cannot be used. */
  open: (record: ChannelRecord) => Channel
  /** Where events go while no channel is the default. */
  fallback: Destination
}

/** How long a change of a channel may take to reach a worker. */
const FRESH_MS = 2_000

type Refusal = { to: 'PAUSED' | 'DISABLED'; reason: string; writing: boolean }

/** `staleAt`: when one of its secrets ends, and it is to be opened without. */
type Opened = Destination & { version: number; staleAt: number }

export function createDestinations(deps: DestinationsDeps): Destinations {
  const { store, clock, telemetry, fallback } = deps
  const byId = new Map<string, Opened>()
  /** What far sides told us that is not in the store yet. */
  const unwritten = new Map<string, Refusal>()
  let byDefault: Destination = fallback
  let readAt = Number.NEGATIVE_INFINITY
  /** Channels that were looked for, and are not there. */
  const missing = new Set<string>()
  const wanted = new Set<string>()

  async function refresh(): Promise<void> {
    const now = clock.now()
    if (wanted.size === 0 && Math.abs(now - readAt) < FRESH_MS) return
    const records = await store.listChannels()
    readAt = now
    // Two may ask at once, and the first be answered last: what it says is old by then.
    const isOld = records.some(({ id, version }) => version < (byId.get(id)?.version ?? 0))
    if (isOld) return
    for (const record of records) {
      const known = byId.get(record.id)
      // Whoever changed it since has seen to it.
      if (known?.version !== record.version) unwritten.delete(record.id)
      if (known?.version !== record.version || known.staleAt <= now) update(record)
      else writeRefusal(record.id)
    }
    for (const id of wanted) if (!byId.has(id)) missing.add(id)
    wanted.clear()
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
    // Changed since it was sent to: whoever did that has seen to it, or the next answer tells.
    if (destination !== fallback && byId.get(id) !== destination) return
    tell(id, name, status, reason)
    if (destination === fallback) return
    unwritten.set(id, { to: status, reason, writing: false })
    writeRefusal(id)
  }

  /** Tried until it is written: what only we know, nobody can see, and nobody can end. */
  function writeRefusal(id: string): void {
    const refusal = unwritten.get(id)
    if (refusal === undefined || refusal.writing) return
    refusal.writing = true
    const { to, reason } = refusal
    store
      .setChannelStatus({ id, from: 'ACTIVE', to, reason, at: clock.now() })
      .then(() => unwritten.get(id) === refusal && unwritten.delete(id))
      .catch((error) => {
        refusal.writing = false
        const during = `noting that channel ${id} refused`
        telemetry({ kind: 'trouble', during, error, retryInMs: FRESH_MS })
      })
  }

  function tell(channelId: string, channelName: string, status: ChannelStatus, reason: string | null): void {
    telemetry({ kind: 'channel', channelId, channelName, status, reason })
  }

  function knows(channelId: string | null): boolean {
    if (channelId === null || byId.has(channelId) || missing.has(channelId)) return true
    wanted.add(channelId)
    return false
  }

  return {
    refresh,
    knows,
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
    knows: () => true,
    of: () => destination,
    refuse: (_, status) => {
      destination.status = status
    },
    close: () => channel.close(),
  }
}
