// The headers of a delivery, shared by both webhook channels and the daily report.
import type { Delivery } from '../../ports/channel.ts'
import type { Clock } from '../../ports/clock.ts'
import { deliveryHeaders } from '../../receiver/signing.ts'
import { createSigner } from './signature.ts'

/** Every attempt has the same id and its own timestamp; the signatures cover the id, the timestamp and the body. */
export function createHeaders(secrets: readonly string[], clock: Clock) {
  const sign = secrets.length === 0 ? null : createSigner(secrets)
  return ({ idempotencyKey, body }: Pick<Delivery, 'idempotencyKey' | 'body'>): Record<string, string> => {
    const timestamp = Math.floor(clock.now() / 1000)
    const headers = deliveryHeaders(idempotencyKey, timestamp)
    if (sign !== null) headers['webhook-signature'] = sign(idempotencyKey, timestamp, body)
    return headers
  }
}
