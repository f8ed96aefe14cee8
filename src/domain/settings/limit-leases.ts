// What the workers have leased of a destination's limits. `perSecond` is leased as turns: instants at which one send may start.
// `concurrency` is leased as slots. Reads no clock: all times are by the one clock that the workers share.

/** Leases of one destination. */
export type LimitLeases = {
  /** Turns are leased up to this instant. */
  turnsUntil: number
  /** By worker: how many sends it may have in flight until then. */
  slots: Readonly<Record<string, { count: number; until: number }>>
}

export const NO_LEASES: LimitLeases = { turnsUntil: 0, slots: {} }

/** Turns are leased in blocks of this length, so that a limit costs a few writes a second however high it is. */
const BLOCK_MS = 200

/** No turn is leased further ahead, unless it is the next one: turns of a worker that ends are lost. */
const AHEAD_MS = 400

/** Turns further ahead were leased before the clock was set back. */
const MOST_AHEAD_MS = 60_000

/** How long a worker may use its slots without leasing them again. */
export const SLOTS_MS = 6_000

export type Turns = { from: number; everyMs: number; count: number }

/**
 * The time between two turns. A send may start up to `toleranceMs` after its turn, so the turns are that much further apart than
 * the limit says: in no second more sends start than it allows.
 */
export function turnMs(perSecond: number, toleranceMs: number): number {
  return (1_000 + toleranceMs) / perSecond
}

/** Leases up to `want` turns. None while enough are leased ahead: try again after `retryInMs`. */
export function leaseTurns(
  leases: LimitLeases,
  { now, everyMs, want }: { now: number; everyMs: number; want: number },
): { leases: LimitLeases; turns: Turns; retryInMs: number } {
  const { turnsUntil } = leases
  const from = turnsUntil > now + MOST_AHEAD_MS ? now : Math.max(now, turnsUntil)
  const retryInMs = Math.max(0, from - now - Math.max(AHEAD_MS, everyMs))
  const most = Math.max(1, Math.floor(BLOCK_MS / everyMs))
  const count = retryInMs > 0 ? 0 : Math.min(want, most)
  return {
    leases: { ...leases, turnsUntil: count > 0 ? from + count * everyMs : turnsUntil },
    turns: { from, everyMs, count },
    retryInMs,
  }
}

/** Leases up to `want` slots for a worker, in place of those it has. The slots of a worker that ended expire. */
export function leaseSlots(
  leases: LimitLeases,
  { now, worker, want, limit }: { now: number; worker: string; want: number; limit: number },
): { leases: LimitLeases; count: number } {
  const others = Object.entries(leases.slots).filter(
    // Slots that end much later than a lease lasts are from before the clock was set back.
    ([id, { until }]) => id !== worker && until > now && until <= now + 2 * SLOTS_MS,
  )
  const taken = others.reduce((sum, [, { count }]) => sum + count, 0)
  const count = Math.max(0, Math.min(want, limit - taken))
  const own = count > 0 ? { [worker]: { count, until: now + SLOTS_MS } } : {}
  return { leases: { ...leases, slots: { ...Object.fromEntries(others), ...own } }, count }
}
