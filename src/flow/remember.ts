// Keeps an answer for a moment, so that many who ask at once cost as much as one.
import type { Clock } from '../ports/clock.ts'

export function remember<T>(clock: Clock, forMs: number, ask: () => Promise<T>): () => Promise<T> {
  let kept: { at: number; answer: Promise<T> } | null = null
  return () => {
    const now = clock.now()
    if (kept !== null && Math.abs(now - kept.at) < forMs) return kept.answer
    const answer = ask()
    kept = { at: now, answer }
    // A failure is not worth keeping.
    answer.catch(() => {
      if (kept?.answer === answer) kept = null
    })
    return answer
  }
}
