// The channels with their open connections, reloaded every second: a change made in one process reaches every worker.
import {
  activeSecrets,
  type ChannelKind,
  type ChannelLimits,
  type ChannelRecord,
  type ChannelStatus,
  defaultChannel,
  ENVIRONMENT_CHANNEL,
  type Environment,
  environmentDifference,
  withoutQuery,
} from '../../domain/settings/channel.ts'
import { currentStatus } from '../../domain/settings/channel-status.ts'
import type { Channel } from '../../ports/channel.ts'
import type { Clock } from '../../ports/clock.ts'
import type { DestinationStore, SettingsStore } from '../../ports/store.ts'
import type { Telemetry } from '../../ports/telemetry.ts'
import { createSharedStates, type SharedStates } from './shared-states.ts'

export type Destination = {
  id: string
  name: string
  kind: ChannelKind
  /** As of the last refresh: its stored status, or the hold of an operator. */
  status: ChannelStatus
  /** Over all workers. */
  limits: ChannelLimits
  /** How many sends this process may have in flight to it. No limit of its own if not given. */
  localConcurrency?: number
  channel: Channel
  /** The types of the events that it delivers by default. Every type if not given. */
  types?: readonly string[] | undefined
}

export type Destinations = {
  /**
   * Reloads the channels, at most every second. Call it before each claim. `at`: when they will be used, by default now; infinity
   * says that they changed.
   */
  refresh(at?: number): Promise<void>
  /** False for a channel that the last reload did not find: the next refresh looks for it. */
  knows(channelId: string | null): boolean
  /** The destination of an occasion's events; null stands for the default channel. */
  of(channelId: string | null): Destination
  /** Every destination that events may go to. */
  list(): Destination[]
  /** The receiver rejected us: holds the channel until an operator releases it, or disables it. */
  suspend(destination: Destination, status: 'HELD' | 'DISABLED', reason: string): void
  /** Which of them are down or held. */
  states: SharedStates
  close(): Promise<void>
}

type DestinationsDeps = {
  store: SettingsStore & DestinationStore
  clock: Clock
  telemetry: Telemetry
  /** Opens a connection to a channel; throws if its settings or secrets cannot be used. */
  open: (record: ChannelRecord) => Channel
  /** This process's own WEBHOOK_URL and its secrets; null if it is not set. */
  environment?: Environment | null
  /** The destination while no channel is the default. */
  fallback: Destination
  /** The handlers of this process, which precede the default channel; null if it has none. */
  handlers?: Destination | null
}

/** How long a change of a channel or a template may take to reach a worker. */
export const RELOAD_MS = 1_000

type Suspension = { to: 'HELD' | 'DISABLED'; reason: string; writing: boolean }

/** A status without the hold of an operator. */
type Own = Pick<ChannelRecord, 'status' | 'statusReason'>

/** `staleAt`: when one of its secrets expires, and the channel has to be opened without it. */
type Opened = Destination & { version: number; staleAt: number }

export function createDestinations(deps: DestinationsDeps): Destinations {
  const { store, clock, telemetry, handlers = null } = deps
  const fallback = handlers ?? deps.fallback
  const byId = new Map<string, Opened>()
  const states = createSharedStates({
    store,
    clock,
    telemetry,
    nameOf: (id) => [fallback, ...byId.values()].find((one) => one.id === id)?.name ?? id,
  })
  const ownStatus = new Map<string, Own>([[fallback.id, { status: fallback.status, statusReason: null }]])
  /** Suspensions that are not stored yet. */
  const unwritten = new Map<string, Suspension>()
  let byDefault: Destination = fallback
  let readAt = Number.NEGATIVE_INFINITY
  let [changes, read] = [0, 0]
  /** Channel ids that were looked for and do not exist. */
  const missing = new Set<string>()
  const wanted = new Set<string>()
  /** The difference from another process's environment that was last reported. */
  let differs: string | null = null

  async function refresh(at?: number): Promise<void> {
    const now = clock.now()
    // A reload that began before a change was reported may not have it.
    const seen = at === Number.POSITIVE_INFINITY ? ++changes : changes
    if (wanted.size === 0 && read === seen && Math.abs((at ?? now) - readAt) < RELOAD_MS) return
    const [records] = await Promise.all([store.listChannels(), states.refresh()])
    readAt = now
    read = seen
    // Of two concurrent reloads the first may return last, with older records.
    const isOld = records.some(({ id, version }) => version < (byId.get(id)?.version ?? 0))
    if (isOld) return
    for (const record of records) {
      const known = byId.get(record.id)
      // A newer version: an operator has changed the channel since we suspended it.
      if (known?.version !== record.version) unwritten.delete(record.id)
      if (known?.version !== record.version || known.staleAt <= now) update(record)
      else writeSuspension(record.id)
    }
    removeAllBut(records)
    for (const destination of [fallback, ...byId.values()]) applyHold(destination, now)
    for (const id of wanted) if (!byId.has(id)) missing.add(id)
    wanted.clear()
    const chosen = defaultChannel(records)
    byDefault = handlers ?? (chosen === null ? fallback : byId.get(chosen.id)!)
  }

  /** A channel that a concurrent, older reload misses is found again when the next event names it. */
  function removeAllBut(records: readonly ChannelRecord[]): void {
    const known = new Set(records.map(({ id }) => id))
    for (const [id, { channel }] of byId) {
      if (known.has(id)) continue
      byId.delete(id)
      ownStatus.delete(id)
      unwritten.delete(id)
      void channel.close()
    }
  }

  function update(record: ChannelRecord): void {
    const { id, name, settings, version } = record
    const before = byId.get(id)
    ownStatus.set(id, record)
    const { perSecond, concurrency } = settings
    byId.set(id, {
      id,
      name,
      kind: settings.kind,
      status: before?.status ?? currentStatus(record, states.of(id), clock.now()).status,
      limits: { perSecond, concurrency },
      version,
      staleAt: Math.min(...activeSecrets(record, clock.now()).map(({ expiresAt }) => expiresAt ?? Infinity)),
      channel: openSafely(record),
    })
    // Sends in flight end on the connections they began on.
    void before?.channel.close()
    if (id === ENVIRONMENT_CHANNEL) compareEnvironment(record)
  }

  function applyHold(destination: Destination, now: number): void {
    const { id, name, status: before } = destination
    const { status, statusReason } = currentStatus(ownStatus.get(id)!, states.of(id), now)
    if (status === before) return
    destination.status = status
    report(id, name, status, statusReason)
  }

  /** Each process delivers to the stored URL and signs with its own secret: say so if they belong to two processes. */
  function compareEnvironment(record: ChannelRecord): void {
    const environment = deps.environment ?? null
    if (environment === null || record.settings.kind !== 'webhook') return
    const what = environmentDifference(record, environment)
    const difference = what && `${what} ${record.settings.url}`
    if (difference === differs) return
    differs = difference
    const [from, to] = [withoutQuery(environment.url), withoutQuery(record.settings.url)]
    if (what !== null) telemetry({ kind: 'environment', state: 'differs', what, from, to })
  }

  /** Events of a channel that cannot be opened are released, so that nothing is lost once it is repaired. */
  function openSafely(record: ChannelRecord): Channel {
    try {
      return deps.open(record)
    } catch (error) {
      telemetry({ kind: 'error', operation: 'open-channel', error, retryInMs: null, channelId: record.id })
      const result = {
        kind: 'transient',
        error: 'CHANNEL_UNUSABLE: see the log',
        statusCode: null,
        about: 'process',
      } as const
      return { deliver: async () => result, close: async () => {} }
    }
  }

  function suspend(destination: Destination, status: 'HELD' | 'DISABLED', reason: string): void {
    const { id, name } = destination
    // The channel was reloaded while the request was in flight: do not overwrite the newer record.
    if (destination !== fallback && byId.get(id) !== destination) {
      if (destination.status === 'ACTIVE') destination.status = status
      return
    }
    // Also while an operator holds it: the rejection outlasts that hold.
    if (ownStatus.get(id)!.status !== 'ACTIVE') return
    ownStatus.set(id, { status, statusReason: reason })
    destination.status = status
    report(id, name, status, reason)
    if (destination === fallback) return
    unwritten.set(id, { to: status, reason, writing: false })
    writeSuspension(id)
  }

  /** Retried until stored: an operator can neither see nor lift a hold that only this process knows. */
  function writeSuspension(id: string): void {
    const suspension = unwritten.get(id)
    if (suspension === undefined || suspension.writing) return
    suspension.writing = true
    const { to, reason } = suspension
    store
      .setChannelStatus({ id, from: 'ACTIVE', to, reason, at: clock.now() })
      .then(() => unwritten.get(id) === suspension && unwritten.delete(id))
      .catch((error) => {
        suspension.writing = false
        const failed = { operation: 'suspend-channel', error, retryInMs: RELOAD_MS } as const
        telemetry({ kind: 'error', ...failed, channelId: id })
      })
  }

  function report(id: string, channelName: string, status: ChannelStatus, reason: string | null): void {
    telemetry({ kind: 'channel', channelId: id, channelName, status, reason })
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
    list: () => (byDefault === fallback ? [fallback, ...byId.values()] : [...byId.values()]),
    suspend,
    states,
    close: async () => {
      await Promise.all([fallback, ...byId.values()].map(({ channel }) => channel.close()))
    },
  }
}
