// The idempotency key of an occurrence, the same for every attempt. This function must never change: a receiver that saw
// a key last week must see it again in today's retry.
import { sha256Hex } from '../formats/sha256.ts'

/** `event-` and 32 hexadecimal characters. Depends on the occurrence, not on when it is due. */
export function idempotencyKey(of: {
  userId: string
  occasionId: string
  occurrence: string
  ownKey?: boolean
}): string {
  // A replay is named after its original (`2026~1`) and has the original's key unless `ownKey` is set.
  const named = of.ownKey === true ? of.occurrence : originalOf(of.occurrence)
  return `event-${sha256Hex(`${of.userId}\n${of.occasionId}\n${named}`).slice(0, 32)}`
}

/** `2026` of `2026~1`. */
export function originalOf(occurrence: string): string {
  const tilde = occurrence.indexOf('~')
  return tilde === -1 ? occurrence : occurrence.slice(0, tilde)
}
