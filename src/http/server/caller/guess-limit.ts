// Limits wrong API keys by address. A wrong key that is repeated counts once: a client with an outdated key must not use up
// the limit of its neighbours.
import { sha256Hex } from '../../../domain/formats/sha256.ts'
import type { Clock } from '../../../ports/clock.ts'
import { createRateLimiter } from '../rate-limit.ts'

export type GuessLimiter = {
  /** How long the caller has to wait before its next guess; 0 if it may guess now. */
  waitMs(caller: string): number
  /** Counts a wrong key. */
  count(caller: string, key: string): void
}

const PER_MINUTE = 60
/** Bounds memory: beyond this many wrong keys, the oldest are dropped. */
const MAX_KEYS = 10_000

export function createGuessLimiter(clock: Clock): GuessLimiter {
  const limiter = createRateLimiter(clock, PER_MINUTE)
  const counted = new Set<string>()

  return {
    waitMs: (caller) => limiter(caller, 0).waitMs,
    count(caller, key) {
      const guess = sha256Hex(`${caller} ${key}`)
      if (counted.has(guess)) return
      counted.add(guess)
      if (counted.size > MAX_KEYS) counted.delete(counted.values().next().value!)
      limiter(caller)
    },
  }
}
