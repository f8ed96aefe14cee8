// The account of a day: how many messages were due on it by local date, and what became of them.

/** A delivery up to this late counts as on time. */
export const ON_TIME_MS = 60_000

/** Failures by a rule of the operator: the message was not to be sent any more. */
const NOT_SENT: readonly string[] = ['MISSED_WINDOW', 'CUT_OFF', 'OCCASION_PAUSED', 'TASK_COMPLETED']

/**
 * How many messages of a day share a fate and a code: of the failure, or of what they wait for: IN_FLIGHT, CHANNEL, RETRY, QUEUED.
 * A failure whose replay was delivered is `late`. `unknown`: the row says neither that it is open nor how it ended.
 */
export type DayGroup = {
  fate: 'onTime' | 'late' | 'failed' | 'waiting' | 'unknown'
  code: string | null
  count: number
}

export const OUTCOMES = ['onTime', 'late', 'failed', 'notSent', 'waiting'] as const
type Outcome = (typeof OUTCOMES)[number]

/** `due` is the sum of the outcomes, unless a message has none of them. */
export type DayCounts = Record<Outcome | 'due', number> & {
  /** Failed, not sent and waiting messages by code, such as `HTTP 410`, `MISSED_WINDOW` and `RETRY`. */
  codes: Record<string, number>
}

export function accountOf(groups: readonly DayGroup[]): DayCounts {
  const counts: DayCounts = { due: 0, onTime: 0, late: 0, failed: 0, notSent: 0, waiting: 0, codes: {} }
  for (const { fate, code, count } of groups) {
    counts.due += count
    if (fate === 'failed') counts[failedOutcome(code)] += count
    else if (fate !== 'unknown') counts[fate] += count
    if (code !== null) counts.codes[code] = (counts.codes[code] ?? 0) + count
  }
  return counts
}

/** What a failed message counts as, by its code. */
export function failedOutcome(code: string | null): 'failed' | 'notSent' {
  return code !== null && NOT_SENT.includes(code) ? 'notSent' : 'failed'
}

/** How many messages of the day have no outcome: a fault of Terce. */
export function unaccounted(counts: DayCounts): number {
  return counts.due - OUTCOMES.reduce((sum, outcome) => sum + counts[outcome], 0)
}
