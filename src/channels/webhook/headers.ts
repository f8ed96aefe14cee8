// The HTTP headers of a delivery, shared by both webhook channels.
import type { Delivery } from '../../ports/channel.ts'
import type { Clock } from '../../ports/clock.ts'
import { createSigner } from './signature.ts'

/** Every attempt has the same id and its own timestamp; the signatures cover the id, the timestamp and the body. */
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
