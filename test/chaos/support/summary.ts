// The summary of a run: counts, and their description in plain lines.
import type { Broken } from './check-rules.ts'
import { bodyOf, type Evidence } from './evidence.ts'
import type { Happened } from './faults.ts'

/** How long it took from each fault during which an event was due to the next accepted message. */
type Recovery = { faults: number; medianMs: number; worstMs: number } | null

export type Summary = ReturnType<typeof summarise>

export function summarise(
  evidence: Evidence,
  happened: Happened,
  of: { seed: number; settledAfterMs: number; broken: Broken[] },
) {
  const { tables, arrivals } = evidence
  const failed = tables.settled_events.filter(({ status }) => status === 'FAILED')
  const accepted = Map.groupBy(
    arrivals.filter((arrival) => arrival.accepted),
    ({ key }) => key,
  )
  return {
    seed: of.seed,
    people: evidence.people.length,
    changes: happened.changes,
    deletions: happened.deletions,
    due: tables.settled_events.length,
    delivered: tables.settled_events.length - failed.length,
    failed: countBy(failed, ({ failure_code }) => failure_code ?? 'no reason'),
    arrivals: arrivals.length,
    /** Keys that the receiver accepted more than once. */
    ambiguousRepeats: [...accepted.values()].filter((group) => group.length > 1).length,
    unknownAttempts: tables.attempts.filter(({ outcome }) => outcome === 'UNKNOWN').length,
    staleSettlements: evidence.stale,
    faults: countBy(happened.faults, ({ kind }) => kind),
    connectionsCut: happened.cuts,
    lostCommits: happened.lostCommits,
    apiStarts: happened.starts,
    rollouts: happened.rollouts,
    recovery: recoveryOf(
      evidence,
      happened.faults.map(({ at }) => at),
    ),
    failovers: happened.failovers.length,
    /** From the end of the primary to the next accepted message. */
    afterFailover: recoveryOf(evidence, happened.failovers),
    settledAfterMs: of.settledAfterMs,
    broken: of.broken,
  }
}

function recoveryOf({ arrivals, tables }: Evidence, faults: readonly number[]): Recovery {
  const accepted = arrivals.filter((arrival) => arrival.accepted)
  const firstAccepted = new Map(accepted.toReversed().map((arrival) => [bodyOf(arrival).eventId, arrival.at]))
  const waits = tables.settled_events.flatMap(({ id, target_at }) => {
    const until = firstAccepted.get(id)
    return until === undefined ? [] : [{ from: Date.parse(target_at), until }]
  })
  const times = faults.flatMap((at) => {
    if (!waits.some(({ from, until }) => from <= at && at < until)) return []
    const next = accepted.find((arrival) => arrival.at >= at)
    return next === undefined ? [] : [next.at - at]
  })
  if (times.length === 0) return null
  times.sort((a, b) => a - b)
  return { faults: times.length, medianMs: times[times.length >> 1]!, worstMs: times.at(-1)! }
}

export function describe(sum: Summary): string[] {
  const { faults, lostCommits, recovery } = sum
  const failures = Object.entries(sum.failed).map(([reason, count]) => `${count} ${reason}`)
  const total = Object.values(sum.failed).reduce((a, b) => a + b, 0)
  return [
    `Seed ${sum.seed}. ${sum.people} people created, ${sum.changes} changes, ${sum.deletions} deletions.`,
    `${sum.due} events due: ${sum.delivered} delivered, ${total} failed${total > 0 ? ` (${failures.join(', ')})` : ''}.`,
    `${sum.arrivals} arrivals; ${sum.ambiguousRepeats} keys were accepted more than once.`,
    `${sum.unknownAttempts} attempts UNKNOWN, ${sum.staleSettlements} stale settlements.`,
    `${faults.kill ?? 0} workers killed, ${faults.pause ?? 0} paused past their lease, ${faults.retire ?? 0} stopped and replaced; the API was started ${sum.apiStarts} times.`,
    ...(sum.rollouts > 0
      ? [`The fleet was rolled ${sum.rollouts} times between this release and the next.`]
      : []),
    `PostgreSQL crashes: ${faults.crash ?? 0}; connections reset: ${sum.connectionsCut}; silences: ${faults.silence ?? 0}; delays: ${faults.delay ?? 0}.`,
    `Connections reset after COMMIT: ${lostCommits.after}, before it: ${lostCommits.before}; outages of the receiver: ${faults.mode ?? 0}.`,
    `From a fault to the next delivery ${describeRecovery(recovery)}.`,
    `Failovers to the standby: ${sum.failovers}; from the end of the primary to the next delivery ${describeRecovery(sum.afterFailover)}.`,
    `Nothing was due any more ${seconds(sum.settledAfterMs)} after the last fault.`,
    ...verdict(sum.broken),
  ]
}

function describeRecovery(recovery: Recovery): string {
  if (recovery === null) return '(no event was due)'
  const { faults, medianMs, worstMs } = recovery
  return `(${faults} times): median ${seconds(medianMs)}, worst ${seconds(worstMs)}`
}

const SHOWN = 5

function verdict(broken: readonly Broken[]): string[] {
  if (broken.length === 0) return ['No rule was broken.']
  return broken.flatMap(({ rule, description, details }) => [
    `BROKEN: ${rule}. ${description}`,
    ...details.slice(0, SHOWN).map((detail) => `  ${detail}`),
    ...(details.length > SHOWN ? [`  and ${details.length - SHOWN} more`] : []),
  ])
}

function countBy<T>(items: readonly T[], keyOf: (item: T) => string): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(items, keyOf)].map(([key, group]) => [key, group.length]))
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
