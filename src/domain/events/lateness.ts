// How late a message may be: in time, belated, or not worth sending any more.

export type Lateness = {
  /** From when on it is called belated; null for never. */
  belatedAfterMs: number | null
  /** From when on it is not sent any more; null for never. */
  missedAfterMs: number | null
}

/** By kind of occasion; `*` for those that are not named. */
export type LatenessPolicy = ReadonlyMap<string, Lateness>

export const DELIVER_ALWAYS: LatenessPolicy = new Map()

const NO_LIMIT: Lateness = { belatedAfterMs: null, missedAfterMs: null }

export function latenessOf(policy: LatenessPolicy, type: string): Lateness {
  return policy.get(type) ?? policy.get('*') ?? NO_LIMIT
}

/** The one limit for every kind. */
export function missedAfter(missedAfterMs: number | null): LatenessPolicy {
  return new Map([['*', { belatedAfterMs: null, missedAfterMs }]])
}
