// How late a message may be: on time, belated, or too late to send.

export type Lateness = {
  /** A message that is later than this is belated; null for never. */
  belatedAfterMs: number | null
  /** A message that is later than this is not sent; null for never. */
  missedAfterMs: number | null
}

/** By occasion type; `*` for all other types. A type without an entry has no limit. */
export type LatenessPolicy = ReadonlyMap<string, Lateness>

const NO_LIMIT: Lateness = { belatedAfterMs: null, missedAfterMs: null }

export function latenessOf(policy: LatenessPolicy, type: string): Lateness {
  return policy.get(type) ?? policy.get('*') ?? NO_LIMIT
}

/** One limit for every type. */
export function missedAfter(missedAfterMs: number | null): LatenessPolicy {
  return new Map([['*', { belatedAfterMs: null, missedAfterMs }]])
}
