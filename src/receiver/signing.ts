// What a signature covers, and the headers that carry it: shared by the sender and the receiver. Imports nothing.

/** Before the signature, in base64. */
export const SIGNATURE_VERSION = 'v1,'

/** The signed bytes are this text followed by the body. The timestamp is in seconds. */
export function signedPrefix(id: string, timestamp: number | string): string {
  return `${id}.${timestamp}.`
}

/** The headers of a delivery without its signature. */
export function deliveryHeaders(id: string, timestamp: number): Record<string, string> {
  return {
    'content-type': 'application/json',
    'x-idempotency-key': id,
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
  }
}
