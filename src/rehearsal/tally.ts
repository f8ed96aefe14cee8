// Counts the attempts that the engine reports.
import type { Clock } from '../ports/clock.ts'
import type { Notice } from '../ports/telemetry.ts'

export type Counts = {
  delivered: number
  /** Delivered within a minute of their instant. */
  onTime: number
  late: number
  medianLateMs: number | null
  worstLateMs: number | null
  attempts: number
  /** Attempts after the first at the same event. */
  retries: number
  /** The minute with the most attempts, by UTC. */
  busiestMinute: { at: number; attempts: number } | null
}

export type Tally = {
  note(notice: Notice): void
  counts(): Counts
  /** The first error, of which a rehearsal must have none. */
  error(): Error | null
}

const MINUTE_MS = 60_000

export function createTally(clock: Pick<Clock, 'now'>): Tally {
  const perMinute = new Map<number, number>()
  const lateMs: number[] = []
  const tried = new Set<string>()
  let delivered = 0
  let attempts = 0
  let firstError: Error | null = null

  function note(notice: Notice): void {
    if (notice.kind === 'error')
      firstError ??= new Error(`The rehearsal failed (${notice.operation}).`, { cause: notice.error })
    if (notice.kind !== 'attempt') return
    attempts += 1
    tried.add(notice.eventId)
    const minute = Math.floor((clock.now() - notice.durationMs) / MINUTE_MS) * MINUTE_MS
    perMinute.set(minute, (perMinute.get(minute) ?? 0) + 1)
    if (notice.outcome !== 'delivered') return
    delivered += 1
    const afterMs = notice.lateMs + notice.durationMs
    if (afterMs >= MINUTE_MS) lateMs.push(afterMs)
  }

  function counts(): Counts {
    const sorted = lateMs.sort((a, b) => a - b)
    const late = sorted.length
    return {
      delivered,
      onTime: delivered - late,
      late,
      medianLateMs: sorted[Math.floor((late - 1) / 2)] ?? null,
      worstLateMs: sorted.at(-1) ?? null,
      attempts,
      retries: attempts - tried.size,
      busiestMinute: busiest(perMinute),
    }
  }

  return { note, counts, error: () => firstError }
}

/** The first of several equal ones. */
function busiest(perMinute: ReadonlyMap<number, number>): Counts['busiestMinute'] {
  let most: Counts['busiestMinute'] = null
  for (const [at, attempts] of perMinute)
    if (most === null || attempts > most.attempts) most = { at, attempts }
  return most
}
