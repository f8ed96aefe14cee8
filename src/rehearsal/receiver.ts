// The receiver of a rehearsal: accepts every message after a moment, except while it is down.
import type { Channel, DeliveryResult } from '../ports/channel.ts'
import type { Clock, Dice } from '../ports/clock.ts'
import type { Span } from './range.ts'

export type Receiver = Channel & {
  /** How many messages were received again, because their first response was lost. */
  repeats(): number
}

/** How long a response takes. */
const LEAST_MS = 50
const MOST_MS = 150

export function createReceiver(clock: Clock, dice: Dice, outage: Span | null): Receiver {
  const keys = new Set<string>()
  let repeats = 0

  function isDown(): boolean {
    return outage !== null && clock.now() >= outage.startsAt && clock.now() < outage.endsAt
  }

  async function deliver({ idempotencyKey }: { idempotencyKey: string }): Promise<DeliveryResult> {
    if (isDown()) return lost('ECONNREFUSED')
    if (keys.has(idempotencyKey)) repeats += 1
    keys.add(idempotencyKey)
    await new Promise<void>((resolve) => clock.after(LEAST_MS + dice() * (MOST_MS - LEAST_MS), resolve))
    // It went down between the message and the response: the message was received, and the sender cannot know.
    return isDown() ? lost('ECONNRESET') : { kind: 'delivered', statusCode: 200 }
  }

  return { deliver, repeats: () => repeats, close: async () => {} }
}

/** In the words of the webhook. */
function lost(code: string): DeliveryResult {
  return { kind: 'transient', error: `CONNECTION: ${code}`, statusCode: null }
}
