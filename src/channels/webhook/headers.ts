// The headers of a delivery, the same for every webhook channel.
import type { Delivery } from '../../ports/channel.ts'
import type { Clock } from '../../ports/clock.ts'
import { createSigner } from './signature.ts'

/** The headers of one attempt: the same id as every other, a time of its own, and signatures over both and the body. */
export function headersFrom(clock: Clock, secrets: readonly string[]) {
  const sign = secrets.length === 0 ? null : createSigner(secrets)
  return ({ idempotencyKey, body }: Delivery): Record<string, string> => {
    const timestamp = Math.floor(clock.now() / 1000)
    const headers = {
      'content-type': 'application/json',
      'x-idempotency-key': idempotencyKey,
      'webhook-id': idempotencyKey,
      'webhook-timestamp': String(timestamp),
    }
    return sign === null
      ? headers
      : { ...headers, 'webhook-signature': sign(idempotencyKey, timestamp, body) }
  }
}
