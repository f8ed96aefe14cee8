// Keeps an answer for a while, so that many who ask at once cost as much as one, and what is dear to ask is asked seldom.
import type { Clock } from '../ports/clock.ts'

/** The answer, and when it was asked for. */
export type Remembered<T> = { at: number; answer: T }

/** So many times as long as it took: whatever is asked takes a sixtieth of one thread at the most. */
const TIMES_AS_LONG = 60
const LONGEST_MS = 60_000
/** Nobody waits longer than this for an answer to replace one that is hardly older than it may be. */
const PATIENCE_MS = 100

type Kept<T> = { at: number; until: number; tookMs: number; answer: Promise<Remembered<T>> }

/**
 * Kept for `leastMs`; longer if it took long, but not beyond a minute. Who asks after that waits for a new one, unless it
 * would take long: then they get the old one once more while the new one is on its way.
 */
export function remember<T>(
  clock: Clock,
  leastMs: number,
  ask: () => Promise<T>,
): () => Promise<Remembered<T>> {
  let kept: Kept<T> | null = null
  let coming: Promise<Remembered<T>> | null = null

  function renew(now: number): Promise<Remembered<T>> {
    const answer = ask().then((given) => ({ at: now, answer: given }))
    coming = answer
    answer.then(
      () => {
        const ended = clock.now()
        const tookMs = ended - now
        const until = Math.max(now + leastMs, ended + Math.min(LONGEST_MS, tookMs * TIMES_AS_LONG))
        kept = { at: now, until, tookMs, answer }
        coming = null
      },
      // A failure is not worth keeping.
      () => {
        coming = null
      },
    )
    return answer
  }

  return () => {
    const now = clock.now()
    // Before it was asked: the clock was set back.
    const last = kept !== null && now >= kept.at ? kept : null
    if (last !== null && now < last.until) return last.answer
    const renewed = coming ?? renew(now)
    const isWorthIt = last !== null && last.tookMs > PATIENCE_MS && now < last.at + 2 * LONGEST_MS
    return isWorthIt ? last.answer : renewed
  }
}
