// Keeps an answer for a moment, so that many who ask at once cost as much as one.
import type { Clock } from '../ports/clock.ts'

/** `keepMs` says how long an answer is good for. */
export function remember<T>(
  clock: Clock,
  keepMs: (answer: T) => number,
  ask: () => Promise<T>,
): () => Promise<T> {
  let kept: { until: number; at: number; answer: Promise<T> } | null = null
  return () => {
    const now = clock.now()
    // Before it was asked: the clock was set back.
    if (kept !== null && now < kept.until && now >= kept.at) return kept.answer
    const mine = { until: Number.POSITIVE_INFINITY, at: now, answer: ask() }
    kept = mine
    mine.answer.then(
      (answer) => {
        mine.until = now + keepMs(answer)
      },
      // A failure is not worth keeping.
      () => {
        if (kept === mine) kept = null
      },
    )
    return mine.answer
  }
}
