// Invariants of the state of destinations that all workers share: an outage or a hold stops every worker, and one of them probes.
import { type DestinationState, isDown, isHeld } from '../../../src/domain/settings/destination.ts'
import { SECOND } from '../../support/fixtures.ts'
import { channelNumber } from '../actors/channels.ts'
import { changesOf, type HoldRow, isHoldChanged } from '../record/ledger.ts'
import type { Entry } from '../record/trace.ts'
import { trackCalls } from './claims.ts'
import type { Rule } from './rule.ts'

type DestinationRow = HoldRow & { down_since: number | null; next_probe_at: number | null }

/** As stored, and since when it is down or held. */
type Stored = { state: DestinationState; downAt: number; heldAt: number }

function trackStates() {
  const stored = new Map<string, Stored>()
  /** Until when each process may probe each channel, by its own clock. */
  const probeUntil = new Map<string, number>()
  return {
    apply(entry: Entry): void {
      if (entry.kind !== 'commit') return
      for (const { before, after } of changesOf<DestinationRow>(entry.rows, 'destinations')) {
        const { channel_id: channelId, down_since: downSince, next_probe_at: nextProbeAt } = after!
        const { held_at: heldAt, held_until: heldUntil } = after!
        const unused = { lastError: null, recoveredAt: null, heldBy: null }
        const last = stored.get(channelId)
        stored.set(channelId, {
          state: { channelId, downSince, nextProbeAt, heldAt, heldUntil, ...unused },
          downAt: before?.down_since === downSince ? last!.downAt : entry.at,
          heldAt: isHoldChanged({ before, after }) ? entry.at : (last?.heldAt ?? 0),
        })
        if (entry.op === 'claimProbe') probeUntil.set(`${entry.who} ${channelId}`, nextProbeAt!)
        else probeUntil.delete(`${entry.who} ${channelId}`)
      }
    },
    of: (channel: string) => stored.get(channel),
    mayProbeUntil: (who: string, channel: string) => probeUntil.get(`${who} ${channel}`) ?? 0,
  }
}

/** A worker reads the state at most once a second, and not beside a write of its own. */
const HEARD_MS = 2 * SECOND

const stopReachesEveryWorker: Rule = {
  name: 'stop reaches every worker',
  description:
    'No worker sends an event that it claimed or confirmed two seconds after its destination was stored as down or held, except a probe.',
  watch() {
    const states = trackStates()
    const calls = trackCalls(['confirmClaims', 'readClaims'])
    return (entry) => {
      states.apply(entry)
      calls.apply(entry)
      if (entry.kind !== 'send') return null
      const { who, channel, eventId, clock } = entry
      const stored = states.of(channel)
      if (stored === undefined) return null
      const holds = isHeld(stored.state, clock)
      const isProbe = clock < states.mayProbeUntil(who, channel)
      if (!holds && (isProbe || !isDown(stored.state, clock))) return null
      const lateMs = calls.lastOf(who, eventId)!.at - (holds ? stored.heldAt : stored.downAt)
      return lateMs > HEARD_MS
        ? `${who} sends ${eventId}, claimed ${lateMs} ms after channel ${channelNumber(channel) + 1} was ${holds ? 'held' : 'down'}.`
        : null
    }
  },
}

const oneProbeAtATime: Rule = {
  name: 'one probe at a time',
  description:
    'While a destination is down, all workers together have one probe in flight, unless the claim of the first has expired.',
  watch() {
    const states = trackStates()
    /** The processes with a probe in flight, by channel. */
    const probing = new Map<string, Set<string>>()
    return (entry) => {
      states.apply(entry)
      if (entry.kind === 'commit')
        for (const [channel, senders] of probing)
          if (states.of(channel)!.state.downSince === null) senders.clear()
      if (entry.kind === 'lifecycle' && entry.what === 'crashes')
        for (const senders of probing.values()) senders.delete(entry.who)
      if (entry.kind === 'result') probing.get(entry.channel)?.delete(entry.who)
      if (entry.kind !== 'send') return null
      const { who, channel, clock } = entry
      const stored = states.of(channel)
      if (stored === undefined || !isDown(stored.state, clock)) return null
      if (clock >= states.mayProbeUntil(who, channel)) return null
      const senders = probing.get(channel) ?? new Set()
      // Not of the same worker: it sends more as soon as its probe succeeded, before that is stored.
      const other = [...senders].find((one) => one !== who && clock < states.mayProbeUntil(one, channel))
      probing.set(channel, senders.add(who))
      return other === undefined
        ? null
        : `${who} probes channel ${channelNumber(channel) + 1} beside ${other}.`
    }
  },
}

export const DESTINATION_RULES: readonly Rule[] = [stopReachesEveryWorker, oneProbeAtATime]
