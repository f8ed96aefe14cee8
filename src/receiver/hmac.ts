// HMAC-SHA256 over a delivery, by WebCrypto.
import { signedPrefix } from './signing.ts'

export function importKey(bytes: Uint8Array<ArrayBuffer>, use: 'sign' | 'verify') {
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [use])
}

export function signedContent(
  id: string,
  timestamp: number | string,
  body: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const start = new TextEncoder().encode(signedPrefix(id, timestamp))
  const whole = new Uint8Array(start.length + body.length)
  whole.set(start)
  whole.set(body, start.length)
  return whole
}
