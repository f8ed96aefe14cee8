// Which destinations are down or paused, as all workers know it: read from the store with the channels, written when this process finds a
// change.
import { type DestinationState, isDown } from '../../domain/settings/destination.ts'
import type { Clock } from '../../ports/clock.ts'
import type { DestinationStore } from '../../ports/store.ts'
import type { Telemetry } from '../../ports/telemetry.ts'

export type SharedStates = {
  refresh(): Promise<void>
  of(channelId: string): DestinationState
  /** A message failed at `at`. An outage that is known goes on. */
  markDown(failure: { channelId: string; at: number; error: string; nextProbeAt: number }): void
  markUp(channelId: string, at: number): void
  /** Whether this process may probe the destination, which is due, until then. False also if the store cannot be reached. */
  claimProbe(channelId: string, until: number): Promise<boolean>
  /** Renews the claim of this process, or ends it: any process may probe from then on. False if it is no longer claimed. */
  moveProbe(channelId: string, until: number): Promise<boolean>
}

/** How often a destination that stays down is reported. */
const REPORT_MS = 60_000

export function createSharedStates(deps: {
  store: DestinationStore
  clock: Clock
  telemetry: Telemetry
  nameOf: (channelId: string) => string
}): SharedStates {
  const { store, clock, telemetry } = deps
  let byId = new Map<string, DestinationState>()
  /** Counts the begin and the end of each write: a read beside either may be older than the write. */
  let writes = 0
  let writing = 0
  /** The destinations that were reported as down: since when they are, and when that was said last. */
  const reported = new Map<string, { since: number; at: number }>()

  const of = (channelId: string): DestinationState => byId.get(channelId) ?? upState(channelId)

  /** What this process knows counts at once. If it cannot be stored, the next refresh restores what the others know. */
  function write(state: DestinationState, call: Promise<unknown>): void {
    byId.set(state.channelId, state)
    report()
    writes += 1
    writing += 1
    call
      .catch((error) =>
        telemetry({
          kind: 'error',
          operation: 'mark-destination',
          error,
          retryInMs: null,
          channelId: state.channelId,
        }),
      )
      .finally(() => {
        writes += 1
        writing -= 1
      })
  }

  /** False if another process has moved it, or if the destination is up. */
  async function moveProbe(channelId: string, until: number): Promise<boolean> {
    const { nextProbeAt: seen } = of(channelId)
    if (seen === null) return false
    try {
      const isMoved = await store.claimProbe({ channelId, seen, until })
      // The probe may have ended during the call, with a newer state.
      if (isMoved && of(channelId).nextProbeAt === seen)
        byId.set(channelId, { ...of(channelId), nextProbeAt: until })
      return isMoved
    } catch (error) {
      telemetry({ kind: 'error', operation: 'claim-probe', error, retryInMs: 1_000, channelId })
      return false
    }
  }

  function report(): void {
    const now = clock.now()
    const say = (channelId: string, state: 'down' | 'up' | 'untried', since: number) =>
      telemetry({
        kind: 'destination',
        channelId,
        channelName: deps.nameOf(channelId),
        state,
        since,
        error: of(channelId).lastError,
      })
    for (const [channelId, { since }] of reported)
      if (!isDown(of(channelId), now)) {
        reported.delete(channelId)
        say(channelId, of(channelId).downSince === null ? 'up' : 'untried', since)
      }
    for (const state of byId.values()) {
      if (!isDown(state, now)) continue
      const { channelId, downSince: since } = state
      const last = reported.get(channelId)
      // Math.abs: the clock may have been set back.
      if (last !== undefined && Math.abs(now - last.at) < REPORT_MS) continue
      reported.set(channelId, { since, at: now })
      say(channelId, 'down', since)
    }
  }

  return {
    async refresh() {
      const before = writes
      const states = await store.listDestinations()
      if (writes === before && writing === 0) {
        byId = new Map(states.map((state) => [state.channelId, state]))
        report()
      }
    },

    of,

    markDown({ channelId, at, error, nextProbeAt }) {
      const known = of(channelId)
      const since = isDown(known, at) ? known.downSince : at
      const state = { ...known, downSince: since, lastError: error, nextProbeAt }
      write(state, store.markDown({ channelId, since, error, nextProbeAt }))
    },

    markUp: (channelId, at) =>
      write({ ...of(channelId), ...UP, recoveredAt: at }, store.markUp(channelId, at)),

    async claimProbe(channelId, until) {
      const { nextProbeAt } = of(channelId)
      return nextProbeAt !== null && nextProbeAt <= clock.now() && moveProbe(channelId, until)
    },

    moveProbe,
  }
}

const UP = { downSince: null, lastError: null, nextProbeAt: null }

function upState(channelId: string): DestinationState {
  return { channelId, ...UP, recoveredAt: null, pausedAt: null, pausedUntil: null, pausedBy: null }
}
