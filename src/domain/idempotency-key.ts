// The one key under which an occurrence is delivered, however often it is tried. The function may never
// change: a receiver that saw a key last week must see the same key in today's retry.
import { sha256Hex } from './sha256.ts'

/** `event-` and 32 hexadecimal characters. Depends on which occurrence it is, not on when it is due. */
export function idempotencyKey(of: { userId: string; occasionId: string; occurrence: string }): string {
  return `event-${sha256Hex(`${of.userId}\n${of.occasionId}\n${of.occurrence}`).slice(0, 32)}`
}
