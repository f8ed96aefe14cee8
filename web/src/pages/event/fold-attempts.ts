// Folds attempts in a row that ended alike: an outage of three minutes has 200 of them.
import type { Attempt } from '../../api/types.ts'

export type FoldedAttempts = {
  /** The earliest and the latest of the attempts. */
  first: Attempt
  last: Attempt
  count: number
  /** Between the attempt before, or the due time, and the first one. */
  waitedMs: number
}

/** Newest first. */
export function foldAttempts(attempts: readonly Attempt[], dueAt: string): FoldedAttempts[] {
  const folded: FoldedAttempts[] = []
  let before = dueAt
  for (const attempt of attempts) {
    const group = folded[0]
    if (group !== undefined && isAlike(group.last, attempt)) {
      group.last = attempt
      group.count += 1
    } else {
      const waitedMs = Date.parse(attempt.startedAt) - Date.parse(before)
      folded.unshift({ first: attempt, last: attempt, count: 1, waitedMs })
    }
    before = attempt.finishedAt
  }
  return folded
}

function isAlike(a: Attempt, b: Attempt): boolean {
  return (
    a.outcome === b.outcome && a.error === b.error && a.statusCode === b.statusCode && a.channel === b.channel
  )
}
